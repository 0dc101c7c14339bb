internal import DepthCore
internal import ImageCodecs

extension Raster {
    /// A picture in color, with its ICC profile.
    init(_ image: ColorImage) {
        self.init(
            width: image.width, height: image.height, samples: .color(image.pixels),
            colorProfile: image.colorProfile)
    }
}
