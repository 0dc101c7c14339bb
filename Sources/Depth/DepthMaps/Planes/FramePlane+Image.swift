extension FramePlane<RGB<UInt8>> {
    /// The picture as an sRGB image with shared memory.
    package var image: ColorImage {
        ColorImage(width: width, height: height, pixels: .uint8(samples), colorProfile: [])
    }

    /// A picture in 8 bits, whose memory is shared if it has as many.
    package init(_ image: ColorImage) {
        self.init(width: image.width, height: image.height, samples: image.eightBitPixels)
    }
}

extension FramePlane<Float> {
    /// The values of a map, in shared memory.
    package init(_ map: some FloatPlane) {
        self.init(width: map.width, height: map.height, samples: map.samples)
    }
}
