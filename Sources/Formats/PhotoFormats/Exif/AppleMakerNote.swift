package import Bytes

/// The two numbers of Apple's maker note that belong to a gain map, and their removal from an Exif block.
///
/// The note starts with `Apple iOS\0`, a version and a byte order; its directory follows at byte 14, and offsets are relative to
/// the start of the note (exiftool, Apple.pm).
struct AppleMakerNote {
    /// The offset of the note in the Exif block.
    private let start: Int
    private let bytes: [UInt8]
    private let directory: TIFFDirectory

    private static let signature = Array("Apple iOS\0".utf8)
    private static let directoryStart = 14
    private static let (headroom, gain) = (0x21, 0x30)

    /// Finds the note in an Exif block, which starts with its TIFF header; `nil` without one.
    ///
    /// Throws if a directory is broken.
    init?(inExif block: [UInt8], limits: DecodingLimits) throws(ContainerError) {
        var cursor = ByteCursor(block.span, path: StructurePath("Exif"))
        let first = try TIFFDirectory(parsing: &cursor, at: try cursor.readTIFFHeader(), limits: limits)
        guard let place = try first.integer(.exifDirectory, in: &cursor) else { return nil }
        let details = try TIFFDirectory(parsing: &cursor, at: place, limits: limits)
        guard let entry = details.entry(.makerNote), entry.type == 7 else { return nil }
        try cursor.seek(to: entry.valueOffset)
        let bytes = try cursor.readBytes(entry.count)
        guard bytes.starts(with: Self.signature), bytes.count > Self.directoryStart else { return nil }
        var note = ByteCursor(bytes.span, path: StructurePath("Exif").appending("MakerNote"))
        try note.seek(to: Self.directoryStart - 2)
        note.byteOrder = try note.readUInt16() == 0x4949 ? .littleEndian : .bigEndian
        directory = try TIFFDirectory(parsing: &note, at: Self.directoryStart, limits: limits)
        (self.start, self.bytes) = (entry.valueOffset, bytes)
    }

    /// The headroom of the HDR rendition as a power of 2, 0…3; `nil` if the note does not have it.
    ///
    /// From tags 33 and 48, by the formula of Apple's "Applying Apple HDR effect to your photos". Early notes omit 48, which is
    /// then 0.
    func stops() throws(ContainerError) -> Double? {
        guard let first = try number(Self.headroom) else { return nil }
        let second = try number(Self.gain) ?? 0
        let stops: Double =
            switch (first < 1, second <= 0.01) {
            case (true, true): -20 * second + 1.8
            case (true, false): -0.101 * second + 1.601
            case (false, true): -70 * second + 3
            case (false, false): -0.303 * second + 2.303
            }
        return max(0, min(stops, 3))
    }

    /// The value of a signed rational; `nil` if it is missing or not a number.
    private func number(_ tag: Int) throws(ContainerError) -> Double? {
        guard let entry = directory.entries.first(where: { $0.tag == tag }), entry.type == 10,
            entry.count == 1
        else { return nil }
        var cursor = ByteCursor(bytes.span, path: StructurePath("Exif").appending("MakerNote"))
        cursor.byteOrder = bytes[Self.directoryStart - 2] == 0x49 ? .littleEndian : .bigEndian
        try cursor.seek(to: entry.valueOffset)
        let numerator = Int32(truncatingIfNeeded: try cursor.readUInt32())
        let denominator = Int32(truncatingIfNeeded: try cursor.readUInt32())
        let value = Double(numerator) / Double(denominator)
        return value.isFinite ? value : nil
    }

    /// An Exif block without both numbers: their entries are removed from the directory, and all other bytes stay where they
    /// are.
    func removingHDR(from block: [UInt8]) -> [UInt8] {
        let tags = Set([Self.headroom, Self.gain])
        let kept = directory.entries.indices.filter { !tags.contains(directory.entries[$0].tag) }
        let (entries, end) = (start + Self.directoryStart + 2, directory.entries.count * 12 + 4)
        guard kept.count < directory.entries.count, entries + end <= block.count else { return block }
        var table = kept.flatMap { block[entries + $0 * 12..<entries + ($0 + 1) * 12] }
        table += block[entries + end - 4..<entries + end]
        table += [UInt8](repeating: 0, count: end - table.count)
        let order: ByteOrder = bytes[Self.directoryStart - 2] == 0x49 ? .littleEndian : .bigEndian
        var result = block
        result.replaceSubrange(entries - 2..<entries, with: order.bytes(of: kept.count, count: 2))
        result.replaceSubrange(entries..<entries + end, with: table)
        return result
    }
}

/// A copy of an Exif block without the numbers of Apple's maker note that belong to a gain map (`HDRHeadroom`, `HDRGain`), for
/// a picture without one. A block without them, or with a broken directory, is returned unchanged.
package func exifWithoutHDR(_ block: [UInt8], limits: DecodingLimits = DecodingLimits()) -> [UInt8] {
    guard !block.isEmpty, let note = try? AppleMakerNote(inExif: block, limits: limits) else { return block }
    return note.removingHDR(from: block)
}
