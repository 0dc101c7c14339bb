extension ColorImage {
    /// Whether samples have 16 bits.
    public var is16Bit: Bool { pixels.is16Bit }

    /// The image with samples of 8 bits, rounded.
    public var in8Bits: ColorImage {
        guard is16Bit else { return self }
        return ColorImage(
            width: width, height: height, pixels: .uint8(eightBitPixels), colorProfile: colorProfile)
    }

    /// The pixels with samples of 8 bits, rounded.
    package var eightBitPixels: [RGB<UInt8>] { UInt8.pixels(of: pixels) }

    /// The pixels with samples of 16 bits.
    package var sixteenBitPixels: [RGB<UInt16>] { UInt16.pixels(of: pixels) }
}

/// A sample of a picture: 8 or 16 bits.
package protocol PictureSample: FixedWidthInteger, BitwiseCopyable, Sendable {
    /// Pixels in this depth, rounded.
    static func pixels(of pixels: ColorImage.Pixels) -> [RGB<Self>]

    /// Pixels with opacity in this depth, rounded.
    static func pixels(of pixels: RGBAImage.Pixels) -> [RGBA<Self>]
}

extension UInt8: PictureSample {
    package static func pixels(of pixels: ColorImage.Pixels) -> [RGB<UInt8>] {
        pixels.apply({ $0 }) { pixels in parallelMap(pixels) { $0.converted() } }
    }

    package static func pixels(of pixels: RGBAImage.Pixels) -> [RGBA<UInt8>] {
        pixels.apply({ $0 }) { pixels in parallelMap(pixels) { $0.converted() } }
    }
}

extension UInt16: PictureSample {
    package static func pixels(of pixels: ColorImage.Pixels) -> [RGB<UInt16>] {
        pixels.apply({ pixels in parallelMap(pixels) { $0.converted() } }, { $0 })
    }

    package static func pixels(of pixels: RGBAImage.Pixels) -> [RGBA<UInt16>] {
        pixels.apply({ pixels in parallelMap(pixels) { $0.converted() } }, { $0 })
    }
}

extension RGB {
    /// The color in another depth: 8 bits times 257, 16 bits rounded.
    @inlinable @inline(__always)
    public func converted<Other>(to type: Other.Type = Other.self) -> RGB<Other> {
        RGB<Other>(
            red: depthConverted(red), green: depthConverted(green), blue: depthConverted(blue))
    }
}

extension RGBA {
    @inline(__always)
    fileprivate func converted<Other>() -> RGBA<Other> {
        RGBA<Other>(color.converted(), alpha: depthConverted(alpha))
    }
}

/// A value in another depth: 8 bits times 257, 16 bits rounded.
@inlinable @inline(__always)
func depthConverted<Sample: FixedWidthInteger, Other: FixedWidthInteger>(_ code: Sample) -> Other {
    let (top, otherTop) = (UInt32(Sample.max), UInt32(Other.max))
    return top == otherTop
        ? Other(truncatingIfNeeded: code)
        : Other(truncatingIfNeeded: (UInt32(code) &* otherTop &+ top / 2) / top)
}
