package import Bytes

/// The members of a ZIP archive (APPNOTE 6.3), in the forms that NumPy writes: stored or deflated, ZIP64 if needed.
package struct ZIPDirectory: Sendable {
    /// A member of the archive.
    package struct Entry: Hashable, Sendable {
        /// The name. Text for a reader, never part of a file name.
        package var name: String
        /// The range of the packed bytes.
        package var range: Range<Int>
        /// Whether they are deflated; otherwise they are stored unchanged.
        package var isDeflated: Bool
        /// The number of bytes unpacked.
        package var byteCount: Int
        /// The CRC-32 of the unpacked bytes.
        package var checksum: UInt32

        /// The name without `.npy`, which is NumPy's name of the array.
        package var arrayName: String { name.hasSuffix(".npy") ? String(name.dropLast(4)) : name }
    }

    /// The members, in the order of the directory.
    package var entries: [Entry] = []

    /// Reads the directory at the end of an archive; `limit` bounds the number of members.
    package init(
        parsing source: any ByteSource, limits: DecodingLimits,
        countedBy limit: DecodingLimits.Name = .items
    ) throws(ContainerError) {
        let end = try EndOfDirectory(source)
        try limits.check(limit, end.count, at: end.offset, in: Self.path)
        try limits.check(.metadataBytes, end.byteCount, at: end.offset, in: Self.path)
        guard end.offset <= source.byteCount, end.byteCount <= source.byteCount - end.offset else {
            throw ContainerError(
                .truncated(needed: end.byteCount, available: max(0, source.byteCount - end.offset)),
                at: end.offset, in: Self.path)
        }
        let range = end.offset..<end.offset + end.byteCount
        let bytes = try source.read(range)
        var cursor = ByteCursor(bytes.span, base: end.offset, path: Self.path)
        cursor.byteOrder = .littleEndian
        for _ in 0..<end.count { entries.append(try Self.entry(parsing: &cursor, source)) }
        try checkOverlaps()
    }

    /// Throws if members overlap: a small archive could be unpacked to any size.
    private func checkOverlaps() throws(ContainerError) {
        let sorted = entries.sorted { $0.range.lowerBound < $1.range.lowerBound }
        for (first, second) in zip(sorted, sorted.dropFirst())
        where first.range.upperBound > second.range.lowerBound {
            throw ContainerError(
                .malformed(
                    rule: "members of a ZIP archive overlap: one ends at byte \(first.range.upperBound), "
                        + "the next begins at byte \(second.range.lowerBound)"),
                at: second.range.lowerBound, in: Self.path)
        }
    }

    static let path = StructurePath("ZIP")

    private static func entry(
        parsing cursor: inout ByteCursor, _ source: any ByteSource
    ) throws(ContainerError) -> Entry {
        guard try cursor.readUInt32() == 0x0201_4B50 else {
            throw cursor.malformed("entry of a ZIP directory does not start with PK\\1\\2")
        }
        try cursor.skip(4)
        let (flags, method) = (try cursor.readUInt16(), try cursor.readUInt16())
        try cursor.skip(4)
        let checksum: UInt32 = try cursor.read()
        var (packed, unpacked) = (try cursor.readUInt32(), try cursor.readUInt32())
        let (nameLength, extraLength) = (try cursor.readUInt16(), try cursor.readUInt16())
        let commentLength = try cursor.readUInt16()
        try cursor.skip(8)
        var offset = try cursor.readUInt32()
        let name = String(decoding: try cursor.readBytes(nameLength), as: UTF8.self)
        guard flags & 1 == 0 else { throw cursor.failure(.unsupported(feature: "an encrypted ZIP member")) }
        guard method == 0 || method == 8 else {
            throw cursor.failure(.unsupported(feature: "ZIP compression method \(method)"))
        }
        // ZIP64 (§4.5.3): values of fields that are all ones follow in an extra field, in this order.
        var extra = try cursor.child(byteCount: extraLength)
        while extra.remaining >= 4 {
            let (kind, length) = (try extra.readUInt16(), try extra.readUInt16())
            var field = try extra.child(byteCount: length)
            guard kind == 1 else { continue }
            if unpacked == 0xFFFF_FFFF { unpacked = try field.readUnsigned(byteCount: 8) }
            if packed == 0xFFFF_FFFF { packed = try field.readUnsigned(byteCount: 8) }
            if offset == 0xFFFF_FFFF { offset = try field.readUnsigned(byteCount: 8) }
        }
        try cursor.skip(commentLength)
        let start = try dataStart(ofMemberAt: offset, source)
        guard packed <= source.byteCount - start else {
            throw ContainerError(
                .truncated(needed: packed, available: source.byteCount - start), at: start, in: path)
        }
        guard method == 8 || packed == unpacked else {
            throw cursor.malformed("stored ZIP member has \(packed) bytes packed and \(unpacked) unpacked")
        }
        return Entry(
            name: name, range: start..<start + packed, isDeflated: method == 8, byteCount: unpacked,
            checksum: checksum)
    }

    /// The offset of the data after a member's local header, whose name and extra field can have different lengths than
    /// in the directory.
    private static func dataStart(
        ofMemberAt offset: Int, _ source: any ByteSource
    ) throws(ContainerError) -> Int {
        guard offset <= source.byteCount - 30 else {
            throw ContainerError(
                .truncated(needed: 30, available: max(0, source.byteCount - offset)), at: offset, in: path)
        }
        let header = try source.read(offset..<offset + 30)
        var cursor = ByteCursor(header.span, base: offset, path: path)
        cursor.byteOrder = .littleEndian
        guard try cursor.readUInt32() == 0x0403_4B50 else {
            throw ContainerError(
                .malformed(rule: "ZIP member does not start with PK\\3\\4"), at: offset, in: path)
        }
        try cursor.seek(to: 26)
        let start = offset + 30 + (try cursor.readUInt16()) + (try cursor.readUInt16())
        guard start <= source.byteCount else {
            throw ContainerError(
                .truncated(needed: start - offset, available: source.byteCount - offset), at: offset, in: path
            )
        }
        return start
    }
}

