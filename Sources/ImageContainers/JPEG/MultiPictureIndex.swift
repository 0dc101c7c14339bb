internal import ByteParsing

/// The index of a multi-picture file (MPF, CIPA DC-007 §5).
struct MultiPictureIndex {
    /// One image of the file.
    struct Entry {
        /// Dependency flags, format and type (§5.2.3.3.1); Apple writes 0 for every auxiliary image.
        var attributes: Int
        /// The size that the index claims; the first image's is often stale.
        var size: Int
        /// The place in the file.
        var offset: Int
    }

    /// The images, the photo itself first.
    var entries: [Entry]

    /// Reads an MPF block that starts with its TIFF header at `base`; offsets in it count from there.
    init(parsing bytes: [UInt8], at base: Int, limits: DecodingLimits) throws(ContainerError) {
        var block = ByteCursor(bytes.span, base: base, path: StructurePath("MPF"))
        let first = try block.readTIFFHeader()
        let directory = try TIFFDirectory(parsing: &block, at: first, limits: limits)
        entries = []
        guard let list = directory.entry(0xB002) else { return }
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
}
