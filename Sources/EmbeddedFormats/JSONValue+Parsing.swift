package import ByteParsing

extension JSONValue {
    /// Reads JSON text, which starts at offset `base` of its file.
    ///
    /// Throws ``ContainerError`` for anything else, and for values nested deeper than `limits[.nesting]`.
    package init(parsing bytes: [UInt8], limits: DecodingLimits, base: Int = 0) throws(ContainerError) {
        var reader = JSONReader(bytes: bytes, deepest: limits[.nesting])
        do {
            self = try reader.document()
        } catch {
            throw ContainerError(error.reason, at: error.offset.map { base + $0 }, in: StructurePath("JSON"))
        }
    }

    /// The value of a field, if this is an object that has it.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let fields) = self else { return nil }
        return fields.first { $0.0 == name }?.1
    }

    /// The number, of either kind.
    package var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The whole number.
    package var integer: Int? { double.flatMap { Int(exactly: $0) } }

    /// The text.
    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The elements of an array; none of anything else.
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
    var place = 0

    mutating func document() throws(ContainerError) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard place == bytes.count else { throw malformed("nothing may follow a JSON value") }
        return value
    }

    private mutating func value(depth: Int) throws(ContainerError) -> JSONValue {
        guard depth <= deepest else {
            throw ContainerError(.limitExceeded(.nesting, limit: deepest, requested: depth), at: place)
        }
        skipSpace()
        guard let first = next else { throw ContainerError(.truncated(needed: 1, available: 0), at: place) }
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
        place += 1
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
        place += 1
        skipSpace()
        while !take("]") {
            if !values.isEmpty { try expect(",") }
            values.append(try value(depth: depth + 1))
            skipSpace()
        }
        return .array(values)
    }

    private mutating func number() throws(ContainerError) -> JSONValue {
        let start = place
        while let byte = next, "+-.0123456789Ee".utf8.contains(byte) { place += 1 }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else {
            throw ContainerError(.malformed(rule: "this is not a JSON value"), at: start)
        }
        return .number(number)
    }

    private mutating func string() throws(ContainerError) -> String {
        try expect("\"")
        var units: [UInt16] = []
        var run: [UInt8] = []
        func flush() {
            units += String(decoding: run, as: UTF8.self).utf16
            run.removeAll()
        }
        while let byte = next, byte != UInt8(ascii: "\"") {
            place += 1
            guard byte == UInt8(ascii: "\\") else {
                run.append(byte)
                continue
            }
            flush()
            units.append(try escape())
        }
        flush()
        try expect("\"")
        return String(decoding: units, as: UTF16.self)
    }

    private mutating func escape() throws(ContainerError) -> UInt16 {
        guard let byte = next else { throw ContainerError(.truncated(needed: 1, available: 0), at: place) }
        place += 1
        switch byte {
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
        case UInt8(ascii: "u"):
            let digits = bytes[place..<min(place + 4, bytes.count)]
            guard digits.count == 4, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
            else {
                throw malformed("\\u is followed by four hexadecimal digits")
            }
            place += 4
            return unit
        default: throw malformed("an escape in JSON is one of b f n r t u \" \\ /")
        }
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[place...].starts(with: text.utf8) else { return false }
        place += text.utf8.count
        return true
    }

    private mutating func expect(_ text: String) throws(ContainerError) {
        guard take(text) else { throw malformed("'\(text)' is missing in JSON") }
    }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
    }

    private func malformed(_ rule: String) -> ContainerError {
        ContainerError(.malformed(rule: rule), at: place)
    }
}
