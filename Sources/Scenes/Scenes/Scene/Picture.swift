public import Bytes
public import Codecs
public import DepthMaps
public import DepthTypes
internal import PhotoFormats

/// A picture, made from a scene or read from a file, with the photo metadata that it keeps.
public struct Picture: Sendable {
    private enum Content: Sendable {
        case opaque(ColorImage)
        case translucent(RGBAImage)
    }

    private let content: Content
    /// Exif and XMP.
    public var metadata: PictureMetadata
    /// Assumptions about the scene that it was made from, and omitted metadata.
    public private(set) var diagnostics: [Diagnostic] = []
    /// How much brighter than the picture its HDR rendition is, for JPEG files; `nil` without one.
    package private(set) var gainMap: GainMap?

    /// A picture of these colors. A matte is the opacity of each pixel, scaled to the picture's size.
    public init(_ image: ColorImage, alpha: Matte? = nil, metadata: PictureMetadata = PictureMetadata()) {
        content = alpha.map { .translucent(RGBAImage(image, alpha: $0)) } ?? .opaque(image)
        self.metadata = metadata
    }

    /// A picture that may be partly transparent.
    package init(_ image: RGBAImage, metadata: PictureMetadata = PictureMetadata()) {
        content = .translucent(image)
        self.metadata = metadata
    }

    /// Decodes the picture of a file, recognized by its bytes: a photo or a color raster.
    ///
    /// Throws ``ContainerError``, with the path, when the file cannot be read, is not a picture, or is broken beyond use.
    public init(contentsOf path: String, limits: DecodingLimits = DecodingLimits()) throws {
        self = try opening(path) {
            let file = try openPicture(path, limits: limits)
            let (blocks, diagnostics) = file.metadata()
            var picture =
                switch try file.picture(PlaneRequest(.kept)).content {
                case .translucent(let image): Picture(image, metadata: blocks)
                case .color(let image): Picture(image, metadata: blocks)
                default: throw SceneError.noPicture
                }
            picture.diagnostics = diagnostics
            return picture
        }
    }

    /// Whether no pixel can be transparent.
    public var isOpaque: Bool { if case .opaque = content { true } else { false } }

    /// The colors, not multiplied by the opacity.
    public var color: ColorImage {
        switch content {
        case .opaque(let image): image
        case .translucent(let image): image.color
        }
    }

    /// The opacity of each pixel; `nil` where the picture ``isOpaque``.
    public var alpha: Matte? {
        if case .translucent(let image) = content { Matte(opacityOf: image) } else { nil }
    }

    /// The colors with their opacity.
    var translucent: RGBAImage {
        switch content {
        case .opaque(let image): RGBAImage(image)
        case .translucent(let image): image
        }
    }

    /// The picture with a gain map, which shows the same view.
    func withHDR(_ gainMap: GainMap?) -> Picture {
        var picture = self
        picture.gainMap = gainMap
        return picture
    }

    /// The picture without its gain map, and without the numbers in Apple's maker note that belong to it.
    func withoutHDR() -> Picture {
        var picture = self
        picture.gainMap = nil
        picture.metadata.exif = exifWithoutHDR(metadata.exif)
        return picture
    }

    /// The picture with these diagnostics added.
    func adding(_ diagnostics: [Diagnostic]) -> Picture {
        var picture = self
        picture.diagnostics += diagnostics
        return picture
    }

    /// The samples to encode; rounds 16 bits to 8 unless `with16Bits`.
    package func raster(with16Bits: Bool) -> Raster {
        var raster: Raster
        switch content {
        case .opaque(let image):
            raster = Raster(with16Bits ? image : image.in8Bits)
        case .translucent(let image):
            raster = Raster(
                width: image.width, height: image.height, samples: .translucent(image.pixels),
                colorProfile: image.colorProfile)
        }
        raster.metadata = metadata
        return raster
    }

    /// Width and height in pixels.
    public var size: PixelSize {
        switch content {
        case .opaque(let image): PixelSize(width: image.width, height: image.height)
        case .translucent(let image): PixelSize(width: image.width, height: image.height)
        }
    }

    /// Writes a JPEG, PNG or TIFF file, by the name's extension; `quality` is for JPEG, 1…100. The file is complete or
    /// missing, never partial. Only JPEG holds the gain map of an HDR photo.
    ///
    /// Throws ``OutputError`` when the extension is unknown, when the file exists and `replacingExisting` is not set, and
    /// when it cannot be written.
    public func write(to path: String, quality: Int = 92, replacingExisting: Bool = false) throws {
        guard let format = PictureFormat(fileName: path) else {
            throw OutputError(path, .unknownFormat(known: ".jpg, .png and .tiff"))
        }
        try OutputFile(path: path, replacesExisting: replacingExisting).write {
            (descriptor) throws(WriteError) in
            try write(as: format, quality: quality, to: descriptor)
        }
    }

    /// The bytes of the file that ``write(to:quality:replacingExisting:)`` writes in a format.
    ///
    /// Throws ``OutputError`` if the format cannot hold the picture, such as more than 65,500 pixels in a row of a JPEG file.
    public func encoded(as format: PictureFormat, quality: Int = 92) throws -> [UInt8] {
        try encodedFile { (descriptor) throws(WriteError) in
            try write(as: format, quality: quality, to: descriptor)
        }
    }

    private func write(as format: PictureFormat, quality: Int, to descriptor: Int32) throws(WriteError) {
        try PictureCoding(self, as: format).write(quality: quality, to: descriptor)
    }
}
