package import Bytes

/// A picture of one channel in strips or tiles, as in TIFF and DNG.
package struct SegmentedImage: Hashable, Sendable {
    /// The coding of each segment.
    package enum Compression: Hashable, Sendable {
        /// Uncompressed rows.
        case none
        /// zlib (RFC 1950).
        case deflate
        /// A JPEG stream, lossless or not.
        case jpeg
    }

    /// The width of the picture, in pixels.
    package var width: Int
    /// The height of the picture, in pixels.
    package var height: Int
    /// The width of a segment.
    package var segmentWidth: Int
    /// The height of a segment; the last strip may have fewer rows.
    package var segmentHeight: Int
    /// Whether segments are tiles, which are complete even beyond the right and lower edge.
    package var isTiled: Bool
    /// Bits of a sample: 8 or 16.
    package var bitDepth: Int
    /// The coding of segments.
    package var compression: Compression
    /// Whether samples are stored as differences to the previous one (TIFF 6.0 §14).
    package var isPredicted: Bool
    /// The byte order of samples of 16 bits.
    package var byteOrder: ByteOrder
    /// The segments' bytes in the file, row by row.
    package var segments: [Range<Int>]
}

extension SegmentedImage {
    /// Reads the fields of a directory; the caller checks segments against the end of the file.
    init(_ directory: TIFFFile.Directory, of file: TIFFFile) throws(ContainerError) {
        let path = StructurePath("TIFF")
        let place = directory.offset
        func unsupported(_ feature: String) -> ContainerError {
            ContainerError(.unsupported(feature: feature), at: place, in: path)
        }
        width = try directory.integer(.imageWidth) ?? 0
        height = try directory.integer(.imageLength) ?? 0
        _ = try file.limits.pixelCount(width: width, height: height, at: place, in: path)
        bitDepth = try directory.integer(.bitsPerSample) ?? 1
        byteOrder = file.byteOrder
        guard try directory.integer(.samplesPerPixel) ?? 1 == 1 else {
            throw unsupported("a plane of several channels")
        }
        guard bitDepth == 8 || bitDepth == 16, try directory.integer(.sampleFormat) ?? 1 == 1 else {
            throw unsupported("a plane whose samples are not integers of 8 or 16 bits")
        }
        switch try directory.integer(.compression) ?? 1 {
        case 1: compression = .none
        case 8, 32946: compression = .deflate
        case 7, 34892: compression = .jpeg
        case let other: throw unsupported("TIFF compression \(other)")
        }
        guard !directory.has(.jpegTables) else { throw unsupported("JPEG with tables outside its stream") }
        let predictor = try directory.integer(.predictor) ?? 1
        guard predictor == 1 || predictor == 2 && compression != .jpeg else {
            throw unsupported("TIFF predictor \(predictor)")
        }
        isPredicted = predictor == 2
        isTiled = directory.has(.tileWidth)
        segmentWidth = isTiled ? try directory.integer(.tileWidth) ?? 0 : width
        segmentHeight =
            isTiled ? try directory.integer(.tileLength) ?? 0 : try directory.integer(.rowsPerStrip) ?? height
        if !isTiled { segmentHeight = min(segmentHeight, height) }
        _ = try file.limits.pixelCount(width: segmentWidth, height: segmentHeight, at: place, in: path)
        let columns = (width + segmentWidth - 1) / segmentWidth
        let rows = (height + segmentHeight - 1) / segmentHeight
        try file.limits.check(.tiles, max(columns, rows), at: place, in: path)
        try file.limits.check(.tiles, columns * rows, at: place, in: path)
        // The tiles of small pictures are larger than the pictures, but not thousands of times.
        guard columns * segmentWidth * (rows * segmentHeight) <= max(4 * width * height, 1 << 24) else {
            throw ContainerError(
                .malformed(
                    rule:
                        "tiles of \(segmentWidth) × \(segmentHeight) are too large for a picture of \(width) × \(height)"
                ),
                at: place, in: path)
        }
        segments = try directory.segments()
        guard segments.count == columns * rows else {
            throw ContainerError(
                .malformed(
                    rule: "image needs \(columns * rows) strips or tiles, \(segments.count) are listed"),
                at: place, in: path)
        }
    }
}

extension TIFFFile.Directory {
    /// The ranges of the strips or tiles.
    func segments() throws(ContainerError) -> [Range<Int>] {
        let isTiled = has(.tileOffsets)
        let offsets = try integers(isTiled ? .tileOffsets : .stripOffsets, limit: .tiles)
        let counts = try integers(isTiled ? .tileByteCounts : .stripByteCounts, limit: .tiles)
        guard offsets.count == counts.count else {
            throw ContainerError(
                .malformed(rule: "strips or tiles have \(offsets.count) offsets and \(counts.count) lengths"),
                at: offset,
                in: StructurePath("TIFF"))
        }
        // Both are numbers of at most 32 bits: their sum is in range.
        return zip(offsets, counts).map { $0..<$0 + $1 }
    }
}
