/// The metadata of a picture file besides the color profile. Empty blocks are not written.
public struct PictureMetadata: Hashable, Sendable {
    /// The Exif block, starting with its TIFF header (CIPA DC-008), without the `Exif` identifier of JPEG.
    public var exif: [UInt8]
    /// The serialized XMP packet (ISO 16684-1), UTF-8.
    public var xmp: [UInt8]

    /// Metadata with these blocks, both empty by default.
    public init(exif: [UInt8] = [], xmp: [UInt8] = []) {
        self.exif = exif
        self.xmp = xmp
    }

    package enum Block: String, CaseIterable, Hashable, Sendable {
        /// The Exif block.
        case exif = "Exif"
        /// The XMP packet.
        case xmp = "XMP"
    }

    /// The blocks that do not fit a JPEG file: each must fit one segment with its identifier (65,502 bytes of XMP: XMP
    /// specification part 3, §1.1.3).
    package var blocksTooLargeForJPEG: [Block] {
        (exif.count > 65_527 ? [.exif] : []) + (xmp.count > 65_502 ? [.xmp] : [])
    }
}
