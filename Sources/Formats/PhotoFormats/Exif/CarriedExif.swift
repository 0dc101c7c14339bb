package import Bytes

/// A copy of a photo's Exif block for a picture of its upright pixels. All other bytes stay unchanged, so that offsets stay
/// valid, including those inside maker notes.
///
/// Orientation becomes 1, and the image size the given one. The thumbnail, which shows the photo as it was, is unlinked and
/// its bytes zeroed. Throws if directories are broken.
package func exifForUprightCopy(
    _ block: [UInt8], width: Int, height: Int, limits: DecodingLimits, at offset: Int = 0
) throws(ContainerError) -> [UInt8] {
    guard !block.isEmpty else { return [] }
    var editor = try ExifEditor(block, limits: limits, at: offset)
    try editor.dropThumbnail()
    try editor.makeUpright(width: width, height: height)
    return editor.bytes
}

/// A copy of a photo's Exif block for a picture of its stored pixels, in a file whose orientation only Exif gives.
///
/// Orientation and image size become the given ones; all other bytes stay unchanged, including the thumbnail. `nil` if the
/// block has no field for the orientation. Throws if directories are broken.
package func exifForStoredCopy(
    _ block: [UInt8], orientation: Int, width: Int, height: Int, limits: DecodingLimits, at offset: Int = 0
) throws(ContainerError) -> [UInt8]? {
    var editor = try ExifEditor(block, limits: limits, at: offset)
    guard editor.hasOrientation else { return nil }
    try editor.orient(orientation, width: width, height: height)
    return editor.bytes
}

/// Changes single values of an Exif block (Exif 2.32, CIPA DC-008) without moving others.
private struct ExifEditor {
    private(set) var bytes: [UInt8]
    private let limits: DecodingLimits
    private let offset: Int
    private let byteOrder: ByteOrder
    private let first: Directory
    private let details: Directory?

    init(_ bytes: [UInt8], limits: DecodingLimits, at offset: Int) throws(ContainerError) {
        (self.bytes, self.limits, self.offset) = (bytes, limits, offset)
        var cursor = ByteCursor(bytes.span, base: offset, path: StructurePath("Exif"))
        let place = try cursor.readTIFFHeader()
        byteOrder = cursor.byteOrder
        let directory = try TIFFDirectory(parsing: &cursor, at: place, limits: limits)
        first = (place, directory)
        if let place = try directory.integer(.exifDirectory, in: &cursor) {
            details = (place, try TIFFDirectory(parsing: &cursor, at: place, limits: limits))
        } else {
            details = nil
        }
        // The values that are changed below must not overlap the directories.
        guard !isTaken(place..<place + 2, by: [details]),
            details.map({ isTaken(extent(of: $0), by: [first]) }) != true
        else { throw malformed("directories overlap", at: place) }
    }

    private typealias Directory = (place: Int, directory: TIFFDirectory)

    /// The range of a directory, without the link to the next, which some writers omit.
    private func extent(of directory: Directory) -> Range<Int> {
        directory.place..<directory.place + 2 + 12 * directory.directory.entries.count
    }

    /// Whether a range overlaps the header or a directory.
    private func isTaken(_ range: Range<Int>, by directories: [Directory?]) -> Bool {
        !range.isEmpty
            && (range.lowerBound < 8
                || directories.compactMap(\.self).contains { extent(of: $0).overlaps(range) })
    }

    /// Whether there is a field for the orientation.
    var hasOrientation: Bool {
        first.directory.entry(.orientation).map { $0.count > 0 && $0.isInteger } ?? false
    }

    mutating func makeUpright(width: Int, height: Int) throws(ContainerError) {
        try orient(1, width: width, height: height)
    }

    mutating func orient(_ orientation: Int, width: Int, height: Int) throws(ContainerError) {
        try set(.imageWidth, in: first.directory, to: width)
        try set(.imageLength, in: first.directory, to: height)
        if let details {
            try set(.pixelXDimension, in: details.directory, to: width)
            try set(.pixelYDimension, in: details.directory, to: height)
        }
        // This comes last, because in a damaged block other fields may have the same value offset.
        try set(.orientation, in: first.directory, to: orientation)
    }

    /// Sets the first value of a field that ``TIFFDirectory/integer(_:in:)`` reads. If the new value does not fit, the field
    /// stays unchanged.
    private mutating func set(_ tag: TIFFTag, in directory: TIFFDirectory, to value: Int)
        throws(ContainerError)
    {
        guard let entry = directory.entry(tag), entry.count > 0, entry.isInteger else {
            return
        }
        let count = TIFFDirectory.byteCount(ofType: entry.type)
        guard value < 1 << (8 * count) else { return }
        guard entry.valueOffset <= bytes.count - count else {
            throw malformed("field \(tag.rawValue) has its value past the end", at: bytes.count)
        }
        let isInDirectory = entry.count * count <= 4
        guard isInDirectory || !isTaken(entry.valueOffset..<entry.valueOffset + count, by: [first, details])
        else {
            throw malformed(
                "field \(tag.rawValue) has its value inside a directory", at: entry.valueOffset)
        }
        bytes.replaceSubrange(
            entry.valueOffset..<entry.valueOffset + count, with: byteOrder.bytes(of: value, count: count))
    }

    /// Removes the link from the first directory to the second, which describes the thumbnail (Exif 2.32 §4.5.2).
    mutating func dropThumbnail() throws(ContainerError) {
        guard first.directory.next != 0 else { return }
        let link = first.place + 2 + 12 * first.directory.entries.count
        for index in link..<min(link + 4, bytes.count) { bytes[index] = 0 }
        var cursor = ByteCursor(bytes.span, base: offset, path: StructurePath("Exif"))
        cursor.byteOrder = byteOrder
        guard let second = try? TIFFDirectory(parsing: &cursor, at: first.directory.next, limits: limits)
        else {
            return  // It is no longer linked.
        }
        let pairs: [(start: TIFFTag, count: TIFFTag)] = [
            (.jpegInterchangeFormat, .jpegInterchangeFormatLength), (.stripOffsets, .stripByteCounts),
        ]
        let thumbnails = pairs.compactMap { pair -> (start: Int, count: Int)? in
            guard let start = (try? second.integer(pair.start, in: &cursor)) ?? nil,
                let count = (try? second.integer(pair.count, in: &cursor)) ?? nil
            else { return nil }
            return (start, count)
        }
        for (start, count) in thumbnails { try zero(start, count) }
    }

    private mutating func zero(_ start: Int, _ count: Int) throws(ContainerError) {
        guard start <= bytes.count else { return }
        let range = start..<start + min(count, bytes.count - start)
        guard !isTaken(range, by: [first, details]) else {
            throw malformed("the thumbnail overlaps directories", at: start)
        }
        for index in range { bytes[index] = 0 }
    }

    private func malformed(_ rule: String, at place: Int) -> ContainerError {
        ContainerError(.malformed(rule: rule), at: offset + place, in: StructurePath("Exif"))
    }
}