/// The record at the end of a ZIP archive, which gives the offset of its directory.
private struct EndOfDirectory {
    var count: Int
    var byteCount: Int
    var offset: Int

    init(_ source: any ByteSource) throws(ContainerError) {
        // The record is 22 bytes and a comment of up to 65,535.
        let start = max(0, source.byteCount - 65557)
        let tail = try source.readPrefix(at: start, count: 65557)
        guard let place = Self.lastRecord(in: tail) else {
            throw ContainerError(
                .malformed(rule: "ZIP archive has no directory at its end; it may be cut off"),
                at: source.byteCount, in: ZIPDirectory.path)
        }
        var cursor = ByteCursor(tail.span, base: start, path: ZIPDirectory.path)
        cursor.byteOrder = .littleEndian
        try cursor.seek(to: place + 10)
        count = try cursor.readUInt16()
        byteCount = try cursor.readUInt32()
        offset = try cursor.readUInt32()
        guard count == 0xFFFF || byteCount == 0xFFFF_FFFF || offset == 0xFFFF_FFFF else { return }
        guard place >= 20, tail[place - 20..<place].starts(with: [0x50, 0x4B, 6, 7]) else { return }
        try cursor.seek(to: place - 12)
        try readZIP64(source, at: cursor.readUnsigned(byteCount: 8))
    }

    private mutating func readZIP64(_ source: any ByteSource, at place: Int) throws(ContainerError) {
        guard place <= source.byteCount - 56 else {
            throw ContainerError(
                .truncated(needed: 56, available: max(0, source.byteCount - place)), at: place,
                in: ZIPDirectory.path)
        }
        let record = try source.read(place..<place + 56)
        var cursor = ByteCursor(record.span, base: place, path: ZIPDirectory.path)
        cursor.byteOrder = .littleEndian
        guard try cursor.readUInt32() == 0x0606_4B50 else {
            throw cursor.malformed("ZIP64 directory record does not start with PK\\6\\6")
        }
        try cursor.seek(to: 32)
        count = try cursor.readUnsigned(byteCount: 8)
        byteCount = try cursor.readUnsigned(byteCount: 8)
        offset = try cursor.readUnsigned(byteCount: 8)
    }

    private static func lastRecord(in tail: [UInt8]) -> Int? {
        guard tail.count >= 22 else { return nil }
        return (0...tail.count - 22).reversed().first { tail[$0..<$0 + 4].elementsEqual([0x50, 0x4B, 5, 6]) }
    }
}
