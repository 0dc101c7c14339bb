public import DepthCore
public import ImageCodecs

extension Raster {
    /// A picture in color, with its ICC profile.
    public init(_ image: ColorImage) {
        self.init(
            width: image.width, height: image.height, samples: .color(image.pixels),
            colorProfile: image.colorProfile)
    }
}
