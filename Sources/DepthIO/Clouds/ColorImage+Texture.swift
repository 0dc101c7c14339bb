internal import AtomicFiles
package import DepthCore
internal import ImageCodecs

extension ColorImage {
    /// Maximum pixels on the longer side of a texture: every graphics card supports this.
    static let longestTextureSide = 4096

    /// The photo as a JPEG file for a mesh: sRGB, reduced if a side is longer than ``longestTextureSide``.
    func texture() throws(WriteError) -> [UInt8] {
        let longest = max(width, height)
        let scale = min(1, Double(Self.longestTextureSide) / Double(max(longest, 1)))
        let newWidth = max(1, Int((Double(width) * scale).rounded()))
        let newHeight = max(1, Int((Double(height) * scale).rounded()))
        let photo = resized(toWidth: newWidth, height: newHeight).inSRGB
        let raster = Raster(width: newWidth, height: newHeight, samples: .color(photo.pixels))
        return try bytesWritten { (descriptor) throws(WriteError) in
            try raster.writeJPEG(to: descriptor)
        }
    }

    /// The picture in sRGB; unchanged if its color profile cannot be used.
    package var inSRGB: ColorImage { (try? converted(toProfile: [])) ?? assigned(profile: []) }

    /// Whether the color profile can be used.
    var hasUsableProfile: Bool {
        let pixel = ColorImage.Pixels.uint8([RGB(red: 0, green: 0, blue: 0)])
        let sample = ColorImage(width: 1, height: 1, pixels: pixel, colorProfile: colorProfile)
        return (try? sample.converted(toProfile: [])) != nil
    }

    /// The picture at another size, 8 bits a sample, in its original color space: ``averaged(toWidth:height:)``.
    package func resized(toWidth newWidth: Int, height newHeight: Int) -> ColorImage {
        ColorImage(
            width: newWidth, height: newHeight,
            pixels: .uint8(averaged(toWidth: newWidth, height: newHeight)), colorProfile: colorProfile)
    }
}
