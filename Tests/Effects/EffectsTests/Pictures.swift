internal import DepthMaps
internal import DepthTypes
internal import Effects
import TestSupport

/// An 8-bit photo computed from column and row.
func photo(_ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> RGB<UInt8>) -> ColorImage {
    let pixels = (0..<height).flatMap { y in (0..<width).map { x in color(x, y) } }
    return ColorImage(width: width, height: height, pixels: .uint8(pixels), colorProfile: [1, 2, 3])
}

/// A photo of one gray.
func gray(_ code: UInt8, _ width: Int, _ height: Int) -> ColorImage {
    photo(width, height) { _, _ in RGB(red: code, green: code, blue: code) }
}

/// A matte computed from column and row.
func matte(_ width: Int, _ height: Int, _ code: (_ x: Int, _ y: Int) -> UInt8) -> Matte {
    Matte(
        width: width, height: height,
        coverage: (0..<height).flatMap { y in (0..<width).map { x in code(x, y) } })
}

/// Reproducible noise.
func noise(_ width: Int, _ height: Int, seed: UInt64) -> ColorImage {
    var random = SplitMix(seed: seed)
    func next() -> UInt8 { UInt8.random(in: .min ... .max, using: &random) }
    return photo(width, height) { _, _ in RGB(red: next(), green: next(), blue: next()) }
}

extension ColorImage {
    /// The pixels of an 8-bit picture; empty for others.
    var bytes: [RGB<UInt8>] {
        guard case .uint8(let pixels) = pixels else { return [] }
        return pixels
    }

    /// The pixels of a 16-bit picture; empty for others.
    var words: [RGB<UInt16>] {
        guard case .uint16(let pixels) = pixels else { return [] }
        return pixels
    }

    /// The same picture with 16 bits per sample.
    var deep: ColorImage {
        let pixels = bytes.map { pixel in
            RGB(
                red: UInt16(pixel.red) * 257, green: UInt16(pixel.green) * 257, blue: UInt16(pixel.blue) * 257
            )
        }
        return ColorImage(width: width, height: height, pixels: .uint16(pixels), colorProfile: colorProfile)
    }
}
