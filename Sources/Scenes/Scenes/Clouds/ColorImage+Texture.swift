internal import Bytes
internal import Codecs
package import DepthMaps

extension ColorImage {
    /// Maximum pixels on the longer side of a texture: every graphics card supports this.
    static let longestTextureSide = 4096

    /// The photo as a JPEG file for a mesh: sRGB, reduced if a side is longer than ``longestTextureSide``. The picture of a back
    /// layer, if there is one, is beside its longer side, at a quarter of its size.
    func texture(beside back: ColorImage? = nil) throws(WriteError) -> MeshTexture {
        let isUpright = height > width
        let share = back == nil ? 1 : 1 + 1 / Double(MeshTexture.backShare)
        let (totalWidth, totalHeight) = (
            Double(width) * (isUpright ? share : 1), Double(height) * (isUpright ? 1 : share)
        )
        let scale = min(1, Double(Self.longestTextureSide) / max(totalWidth, totalHeight, 1))
        let newWidth = max(1, Int((Double(width) * scale).rounded(.down)))
        let newHeight = max(1, Int((Double(height) * scale).rounded(.down)))
        let photo = resized(toWidth: newWidth, height: newHeight).inSRGB.eightBitPixels
        guard let back else {
            return try MeshTexture(photo, width: newWidth, height: newHeight)
        }
        let backWidth = max(1, newWidth / MeshTexture.backShare)
        let backHeight = max(1, newHeight / MeshTexture.backShare)
        let layer = back.resized(toWidth: backWidth, height: backHeight).inSRGB.eightBitPixels
        let sheetWidth = newWidth + (isUpright ? backWidth : 0)
        let sheetHeight = newHeight + (isUpright ? 0 : backHeight)
        let black = RGB<UInt8>(red: 0, green: 0, blue: 0)
        var sheet = [RGB<UInt8>](repeating: black, count: sheetWidth * sheetHeight)
        func put(_ pixels: [RGB<UInt8>], _ width: Int, at column: Int, _ row: Int) {
            for line in 0..<pixels.count / width {
                let start = (row + line) * sheetWidth + column
                sheet.replaceSubrange(start..<start + width, with: pixels[line * width..<(line + 1) * width])
            }
        }
        let corner = isUpright ? SIMD2(newWidth, 0) : SIMD2(0, newHeight)
        put(photo, newWidth, at: 0, 0)
        put(layer, backWidth, at: corner.x, corner.y)
        return try MeshTexture(
            sheet, width: sheetWidth, height: sheetHeight, front: SIMD2(newWidth, newHeight),
            backCorner: corner, back: SIMD2(backWidth, backHeight))
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
