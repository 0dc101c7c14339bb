/// The MPF segment's contents: the images of the file, in order (CIPA DC-007 §5.2).
struct MultiPictureIndexBuilder: Hashable, Sendable {
    /// One image (CIPA DC-007 §5.2.3.3, MPEntry).
    struct Entry: Hashable, Sendable {
        var attributes: UInt32
        var size: UInt32
        /// Relative to this segment's TIFF header; 0 for the first image.
        var offset: UInt32

        /// Baseline MP primary image, neither parent nor child, JPEG.
        static let primaryAttributes: UInt32 = 0x03_0000
        /// Undefined type: Apple gives it to every auxiliary image; only the XMP declares the kind of the image.
        static let auxiliaryAttributes: UInt32 = 0
    }

    /// All images of the file, or empty for the short form inside an auxiliary image.
    var entries: [Entry]
    var imageCount: Int

    /// `MPFVersion`, `NumberOfImages`, and `MPEntry` if there are entries, as a TIFF stream.
    func serialized() throws(ContainerWritingError) -> [UInt8] {
        var directory = TIFFDirectoryBuilder()
        directory[0xB000] = .undefined(Array("0100".utf8))
        directory[0xB001] = .long(try narrow(imageCount, field: "MPF NumberOfImages"))
        if !entries.isEmpty {
            directory[0xB002] = .undefined(entryBytes)
        }
        return try directory.serialized()
    }

    private var entryBytes: [UInt8] {
        // The last number: no dependent images.
        entries.flatMap { [$0.attributes, $0.size, $0.offset, 0].bytes }
    }
}
