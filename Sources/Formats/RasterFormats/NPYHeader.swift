package import Bytes

/// The header of a NumPy array file (NPY 1.0 to 3.0): a Python dictionary of type, order and shape.
package struct NPYHeader: Hashable, Sendable {
    /// Bytes before the samples.
    package var byteCount: Int
    /// The type of a sample.
    package var type: SampleType
    /// The order of the bytes of a sample.
    package var byteOrder: ByteOrder
    /// Whether the first index varies fastest.
    package var isFortranOrder: Bool
    /// The lengths of the dimensions.
    package var shape: [Int]

    /// Reads a header at the start of `start`, which need not hold all samples.
    package init(parsing start: [UInt8], limits: DecodingLimits) throws(ContainerError) {
        var cursor = ByteCursor(start.span, path: StructurePath("NPY"))
        cursor.byteOrder = .littleEndian
        guard start.starts(with: Self.magic) else {
            throw cursor.malformed("NPY array does not start with \\x93NUMPY")
        }
        try cursor.skip(6)
        let version = try cursor.readByte()
        guard (1...3).contains(version) else {
            throw cursor.failure(.unsupported(feature: "NPY version \(version)"))
        }
        try cursor.skip(1)
        let length = version == 1 ? try cursor.readUInt16() : try cursor.readUInt32()
        try limits.check(.metadataBytes, length, at: cursor.offset, in: cursor.path)
        let text = try cursor.readBytes(length)
        byteCount = cursor.offset
        var literal = PythonLiteral(text, base: cursor.offset - length)
        (type, byteOrder, isFortranOrder, shape) = try literal.arrayHeader()
    }

    /// The first bytes of an array file.
    package static let magic: [UInt8] = [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59]

    /// How many bytes to read to include the header of any reasonable array.
    package static let usualByteCount = 1 << 16
}

/// The few Python literals that occur in an NPY header.
private struct PythonLiteral {
    private let text: [UInt8]
    private let base: Int
    private var offset = 0

    init(_ text: [UInt8], base: Int) {
        self.text = text
        self.base = base
    }

    mutating func arrayHeader() throws(ContainerError) -> (SampleType, ByteOrder, Bool, [Int]) {
        var type: (SampleType, ByteOrder)?
        var isFortran: Bool?
        var shape: [Int]?
        try expect("{")
        while !take("}") {
            let key = try string()
            try expect(":")
            switch key {
            case "descr": type = try sampleType()
            case "fortran_order": isFortran = try truth()
            case "shape": shape = try tuple()
            default:
                throw malformed(
                    "NPY header has a key '\(key.prefix(100))', not descr, fortran_order or shape")
            }
            guard take(",") else {
                try expect("}")
                break
            }
        }
        guard let type, let isFortran, let shape else {
            throw malformed("NPY header lacks descr, fortran_order or shape")
        }
        return (type.0, type.1, isFortran, shape)
    }

    /// A type such as `<f4`: byte order, kind, bytes.
    private mutating func sampleType() throws(ContainerError) -> (SampleType, ByteOrder) {
        skipSpace()
        guard offset < text.count, text[offset] != UInt8(ascii: "[") else {
            throw unsupported("an array of records")
        }
        let descriptor = try string()
        let order: ByteOrder = descriptor.hasPrefix(">") ? .bigEndian : .littleEndian
        let parts = descriptor.drop { "<>|=".contains($0) }
        let type: SampleType? =
            switch (parts.first, Int(parts.dropFirst())) {
            case ("u", let bytes?): SampleType(integerOf: bytes &* 8, isSigned: false)
            case ("i", let bytes?): SampleType(integerOf: bytes &* 8, isSigned: true)
            case ("f", let bytes?): SampleType(floatOf: bytes &* 8)
            default: nil
            }
        guard let type else { throw unsupported("an array of the type '\(descriptor)'") }
        return (type, order)
    }

    private mutating func string() throws(ContainerError) -> String {
        skipSpace()
        guard offset < text.count, text[offset] == UInt8(ascii: "'") || text[offset] == UInt8(ascii: "\"")
        else {
            throw malformed("name in an NPY header has no opening quotation mark")
        }
        let mark = text[offset]
        guard let end = text[(offset + 1)...].firstIndex(of: mark) else {
            throw malformed("name in an NPY header has no closing quotation mark")
        }
        defer { offset = end + 1 }
        return String(decoding: text[offset + 1..<end], as: UTF8.self)
    }

    private mutating func truth() throws(ContainerError) -> Bool {
        if takeWord("True") { return true }
        if takeWord("False") { return false }
        throw malformed("fortran_order is neither True nor False")
    }

    private mutating func tuple() throws(ContainerError) -> [Int] {
        try expect("(")
        var values: [Int] = []
        while !take(")") {
            values.append(try number())
            guard values.count <= 32 else { throw malformed("array has more than 32 dimensions") }
            guard take(",") else {
                try expect(")")
                break
            }
        }
        return values
    }

    private mutating func number() throws(ContainerError) -> Int {
        skipSpace()
        let start = offset
        while offset < text.count, (0x30...0x39).contains(text[offset]) { offset += 1 }
        guard offset > start else {
            let found = String(decoding: text[start...].prefix(20), as: UTF8.self)
            throw malformed("shape in an NPY header has '\(found)' where a whole number is expected")
        }
        guard let value = Int(String(decoding: text[start..<offset], as: UTF8.self)) else {
            throw ContainerError(.arithmeticOverflow, at: base + start, in: StructurePath("NPY"))
        }
        // Python 2 wrote long numbers as 640L.
        _ = offset < text.count && text[offset] == UInt8(ascii: "L") ? takeWord("L") : false
        return value
    }

    private mutating func expect(_ character: Character) throws(ContainerError) {
        guard take(character) else { throw malformed("'\(character)' is missing in an NPY header") }
    }

    private mutating func take(_ character: Character) -> Bool {
        takeWord(String(character))
    }

    private mutating func takeWord(_ word: String) -> Bool {
        skipSpace()
        guard text[offset...].starts(with: word.utf8) else { return false }
        offset += word.utf8.count
        return true
    }

    private mutating func skipSpace() {
        while offset < text.count, isHeaderSpace(text[offset]) { offset += 1 }
    }

    private func malformed(_ rule: String) -> ContainerError {
        ContainerError(.malformed(rule: rule), at: base + offset, in: StructurePath("NPY"))
    }

    private func unsupported(_ feature: String) -> ContainerError {
        ContainerError(.unsupported(feature: feature), at: base + offset, in: StructurePath("NPY"))
    }
}
