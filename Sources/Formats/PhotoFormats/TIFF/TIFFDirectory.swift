internal import Bytes

/// One image file directory (TIFF 6.0 §2), checked against the end of its block. Exif, MPF and DNG consist of these.
struct TIFFDirectory: Sendable {
    /// A field of a directory: the location of its values, not the values.
    struct Entry: Sendable {
        var tag: Int
        var type: Int
        /// The number of values.
        var count: Int
        /// The offset of the values, relative to the TIFF header.
        var valueOffset: Int
    }

    var entries: [Entry]
    /// The offset of the next directory; 0 for the last one.
    var next: Int

    /// Reads the directory at `offset` of a block that starts with a TIFF header.
    init(parsing block: inout ByteCursor, at offset: Int, limits: DecodingLimits) throws(ContainerError) {
        try block.seek(to: offset)
        let count = try block.readUInt16()
        try limits.check(.directoryEntries, count, at: block.offset, in: block.path)
        try self.init(parsingEntries: &block, count: count, start: 0)
    }

    /// Reads the entries, and the link to the next directory after them. `start` is the offset of the cursor's first byte,
    /// relative to the TIFF header.
    init(parsingEntries block: inout ByteCursor, count: Int, start: Int) throws(ContainerError) {
        entries = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let (tag, type) = (try block.readUInt16(), try block.readUInt16())
            let valueCount = try block.readUInt32()
            let isInline = valueCount * Self.byteCount(ofType: type) <= 4
            let place = start + block.position
            let pointer = try block.readUInt32()
            entries.append(
                Entry(tag: tag, type: type, count: valueCount, valueOffset: isInline ? place : pointer))
        }
        // Some writers omit the link to the next directory.
        next = block.remaining >= 4 ? try block.readUInt32() : 0
    }

    /// The first field with a tag; `nil` if missing.
    func entry(_ tag: TIFFTag) -> Entry? { entries.first { $0.tag == tag.rawValue } }

    /// The first value of an integer field; `nil` for another type.
    func integer(_ tag: TIFFTag, in block: inout ByteCursor) throws(ContainerError) -> Int? {
        guard let entry = entry(tag), entry.count > 0 else { return nil }
        try block.seek(to: entry.valueOffset)
        return try entry.readInteger(&block)
    }

    /// The values of a field of type SHORT, at most 16; empty for another type.
    func shorts(_ tag: TIFFTag, in block: inout ByteCursor) throws(ContainerError) -> [Int] {
        guard let entry = entry(tag), entry.type == 3, 1...16 ~= entry.count else { return [] }
        try block.seek(to: entry.valueOffset)
        var values: [Int] = []
        for _ in 0..<entry.count { values.append(try block.readUInt16()) }
        return values
    }

    /// The first value of a field of type RATIONAL; `nil` for another type, and infinity if the denominator is 0.
    func rational(_ tag: TIFFTag, in block: inout ByteCursor) throws(ContainerError) -> Double? {
        guard let entry = entry(tag), entry.type == 5, entry.count > 0 else { return nil }
        try block.seek(to: entry.valueOffset)
        return try entry.readRational(&block)
    }

    /// The text of an ASCII field, without trailing NUL and spaces.
    func text(_ tag: TIFFTag, in block: inout ByteCursor) throws(ContainerError) -> String? {
        guard let entry = entry(tag), entry.type == 2 else { return nil }
        try block.seek(to: entry.valueOffset)
        var value = try block.child(byteCount: entry.count)
        return try entry.readText(&value)
    }

    /// All fields with their values. Throws if the type of a field is unknown, or its values extend past the block.
    func fields(in block: inout ByteCursor, limits: DecodingLimits) throws(ContainerError) -> [TIFFField] {
        var (fields, size): ([TIFFField], Int) = ([], 0)
        for entry in entries {
            guard 1...13 ~= entry.type else {
                throw block.malformed("field \(entry.tag) has type \(entry.type), not 1 to 13")
            }
            try block.seek(to: entry.valueOffset)
            size += entry.byteCount
            // The values of several fields may overlap.
            try limits.check(.metadataBytes, size, at: block.offset, in: block.path)
            fields.append(
                TIFFField(
                    tag: entry.tag, type: entry.type, count: entry.count,
                    bytes: try block.readBytes(entry.byteCount)))
        }
        return fields
    }

    /// The size of one value of a type in bytes (TIFF 6.0 §2); 1 for an unknown type.
    static func byteCount(ofType type: Int) -> Int {
        switch type {
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12: 8
        default: 1
        }
    }
}

extension TIFFDirectory.Entry {
    /// The size of all values in bytes.
    var byteCount: Int { count * TIFFDirectory.byteCount(ofType: type) }

    /// Whether values are of type BYTE, SHORT, LONG, UNDEFINED or IFD.
    var isInteger: Bool { [1, 3, 4, 7, 13].contains(type) }

    /// Reads an integer at a cursor; `nil` for fields of another type.
    func readInteger(_ values: inout ByteCursor) throws(ContainerError) -> Int? {
        guard isInteger else { return nil }
        return try values.readUnsigned(byteCount: TIFFDirectory.byteCount(ofType: type))
    }

    /// Reads a RATIONAL at a cursor: infinite for x/0, `nan` for 0/0.
    func readRational(_ values: inout ByteCursor) throws(ContainerError) -> Double {
        Double(try values.readUInt32()) / Double(try values.readUInt32())
    }

    /// Reads the text at a cursor, without trailing NUL and spaces.
    func readText(_ values: inout ByteCursor) throws(ContainerError) -> String {
        var text = try values.readString()
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension ByteCursor {
    /// Reads a TIFF header, sets the byte order, and returns the offset of the first directory.
    @_lifetime(self: copy self)
    mutating func readTIFFHeader() throws(ContainerError) -> Int {
        let order = try readUInt16()
        switch order {
        case 0x4D4D: byteOrder = .bigEndian
        case 0x4949: byteOrder = .littleEndian
        default:
            throw malformed(
                "TIFF header starts with \(String(order, radix: 16)), not 4949 ('II') or 4d4d ('MM')")
        }
        let number = try readUInt16()
        guard number == 42 else { throw malformed("TIFF header has the number \(number), not 42") }
        return try readUInt32()
    }
}
