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
}

/// A picture that is not opaque everywhere: not premultiplied, row-major, in the color space of its profile.
package struct RGBAImage: Sendable {
    /// The pixels, in the smaller type that fits them.
    package enum Pixels: Sendable {
        /// 8 bits a sample.
        case uint8([RGBA<UInt8>])
        /// 16 bits a sample, 0…65535 for any stored bit depth.
        case uint16([RGBA<UInt16>])
    }

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
        switch pixels {
        case .uint8(let pixels): precondition(pixels.count == width * height)
        case .uint16(let pixels): precondition(pixels.count == width * height)
        }
        (self.width, self.height, self.pixels, self.colorProfile) = (width, height, pixels, colorProfile)
    }

    /// The image turned by an orientation.
    package func oriented(by orientation: Orientation) -> RGBAImage {
        let size = orientation.size(width: width, height: height)
        let turned: Pixels =
            switch pixels {
            case .uint8(let pixels): .uint8(reoriented(pixels, width: width, height: height, by: orientation))
            case .uint16(let pixels):
                .uint16(reoriented(pixels, width: width, height: height, by: orientation))
            }
        return RGBAImage(
            width: size.width, height: size.height, pixels: turned, colorProfile: colorProfile)
    }
}
