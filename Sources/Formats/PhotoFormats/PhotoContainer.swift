package import Bytes
package import DepthTypes

/// A photo as its container describes it.
package struct PhotoDescription: Sendable {
    /// The width as stored: after the clean aperture, before orientation.
    package var width: Int
    /// The height as stored.
    package var height: Int
    /// The width of the coded image, before the clean aperture.
    package var codedWidth: Int
    /// The height of the coded image.
    package var codedHeight: Int
    /// How stored pixels are turned upright.
    package var orientation = Orientation.up
    /// `Make` in the Exif block.
    package var make: String?
    /// `Model` in the Exif block.
    package var model: String?
    /// The focal length of a full-frame camera with the same diagonal field of view, in millimeters.
    package var focalLength35mm: Int?
    /// The subject, as described in Exif.
    package var subject = ExifSubject()
    /// The local time when the photo was taken, as `2026-11-22T15:49:17` (Exif `DateTimeOriginal`).
    package var captureTime: String?
    /// Where the coded pixels are.
    package var location: ImageLocation
    /// The part of the coded image to use.
    package var crop: PixelCrop?
    /// The ranges of the ICC profile, in order; empty if missing.
    package var colorProfile: [Range<Int>] = []
    /// The stereo pair that the photo is or belongs to.
    package var stereo: StereoPair?
    /// Why the photo itself cannot be read, if so; its planes may still be readable.
    package var readError: ContainerError?
}

/// The format of an image file that may hold planes. The raw values are the names in `info --json`.
package enum ContainerKind: String, Hashable, Sendable {
    /// JPEG (ITU-T T.81).
    case jpeg
    /// HEIF (ISO/IEC 23008-12), mostly HEIC.
    case heif
    /// HEIF in AV1 (AV1 Image File Format).
    case avif
    /// DNG (Adobe DNG 1.6).
    case dng
    /// JPEG XL (ISO/IEC 18181).
    case jpegXL = "jxl"
}

/// A parsed image file: its contents and their locations, nothing decoded.
package protocol PhotoContainer: Sendable {
    var format: ContainerKind { get }
    var photo: PhotoDescription { get }
    /// Every auxiliary plane, in file order.
    var planes: [AuxiliaryPlane] { get }
    /// Uninterpreted data in or after the file, in file order.
    var trailers: [FileTrailer] { get }
    /// Problems of parts of the file, and assumptions.
    var diagnostics: [Diagnostic] { get }
    /// Why a plane that the file announces could not be described; `nil` if all could.
    var unreadablePlane: ContainerError? { get }

    /// Resolves a location to coded bytes. Throws if the structure there is broken.
    func codedImage(at location: ImageLocation) throws(ContainerError) -> CodedImage

    /// Reads the photo's own XMP, including extended XMP; empty if missing.
    func photoXMP() throws(ContainerError) -> XMPProperties

    /// Reads the photo's Exif block, starting at its TIFF header; empty if missing.
    func photoExif() throws(ContainerError) -> MetadataBlock

    /// Reads the XMP of a plane; empty if it has no packet.
    func planeXMP(_ plane: AuxiliaryPlane) throws(ContainerError) -> XMPProperties

    /// Reads the parameters of a gain map by ISO 21496-1; empty if it has none in this form.
    func gainMapBlock(of plane: AuxiliaryPlane) throws(ContainerError) -> MetadataBlock

    /// Reads the photo's main XMP packet in serialized form; empty if missing.
    func photoXMPPacket() throws(ContainerError) -> MetadataBlock

    /// Describes the smaller pictures of the same photo in the file, such as thumbnails, in file order. Skips those that
    /// cannot be described.
    func previews() -> [CodedView]
}

/// A block of metadata, unchanged from the file.
package struct MetadataBlock: Hashable, Sendable {
    package var bytes: [UInt8] = []
    /// The offset of the first byte in the file.
    package var offset = 0
}

extension PhotoContainer {
    /// Empty: most formats have no trailers.
    package var trailers: [FileTrailer] { [] }

    /// Empty: in most formats one packet describes all planes.
    package func planeXMP(_ plane: AuxiliaryPlane) throws(ContainerError) -> XMPProperties { XMPProperties() }

    /// Empty: only JPEG has a segment for them.
    package func gainMapBlock(of plane: AuxiliaryPlane) throws(ContainerError) -> MetadataBlock {
        MetadataBlock()
    }

    /// Empty: many formats have no previews.
    package func previews() -> [CodedView] { [] }

    /// `nil`: every plane could be described.
    package var unreadablePlane: ContainerError? { nil }
}

/// Reads the structure of an image file, recognized by its bytes and never by its name.
///
/// Throws ``ContainerError`` if the file is not an image, or too damaged to be described.
package func parseContainer(
    _ source: any ByteSource, limits: DecodingLimits
) throws(ContainerError) -> any PhotoContainer {
    guard source.byteCount > 0 else {
        throw ContainerError(.unrecognized(detail: "the file is empty"))
    }
    let start = try source.readPrefix(at: 0, count: source.firstByteCount)
    for format in formats where format.recognizes(start, of: source) {
        return try format.init(source, start: start, limits: limits)
    }
    throw ContainerError(
        .unrecognized(detail: "this is not an image file that can be read (JPEG, HEIF, AVIF, DNG, JPEG XL)"),
        at: 0)
}

/// The formats to try, in order. To add one, add its file and its type here.
private let formats: [any ParsedContainer.Type] = [
    JPEGContainer.self, HEIFContainer.self, DNGContainer.self, JPEGXLContainer.self,
]

/// A container that is read from the bytes of a file. `start` holds its first bytes (``ByteSource/firstByteCount``), or a
/// smaller file completely.
protocol ParsedContainer: PhotoContainer {
    static func recognizes(_ start: [UInt8], of source: any ByteSource) -> Bool
    init(_ source: any ByteSource, start: [UInt8], limits: DecodingLimits) throws(ContainerError)
}
