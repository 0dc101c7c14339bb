/// A JSON value (RFC 8259), fields in order.
///
/// Text is written as ASCII with everything else escaped, so that no name in a file can reach a terminal as a control
/// sequence. A number that is not finite is written as `null`.
package enum JSONValue: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A 64-bit integer.
    case integer(Int)
    /// Any other number, in the fewest digits that identify it.
    case number(Double)
    case text(String)
    case array([JSONValue])
    /// An object; fields keep their order.
    case object([(String, JSONValue)])

    /// An integer, or `null`.
    package static func optional(_ value: Int?) -> JSONValue { value.map(JSONValue.integer) ?? .null }
    /// A number, or `null`.
    package static func optional(_ value: Double?) -> JSONValue { value.map(JSONValue.number) ?? .null }
    /// Text, or `null`.
    package static func optional(_ value: String?) -> JSONValue { value.map(JSONValue.text) ?? .null }
    /// A truth value, or `null`.
    package static func optional(_ value: Bool?) -> JSONValue { value.map(JSONValue.bool) ?? .null }
    package static func numbers(_ values: [Double]) -> JSONValue { .array(values.map { .number($0) }) }

    /// The value on one line.
    package var serialized: String {
        var output: [UInt8] = []
        append(to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends the value's ASCII bytes.
    package func append(to output: inout [UInt8]) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .integer(let value): output += String(value).utf8
        case .number(let value): output += (value.isFinite ? "\(value)" : "null").utf8
        case .text(let text): Self.append(text, to: &output)
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { output += ", ".utf8 }
                value.append(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let fields):
            output.append(UInt8(ascii: "{"))
            for (index, field) in fields.enumerated() {
                if index > 0 { output += ", ".utf8 }
                Self.append(field.0, to: &output)
                output += ": ".utf8
                field.1.append(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        defer { output.append(UInt8(ascii: "\"")) }
        if isPlain(text.utf8.span) {
            output += text.utf8
            return
        }
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5C: output += [0x5C, UInt8(unit)]
            case 0x20..<0x7F: output.append(UInt8(unit))
            default:
                let digits = String(unit, radix: 16)
                output += "\\u".utf8
                output += String(repeating: "0", count: 4 - digits.count).utf8
                output += digits.utf8
            }
        }
    }

    /// Whether bytes may be written between quotation marks without escapes.
    private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte >= 0x20, byte < 0x7F, byte != 0x22, byte != 0x5C else { return false }
        }
        return true
    }
}
