import DepthMaps
import DepthTypes
import PhotoFormats
import Scenes
import TestSupport
import Testing

@testable import Codecs

@Suite("Chroma interpolation")
struct InterpolatedChromaTests {
    /// Random samples of a channel, and its rows at the size of luma.
    private func expectRows<Sample: ScalableSample>(
        of _: Sample.Type, chromaFormat: Int, width: Int, height: Int, top: Int
    ) {
        let halvesHeight = chromaFormat == 1
        let (columns, lines) = ((width + 1) / 2, halvesHeight ? (height + 1) / 2 : height)
        var random = SplitMix(seed: UInt64(width * height))
        let samples = (0..<columns * lines).map { _ in Sample(Int.random(in: 0...top, using: &random)) }
        let rows: [[Sample]] = unsafe samples.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return [] }
            let channel = unsafe DecodedPicture.Channel(
                samples: start, stride: columns * MemoryLayout<Sample>.size)
            let picture = DecodedPicture(
                width: width, height: height, chromaFormat: chromaFormat, lumaBitDepth: 8, chromaBitDepth: 8,
                color: CodedColor(matrixCoefficients: 1, isFullRange: true), luma: channel,
                blueDifference: channel, redDifference: nil)
            var chroma = InterpolatedChroma<Sample>(channel, of: picture)
            return (0..<height).map { row in
                unsafe Array(UnsafeBufferPointer(start: chroma.row(row), count: width))
            }
        }
        for y in 0..<height {
            let expected = (0..<width).map { x in
                // The nearest sample and the next one on the other side of the pixel; at edges the nearest again.
                let (column, line) = (x / 2, halvesHeight ? y / 2 : y)
                let beside = min(max(x % 2 == 0 ? column - 1 : column + 1, 0), columns - 1)
                let above = halvesHeight ? min(max(y % 2 == 0 ? line - 1 : line + 1, 0), lines - 1) : line
                func sample(_ column: Int, _ line: Int) -> Int { Int(samples[line * columns + column]) }
                let sum =
                    9 * sample(column, line) + 3 * sample(beside, line) + 3 * sample(column, above)
                    + sample(beside, above)
                return Sample((sum + 8) / 16)
            }
            #expect(rows[y] == expected, "row \(y) of \(height)")
        }
    }

    /// Heights around the multiples of 32 rows that are interpolated at a time.
    @Test(
        "The four nearest chroma samples have weights of 9, 3, 3 and 1", arguments: [1, 2],
        [1, 2, 31, 32, 33, 34, 97])
    func weights(chromaFormat: Int, height: Int) {
        for width in [4, 6, 130] {
            expectRows(of: UInt8.self, chromaFormat: chromaFormat, width: width, height: height, top: 255)
            expectRows(of: UInt16.self, chromaFormat: chromaFormat, width: width, height: height, top: 4095)
        }
    }

    /// Values of pillow-heif 1.8.1, by `numpy.asarray(pillow_heif.open_heif(path))[y:y + 64, x:x + 64].mean((0, 1))`. It
    /// does not interpolate chroma, but the average of so many pixels hardly shows that.
    private static let colors: [(name: String, x: Int, y: Int, color: [Double])] = [
        ("apple-spatial/nokia-stereo-1200x800.heic", 300, 200, [228.26, 235.71, 247.42]),
        ("apple-spatial/nokia-stereo-1200x800.heic", 600, 400, [95.47, 117.03, 44.13]),
        ("apple-spatial/nokia-stereo-1200x800.heic", 300, 400, [40.31, 41.66, 29.85]),
        ("apple-heic/imageio-written-disparity.heic", 92, 124, [223.56, 234.97, 245.88]),
        ("apple-heic/imageio-written-disparity.heic", 186, 250, [102.72, 104.65, 60.63]),
        ("apple-heic/imageio-written-disparity.heic", 92, 250, [150.56, 136.24, 39.97]),
    ]

    @Test(
        "Colors of photos equal pillow-heif's",
        .needsSamples, arguments: colors.indices)
    func photos(index: Int) throws {
        let (name, x, y, color) = Self.colors[index]
        let image = try DepthPhoto(contentsOf: SampleFolder.photos.path(name)).image()
        guard case .uint8(let pixels) = image.pixels else {
            Issue.record("\(name) has 8 bits")
            return
        }
        var sums = [0, 0, 0]
        for row in y..<y + 64 {
            for pixel in pixels[row * image.width + x..<row * image.width + x + 64] {
                sums = [sums[0] + Int(pixel.red), sums[1] + Int(pixel.green), sums[2] + Int(pixel.blue)]
            }
        }
        // pillow-heif rounds a matrix of limited range differently: colors differ by at most one.
        for (sum, expected) in zipEqual(sums, color) { #expect(abs(Double(sum) / 4096 - expected) <= 1) }
    }
}
