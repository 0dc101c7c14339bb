public import DepthTypes

/// A color pixel.
public struct RGB<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: BitwiseCopyable, Hashable, Sendable
{
    /// Red.
    public var red: Sample
    /// Green.
    public var green: Sample
    /// Blue.
    public var blue: Sample

    /// A pixel of these values.
    @inlinable
    public init(red: Sample, green: Sample, blue: Sample) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }
}

extension RGB {
    /// All channels at 0.
    @inlinable public static var black: RGB { RGB(red: 0, green: 0, blue: 0) }

    /// All channels at their maximum.
    @inlinable public static var white: RGB { RGB(red: .max, green: .max, blue: .max) }
}

extension RGB<UInt8> {
    /// The gray of points that no picture shows.
    package static var unseen: RGB { RGB(red: 128, green: 128, blue: 128) }
}

/// A decoded photo: red, green and blue as stored, row-major, in the color space of its profile.
public struct ColorImage: Sendable {
    /// The pixels, in the smaller type that fits them.
    public typealias Pixels = PixelArray<RGB<UInt8>, RGB<UInt16>>

    /// Pixels in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The pixels, row by row.
    public let pixels: Pixels
    /// The ICC profile, byte for byte; empty means sRGB.
    public let colorProfile: [UInt8]

    /// Row-major pixels. Their number must be `width · height`.
    public init(width: Int, height: Int, pixels: Pixels, colorProfile: [UInt8]) {
        precondition(pixels.count == width * height)
        (self.width, self.height, self.pixels, self.colorProfile) = (width, height, pixels, colorProfile)
    }

    /// The image turned by an orientation.
    public func oriented(by orientation: Orientation) -> ColorImage {
        let size = orientation.size(width: width, height: height)
        return ColorImage(
            width: size.width, height: size.height,
            pixels: pixels.oriented(width: width, height: height, by: orientation),
            colorProfile: colorProfile)
    }
}
