internal import Isobath

/// A picture made from a photo, and what it keeps of the photo's metadata.
struct Picture: Sendable {
    private enum Content: Sendable {
        case opaque(ColorImage)
        case translucent(TranslucentImage)
    }

    private let content: Content
    private let metadata: PictureMetadata

    init(_ image: ColorImage, _ metadata: PictureMetadata) {
        content = .opaque(image)
        self.metadata = metadata
    }

    init(_ image: TranslucentImage, _ metadata: PictureMetadata) {
        content = .translucent(image)
        self.metadata = metadata
    }

    /// Whether no pixel can be transparent.
    var isOpaque: Bool { if case .opaque = content { true } else { false } }

    /// What a file of it holds; samples of 16 bits are rounded to 8 where they may not be.
    func raster(with16Bits: Bool) -> Raster {
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
}
