package import Codecs
package import DepthMaps

extension Raster {
    /// A picture in color, with its ICC profile.
    package init(_ image: ColorImage) {
        self.init(
            width: image.width, height: image.height, samples: .color(image.pixels),
            colorProfile: image.colorProfile)
    }
}
