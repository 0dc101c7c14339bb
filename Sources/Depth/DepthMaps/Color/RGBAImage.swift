package import DepthTypes

/// A color pixel with its opacity, not premultiplied.
package struct RGBA<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: BitwiseCopyable, Hashable,
    Sendable
{
    package var red: Sample
    package var green: Sample
    package var blue: Sample
    /// Linear coverage, from 0 (transparent) to the maximum (opaque).
    package var alpha: Sample

    /// A pixel of these values; colors are not premultiplied.
    @inlinable
    package init(red: Sample, green: Sample, blue: Sample, alpha: Sample) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// A color with its opacity.
    @inline(__always)
    init(_ color: RGB<Sample>, alpha: Sample) {
        self.init(red: color.red, green: color.green, blue: color.blue, alpha: alpha)
    }

    /// The color without its opacity.
    @inline(__always)
    var color: RGB<Sample> { RGB(red: red, green: green, blue: blue) }

    /// The pixel with its color divided by its alpha; black if alpha is 0.
    package var straight: RGBA {
        guard alpha != .max else { return self }
        func divided(_ code: Sample) -> Sample {
            guard alpha > 0 else { return 0 }
            let (top, alpha) = (Int(Sample.max), Int(alpha))
            return Sample(min(top, (Int(code) * top + alpha / 2) / alpha))
        }
        return RGBA(red: divided(red), green: divided(green), blue: divided(blue), alpha: alpha)
    }
}

/// A picture that is not opaque everywhere: not premultiplied, row-major, in the color space of its profile.
package struct RGBAImage: Sendable {
    /// The pixels, in the smaller type that fits them.
    package typealias Pixels = PixelArray<RGBA<UInt8>, RGBA<UInt16>>

    /// Pixels in a row.
    package let width: Int
    /// The number of rows.
    package let height: Int
    /// The pixels, row by row.
    package let pixels: Pixels
    /// The ICC profile, byte for byte; empty means sRGB.
    package let colorProfile: [UInt8]

    /// Row-major pixels. Their number must be `width · height`.
    package init(width: Int, height: Int, pixels: Pixels, colorProfile: [UInt8]) {
        precondition(pixels.count == width * height)
        (self.width, self.height, self.pixels, self.colorProfile) = (width, height, pixels, colorProfile)
    }
}

/// A picture in the color space of a profile: ``ColorImage`` or ``RGBAImage``.
package protocol ProfiledPicture: Sendable {
    associatedtype Eight: BitwiseCopyable & Hashable & Sendable
    associatedtype Sixteen: BitwiseCopyable & Hashable & Sendable
    /// Whether pixels have an opacity.
    static var hasAlpha: Bool { get }
    var width: Int { get }
    var height: Int { get }
    var pixels: PixelArray<Eight, Sixteen> { get }
    var colorProfile: [UInt8] { get }

    init(width: Int, height: Int, pixels: PixelArray<Eight, Sixteen>, colorProfile: [UInt8])
}

extension ColorImage: ProfiledPicture {
    package static var hasAlpha: Bool { false }
}

extension RGBAImage: ProfiledPicture {
    package static var hasAlpha: Bool { true }
}

extension ProfiledPicture {
    /// The image turned by an orientation.
    package func oriented(by orientation: Orientation) -> Self {
        let size = orientation.size(width: width, height: height)
        return Self(
            width: size.width, height: size.height,
            pixels: pixels.oriented(width: width, height: height, by: orientation),
            colorProfile: colorProfile)
    }

    /// The same pixels, assigned the color space of another profile (empty: sRGB).
    package func assigned(profile: [UInt8]) -> Self {
        Self(width: width, height: height, pixels: pixels, colorProfile: profile)
    }
}
