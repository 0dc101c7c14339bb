public import ByteParsing

/// An Exif block of a photo made fit for a picture of the photo's upright pixels: byte for byte as it was, so that offsets
/// stay right, those inside of a maker note too.
///
/// Orientation becomes 1, the sizes of the image those given; the thumbnail, which shows the photo as it was, is unlinked
/// and its bytes zeroed. Throws when directories are broken.
public func carriedExif(
    _ block: [UInt8], width: Int, height: Int, limits: DecodingLimits, at offset: Int = 0
) throws(ContainerError) -> [UInt8] {
    guard !block.isEmpty else { return [] }
    var editor = try ExifEditor(block, limits: limits, at: offset)
    try editor.makeUpright(width: width, height: height)
    try editor.dropThumbnail()
    return editor.bytes
}

/// Changes single values of an Exif block (Exif 2.32, CIPA DC-008) in their places.
private struct ExifEditor {
    private(set) var bytes: [UInt8]
    private let limits: DecodingLimits
    private let offset: Int
    private let byteOrder: ByteOrder
    private let first: (place: Int, directory: TIFFDirectory)
    private let details: (place: Int, directory: TIFFDirectory)?

    init(_ bytes: [UInt8], limits: DecodingLimits, at offset: Int) throws(ContainerError) {
        self.bytes = bytes
        self.limits = limits
        self.offset = offset
        var cursor = ByteCursor(bytes.span, base: offset, path: StructurePath("Exif"))
        let place = try cursor.readTIFFHeader()
        byteOrder = cursor.byteOrder
        let directory = try TIFFDirectory(parsing: &cursor, at: place, limits: limits)
        first = (place, directory)
        if let place = try directory.integer(0x8769, in: &cursor) {
            details = (place, try TIFFDirectory(parsing: &cursor, at: place, limits: limits))
        } else {
            details = nil
        }
    }

    mutating func makeUpright(width: Int, height: Int) throws(ContainerError) {
        try set(0x0112, in: first.directory, to: 1)
        try set(0x0100, in: first.directory, to: width)
        try set(0x0101, in: first.directory, to: height)
        guard let details else { return }
        try set(0xA002, in: details.directory, to: width)
        try set(0xA003, in: details.directory, to: height)
    }

    /// Sets the first value of a SHORT or LONG field that is there; one that does not fit stays.
    private mutating func set(_ tag: Int, in directory: TIFFDirectory, to value: Int) throws(ContainerError) {
        guard let entry = directory.entry(tag), entry.count > 0, entry.type == 3 || entry.type == 4 else {
            return
        }
        let count = entry.type == 3 ? 2 : 4
        guard value < 1 << (8 * count) else { return }
        guard entry.valueOffset <= bytes.count - count else {
            throw malformed("field \(tag) has its value behind the end", at: bytes.count)
        }
        for index in 0..<count {
            let shift = byteOrder == .bigEndian ? 8 * (count - 1 - index) : 8 * index
            bytes[entry.valueOffset + index] = UInt8(truncatingIfNeeded: value >> shift)
        }
    }

    /// Takes away the link from the first directory to the second, which describes the thumbnail (Exif 2.32 §4.5.2).
    mutating func dropThumbnail() throws(ContainerError) {
        guard first.directory.next != 0 else { return }
        let link = first.place + 2 + 12 * first.directory.entries.count
        for index in link..<min(link + 4, bytes.count) { bytes[index] = 0 }
        var cursor = ByteCursor(bytes.span, base: offset, path: StructurePath("Exif"))
        cursor.byteOrder = byteOrder
        guard let second = try? TIFFDirectory(parsing: &cursor, at: first.directory.next, limits: limits)
        else {
            return  // Nothing leads to it any more.
        }
        let fields = [(0x0201, 0x0202), (0x0111, 0x0117)].compactMap { fields in
            if let start = (try? second.integer(fields.0, in: &cursor)) ?? nil,
                let count = (try? second.integer(fields.1, in: &cursor)) ?? nil
            {
                return (start, count)
            }
            return nil
        }
        for (start, count) in fields { try zero(start, count) }
    }

    private mutating func zero(_ start: Int, _ count: Int) throws(ContainerError) {
        guard start <= bytes.count else { return }
        let range = start..<start + min(count, bytes.count - start)
        for (place, directory) in [first, details].compactMap(\.self) {
            let taken = place..<place + 2 + 12 * directory.entries.count
            guard !range.overlaps(taken), range.lowerBound >= 8 || range.isEmpty else {
                throw malformed("the thumbnail lies where directories are", at: start)
            }
        }
        for index in range { bytes[index] = 0 }
    }

    private func malformed(_ rule: String, at place: Int) -> ContainerError {
        ContainerError(.malformed(rule: rule), at: offset + place, in: StructurePath("Exif"))
    }
}
