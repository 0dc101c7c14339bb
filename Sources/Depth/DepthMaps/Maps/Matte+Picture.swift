extension Matte {
    /// The gray of a picture as coverage: gray samples as stored, or the Rec. 709 luma (ITU-R BT.709-6 §3.2) of colors; 16
    /// bits are rounded to 8.
    public init(grayOf picture: ColorImage) {
        let coverage = picture.pixels.apply(Self.luma, Self.luma)
        self.init(width: picture.width, height: picture.height, coverage: coverage)
    }

    /// The opacity of a picture; 16 bits are rounded to 8.
    package init(opacityOf picture: RGBAImage) {
        func opacity<Sample>(_ pixels: [RGBA<Sample>]) -> [UInt8] { pixels.map { depthConverted($0.alpha) } }
        let coverage = picture.pixels.apply(opacity, opacity)
        self.init(width: picture.width, height: picture.height, coverage: coverage)
    }

    private static func luma<Sample>(_ pixels: [RGB<Sample>]) -> [UInt8] {
        pixels.map { pixel in
            if Sample.max == 255, pixel.red == pixel.green, pixel.green == pixel.blue {
                return UInt8(truncatingIfNeeded: pixel.red)
            }
            // The weights are in 1/10000 and add up to 1, so gray is unchanged.
            let sum = 2126 * UInt64(pixel.red) + 7152 * UInt64(pixel.green) + 722 * UInt64(pixel.blue)
            let whole = UInt64(Sample.max) * 10000
            return UInt8((sum * 255 + whole / 2) / whole)
        }
    }
}
