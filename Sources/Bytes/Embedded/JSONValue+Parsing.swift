package import Bytes

extension JSONValue {
    /// Reads JSON text, which starts at offset `base` of its file.
    ///
    /// Invalid text (invalid UTF-8, half of a surrogate pair) is repaired with U+FFFD. Throws ``ContainerError`` for anything
    /// else that RFC 8259 forbids, and for values nested deeper than `limits[.nesting]`.
    package init(parsing bytes: [UInt8], limits: DecodingLimits, base: Int = 0) throws(ContainerError) {
        (self, _) = try Self.read(bytes, limits: limits, base: base)
    }

    /// Reads JSON text as ``init(parsing:limits:base:)`` does, and reports whether any text had to be repaired. Repaired text
    /// may name something else.
    package static func read(
        _ bytes: [UInt8], limits: DecodingLimits, base: Int = 0
    ) throws(ContainerError) -> (value: JSONValue, isRepaired: Bool) {
        var reader = JSONReader(bytes: bytes, deepest: limits[.nesting])
        do {
            return (try reader.document(), reader.isRepaired)
        } catch {
            throw ContainerError(error.reason, at: error.offset.map { base + $0 }, in: StructurePath("JSON"))
        }
    }

    /// The value of a field, if this is an object that has it.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let fields) = self else { return nil }
        return fields.first { $0.0 == name }?.1
    }

    /// The number, integer or not. Integers beyond 2⁵³ are rounded to the nearest `Double`.
    package var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The integer, also if written with a fraction of 0 or an exponent. These forms are accepted only below 2⁵³, where
    /// nothing is rounded.
    package var integer: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): value.magnitude < 0x1p53 ? Int(exactly: value) : nil
        default: nil
        }
    }

    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The elements of an array; empty for any other value.
    package var elements: [JSONValue] {
        if case .array(let values) = self { values } else { [] }
    }

    /// The numbers of an array that contains only numbers.
    package var numbers: [Double]? {
        guard case .array(let values) = self else { return nil }
        let numbers = values.compactMap(\.double)
        return numbers.count == values.count ? numbers : nil
    }
}

private struct JSONReader {
    let bytes: [UInt8]
    let deepest: Int
    var offset = 0
    /// Whether any text was invalid and has been repaired.
    var isRepaired = false

    mutating func document() throws(ContainerError) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard offset == bytes.count else {
            throw malformed("\(bytes.count - offset) bytes follow the JSON value")
        }
        return value
    }

    private mutating func value(depth: Int) throws(ContainerError) -> JSONValue {
        guard depth <= deepest else {
            throw ContainerError(.limitExceeded(.nesting, limit: deepest, requested: depth), at: offset)
        }
        skipSpace()
        guard let first = next else { throw ContainerError(.truncated(needed: 1, available: 0), at: offset) }
        switch first {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t") where take("true"): return .bool(true)
        case UInt8(ascii: "f") where take("false"): return .bool(false)
        case UInt8(ascii: "n") where take("null"): return .null
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(ContainerError) -> JSONValue {
        var fields: [(String, JSONValue)] = []
        offset += 1
        skipSpace()
        while !take("}") {
            if !fields.isEmpty { try expect(",") }
            skipSpace()
            let name = try string()
            skipSpace()
            try expect(":")
            fields.append((name, try value(depth: depth + 1)))
            skipSpace()
        }
        return .object(fields)
    }

    private mutating func array(depth: Int) throws(ContainerError) -> JSONValue {
        var values: [JSONValue] = []
        offset += 1
        skipSpace()
        while !take("]") {
            if !values.isEmpty { try expect(",") }
            values.append(try value(depth: depth + 1))
            skipSpace()
        }
        return .array(values)
    }

    /// A number (RFC 8259 §6): digits without a leading zero, then optionally a fraction and an exponent.
    private mutating func number() throws(ContainerError) -> JSONValue {
        let start = offset
        let sign = take("-") ? 1 : 0
        guard skipDigits() > 0 else {
            throw ContainerError(.malformed(rule: "this is not a JSON value"), at: start)
        }
        guard bytes[start + sign] != UInt8(ascii: "0") || offset == start + sign + 1 else {
            throw ContainerError(.malformed(rule: "JSON number has a leading zero"), at: start)
        }
        var isWhole = true
        if take(".") {
            isWhole = false
            try expectDigits("JSON number has no digits after its point")
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("+") { _ = take("-") }
            try expectDigits("JSON exponent has no digits")
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isWhole, let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else {
            throw ContainerError(.malformed(rule: "JSON number is larger than 1.8e308"), at: start)
        }
        return .number(number)
    }

    /// Skips digits, and returns their number.
    private mutating func skipDigits() -> Int {
        let start = offset
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { offset += 1 }
        return offset - start
    }

    private mutating func expectDigits(_ problem: String) throws(ContainerError) {
        guard skipDigits() > 0 else { throw malformed(problem) }
    }

    private mutating func string() throws(ContainerError) -> String {
        try expect("\"")
        var units: [UInt16] = []
        while let byte = next, byte != UInt8(ascii: "\"") {
            if take("\\") {
                units.append(try escape())
            } else {
                units += try plainText().utf16
            }
        }
        try expect("\"")
        if let text = String(validating: units, as: UTF16.self) { return text }
        isRepaired = true
        return String(decoding: units, as: UTF16.self)
    }

    /// Text up to an escape or a quotation mark.
    private mutating func plainText() throws(ContainerError) -> String {
        let start = offset
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            guard byte >= 0x20 else {
                throw malformed("a control character in JSON text has no escape (byte \(byte))")
            }
            offset += 1
        }
        if let text = String(validating: bytes[start..<offset], as: UTF8.self) { return text }
        isRepaired = true
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func escape() throws(ContainerError) -> UInt16 {
        guard let byte = next else { throw ContainerError(.truncated(needed: 1, available: 0), at: offset) }
        offset += 1
        switch byte {
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
        case UInt8(ascii: "u"):
            let digits = bytes[offset..<min(offset + 4, bytes.count)]
            let text = String(decoding: digits, as: UTF8.self)
            guard digits.count == 4, text.allSatisfy(\.isHexDigit), let unit = UInt16(text, radix: 16) else {
                throw malformed("\\u is followed by '\(text)', not by four hexadecimal digits")
            }
            offset += 4
            return unit
        default: throw malformed("JSON escape has byte \(byte), not one of b f n r t u \" \\ /")
        }
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[offset...].starts(with: text.utf8) else { return false }
        offset += text.utf8.count
        return true
    }

    private mutating func expect(_ text: String) throws(ContainerError) {
        guard take(text) else { throw malformed("'\(text)' is missing in JSON") }
    }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
    }

    private func malformed(_ rule: String) -> ContainerError {
        ContainerError(.malformed(rule: rule), at: offset)
    }
}
