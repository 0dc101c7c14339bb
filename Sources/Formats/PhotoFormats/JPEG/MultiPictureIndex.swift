package import Bytes

/// The index of a multi-picture file (MPF, CIPA DC-007 §5).
package struct MultiPictureIndex {
    /// One image of the file.
    package struct Entry: Hashable, Sendable {
        /// Dependency flags, format and type (§5.2.3.3.1); Apple writes 0 for every auxiliary image.
        package var attributes: Int
        /// The size in the index; the first image's is often outdated.
        package var size: Int
        /// The offset in the file.
        package var offset: Int
        /// The numbers of two dependent images, 16 bits each, starting at 1; 0 means no image (§5.2.3.3.4).
        package var dependents = 0

        /// An image without dependent images.
        package init(attributes: Int, size: Int, offset: Int) {
            (self.attributes, self.size, self.offset) = (attributes, size, offset)
        }

        /// Whether it is a view of a stereo picture (type 0x020002, "multi-frame image, disparity").
        var isStereoView: Bool { attributes & 0xFF_FFFF == 0x02_0002 }

        /// Whether it is a smaller version of the photo (types 0x010001 and 0x010002, "large thumbnail").
        var isLargeThumbnail: Bool { attributes & 0xFF_0000 == 0x01_0000 }
    }

    /// The images, the photo itself first; empty if the block lists no images.
    package var entries: [Entry] = []
    /// The number of this image among the views, from the left (`MPIndividualNum`).
    var viewNumber: Int?
    /// The distance between two neighboring views, in meters (`BaselineLength`).
    var baseline: Double?
    /// The order of the bytes of numbers.
    package let byteOrder: ByteOrder
    /// The directory of the images, and the directory of this image's attributes, if the block has one.
    private let directories: [TIFFDirectory]
    private let base: Int

    /// Reads an MPF block that starts with its TIFF header at `base`, which its offsets are relative to.
    ///
    /// Throws if directories or the list of images extend past the block, and beyond a limit.
    package init(parsing bytes: [UInt8], at base: Int, limits: DecodingLimits) throws(ContainerError) {
        var block = ByteCursor(bytes.span, base: base, path: StructurePath("MPF"))
        self.base = base
        let first = try block.readTIFFHeader()
        byteOrder = block.byteOrder
        let directory = try TIFFDirectory(parsing: &block, at: first, limits: limits)
        // The second directory holds the attributes of this image (§5.2.4); in an image after the photo it is the only one.
        var attributes = directory
        if directory.next != 0 {
            attributes = try TIFFDirectory(parsing: &block, at: directory.next, limits: limits)
        }
        directories = directory.next == 0 ? [directory] : [directory, attributes]
        viewNumber = try attributes.integer(.mpIndividualNumber, in: &block)
        baseline = try Self.baseline(attributes, in: &block)
        guard let list = directory.entry(.mpEntry) else { return }
        try limits.check(.images, list.count / 16, at: block.offset, in: block.path)
        try block.seek(to: list.valueOffset)
        for index in 0..<list.count / 16 {
            let attributes = try block.readUInt32()
            let size = try block.readUInt32()
            let offset = try block.readUInt32()
            var entry = Entry(attributes: attributes, size: size, offset: index == 0 ? 0 : base + offset)
            entry.dependents = try block.readUInt32()
            entries.append(entry)
        }
    }

    /// The fields of each directory of the block that was read, with their values.
    ///
    /// Throws if the type of a field is unknown, or its values extend past the block.
    package func fields(in bytes: [UInt8], limits: DecodingLimits) throws(ContainerError) -> [[TIFFField]] {
        var block = ByteCursor(bytes.span, base: base, path: StructurePath("MPF"))
        var fields: [[TIFFField]] = []
        for directory in directories { fields.append(try directory.fields(in: &block, limits: limits)) }
        return fields
    }

    /// All bits set means unknown (§5.2.4.8).
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
