internal import Bytes

/// The layout of an uncompressed image with one channel of whole bytes (`uncC`, ISO/IEC 23001-17 §5.2.1), in one tile
/// whose rows follow one another.
struct UncompressedSamples {
    /// Bits of a sample: 8 or 16.
    var bitDepth: Int
    /// The byte order of samples of 16 bits.
    var byteOrder: ByteOrder

    /// Reads the property; `nil` for any other layout.
    init?(parsing box: inout ByteCursor) throws(ContainerError) {
        guard try box.readFullBoxHeader().version == 0 else { return nil }
        try box.skip(4)  // the profile, which only names a layout
        guard try box.readUInt32() == 1 else { return nil }
        try box.skip(2)
        bitDepth = Int(try box.readByte()) + 1
        // The format of samples (0: unsigned integers), how each is aligned, and how channels are sampled.
        for _ in 0..<3 { guard try box.readByte() == 0 else { return nil } }
        try box.skip(1)  // how channels are interleaved
        guard try box.readByte() == 0 else { return nil }  // the size of blocks of samples
        byteOrder = try box.readByte() & 0x80 == 0 ? .bigEndian : .littleEndian
        let pixelSize = try box.readUInt32()
        // How rows and tiles are aligned, and the numbers of columns and rows of tiles, minus one. Some writers end earlier.
        while box.remaining > 0 { guard try box.readUInt32() == 0 else { return nil } }
        guard bitDepth == 8 || bitDepth == 16, pixelSize == 0 || pixelSize == bitDepth / 8 else { return nil }
    }

    /// The image whose samples are these bytes.
    func image(width: Int, height: Int, at range: Range<Int>) -> SegmentedImage {
        SegmentedImage(
            width: width, height: height, segmentWidth: width, segmentHeight: height, isTiled: false,
            bitDepth: bitDepth, compression: .none, isPredicted: false, byteOrder: byteOrder,
            segments: [range])
    }
}
