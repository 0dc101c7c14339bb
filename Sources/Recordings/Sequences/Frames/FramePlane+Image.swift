package import DepthMaps

extension FramePlane<RGB<UInt8>> {
    /// The picture as an sRGB image with shared memory.
    package var image: ColorImage {
        ColorImage(width: width, height: height, pixels: .uint8(samples), colorProfile: [])
    }
}
