public import DepthCore
public import ImageCodecs

/// A picture made from a photo, and what it keeps of the photo's metadata.
public struct Picture: Sendable {
    private enum Content: Sendable {
        case opaque(ColorImage)
        case translucent(RGBAImage)
    }

    private let content: Content
    /// Exif and XMP.
    public var metadata: PictureMetadata

    /// An opaque picture.
    public init(_ image: ColorImage, _ metadata: PictureMetadata = PictureMetadata()) {
        content = .opaque(image)
        self.metadata = metadata
    }

    /// A picture that may be transparent in parts.
    public init(_ image: RGBAImage, _ metadata: PictureMetadata = PictureMetadata()) {
        content = .translucent(image)
        self.metadata = metadata
    }

    /// Whether no pixel can be transparent.
    public var isOpaque: Bool { if case .opaque = content { true } else { false } }

    /// What a file of it holds; samples of 16 bits are rounded to 8 where they may not be.
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

    /// Pixels in a row, and the number of rows.
    public var size: PixelSize {
        switch content {
        case .opaque(let image): PixelSize(width: image.width, height: image.height)
        case .translucent(let image): PixelSize(width: image.width, height: image.height)
        }
    }

    /// Writes a JPEG, PNG or TIFF file, as the name's extension says; `quality` is that of JPEG, 1…100. The file appears whole
    /// or not at all.
    ///
    /// Throws ``OutputError`` when the extension is another, when the file exists and `replacingExisting` is not set, and when
    /// it cannot be written.
    public func write(to path: String, quality: Int = 92, replacingExisting: Bool = false) throws {
        guard let format = PictureFormat(fileName: path) else {
            throw OutputError(path, .unknownFormat(known: ".jpg, .png and .tiff"))
        }
        let raster = raster(with16Bits: format.holds16Bits)
        try OutputFile(path: path, replacesExisting: replacingExisting).write {
            (descriptor) throws(RasterEncodingError) in
            try raster.write(as: format, quality: quality, to: descriptor)
        }
    }
}
