internal import ByteParsing

/// The index of a multi-picture file (MPF, CIPA DC-007 §5).
struct MultiPictureIndex {
    /// One image of the file.
    struct Entry {
        /// Dependency flags, format and type (§5.2.3.3.1); Apple writes 0 for every auxiliary image.
        var attributes: Int
        /// The size that the index claims; the first image's is often stale.
        var size: Int
        /// The offset in the file.
        var offset: Int

        /// Whether it is a view of a stereo picture (type 0x020002, "multi-frame image, disparity").
        var isStereoView: Bool { attributes & 0xFF_FFFF == 0x02_0002 }

        /// Whether it is a smaller version of the photo (types 0x010001 and 0x010002, "large thumbnail").
        var isLargeThumbnail: Bool { attributes & 0xFF_0000 == 0x01_0000 }
    }

    /// The images, the photo itself first.
    var entries: [Entry]
    /// The number of this image among the views, from the left (`MPIndividualNum`).
    var viewNumber: Int?
    /// The distance between two neighboring views, in meters (`BaselineLength`).
    var baseline: Double?

    /// Reads an MPF block that starts with its TIFF header at `base`; offsets in it are relative to that.
    init(parsing bytes: [UInt8], at base: Int, limits: DecodingLimits) throws(ContainerError) {
        var block = ByteCursor(bytes.span, base: base, path: StructurePath("MPF"))
        let first = try block.readTIFFHeader()
        let directory = try TIFFDirectory(parsing: &block, at: first, limits: limits)
        entries = []
        // The second directory holds the attributes of this image (§5.2.4); in an image behind the photo it is the only one.
        let attributes =
            directory.next == 0
            ? directory : try TIFFDirectory(parsing: &block, at: directory.next, limits: limits)
        viewNumber = try attributes.integer(.mpIndividualNumber, in: &block)
        baseline = try Self.baseline(attributes, in: &block)
        guard let list = directory.entry(.mpEntry) else { return }
        try limits.check(.images, list.count / 16, at: block.offset, in: block.path)
        try block.seek(to: list.valueOffset)
        for index in 0..<list.count / 16 {
            let attributes = try block.readUInt32()
            let size = try block.readUInt32()
            let offset = try block.readUInt32()
            try block.skip(4)
            entries.append(Entry(attributes: attributes, size: size, offset: index == 0 ? 0 : base + offset))
        }
    }

    /// All bits set mean unknown (§5.2.4.8).
    private static func baseline(
        _ directory: TIFFDirectory, in block: inout ByteCursor
    ) throws(ContainerError) -> Double? {
        guard let entry = directory.entry(.baselineLength), entry.count > 0 else { return nil }
        try block.seek(to: entry.valueOffset)
        let (numerator, denominator) = (try block.readUInt32(), try block.readUInt32())
        guard numerator > 0, numerator < 0xFFFF_FFFF, denominator > 0 else { return nil }
        return Double(numerator) / Double(denominator)
    }
}
