import Bytes
import DepthMaps
import DepthTypes
import PhotoFormats
import Scenes
import TestSupport
import Testing

@testable import Codecs

@Suite("Pictures at half their size")
struct HalfPictureTests {
    /// A plane of random samples.
    private struct Plane<Sample: ScalableSample> {
        let width: Int
        let samples: [Sample]

        init(width: Int, height: Int, top: Int, using random: inout SplitMix) {
            self.width = width
            samples = (0..<width * height).map { _ in Sample(Int.random(in: 0...top, using: &random)) }
        }

        /// The means, rounded, of so many samples side by side in each of so many rows.
        func means(columns: Int, rows: Int) -> [[Sample]] {
            stride(from: 0, to: samples.count / width, by: rows).map { y in
                stride(from: 0, to: width, by: columns).map { x in
                    var sum = columns * rows / 2
                    for row in y..<y + rows {
                        for column in x..<x + columns { sum += Int(samples[row * width + column]) }
                    }
                    return Sample(sum / (columns * rows))
                }
            }
        }
    }

    private func expectMeans<Sample: ScalableSample>(
        of _: Sample.Type, chromaFormat: Int, width: Int, height: Int, top: Int
    ) throws {
        let (isWide, isHigh) = (chromaFormat == 3, chromaFormat != 1)
        var random = SplitMix(seed: UInt64(width * height + chromaFormat))
        let luma = Plane<Sample>(width: width, height: height, top: top, using: &random)
        let chroma = Plane<Sample>(
            width: isWide ? width : width / 2, height: isHigh ? height : height / 2, top: top, using: &random)
        let size = MemoryLayout<Sample>.size
        try unsafe luma.samples.withUnsafeBytes { lumaBytes in
            try unsafe chroma.samples.withUnsafeBytes { chromaBytes in
                let lumaStart = try unsafe #require(lumaBytes.baseAddress)
                let chromaStart = try unsafe #require(chromaBytes.baseAddress)
                let channel = unsafe DecodedPicture.Channel(
                    samples: chromaStart, stride: chroma.width * size)
                let picture = unsafe DecodedPicture(
                    width: width, height: height, chromaFormat: chromaFormat, lumaBitDepth: 8,
                    chromaBitDepth: 8, color: CodedColor(matrixCoefficients: 1, isFullRange: true),
                    luma: DecodedPicture.Channel(samples: lumaStart, stride: width * size),
                    blueDifference: chromaFormat == 0 ? nil : channel,
                    redDifference: chromaFormat == 0 ? nil : channel)
                try picture.withHalf(as: Sample.self) { (half) throws(ContainerError) in
                    func rows(_ channel: DecodedPicture.Channel?) -> [[Sample]]? {
                        channel.map { channel in
                            (0..<half.height).map { row in
                                unsafe Array(
                                    UnsafeBufferPointer(
                                        start: channel.row(row, as: Sample.self), count: half.width))
                            }
                        }
                    }
                    #expect((half.width, half.height) == (width / 2, height / 2))
                    #expect(rows(half.luma) == luma.means(columns: 2, rows: 2))
                    let expected =
                        chromaFormat == 0
                        ? nil : chroma.means(columns: isWide ? 2 : 1, rows: isHigh ? 2 : 1)
                    #expect(rows(half.blueDifference) == expected)
                    #expect(rows(half.redDifference) == expected)
                    #expect(half.chromaFormat == (chromaFormat == 0 ? 0 : 3))
                }
            }
        }
    }

    @Test("Samples are means; chroma of 4:2:0 stays as it is", arguments: 0...3)
    func means(chromaFormat: Int) throws {
        for (width, height) in [(4, 4), (6, 4), (130, 34)] {
            try expectMeans(
                of: UInt8.self, chromaFormat: chromaFormat, width: width, height: height, top: 255)
            try expectMeans(
                of: UInt16.self, chromaFormat: chromaFormat, width: width, height: height, top: 4095)
        }
    }

    /// A picture whose chroma has other samples than its luma, or is smaller than the identity matrix needs. Without
    /// this check, reading at half the size reads past its end, and at full size it returned a picture of uninitialized
    /// memory.
    @Test(
        "Chroma that cannot be converted is refused at both sizes, before it is read",
        arguments: [(3, 8, 9), (3, 8, 0), (2, 8, 9), (2, 10, 0), (1, 10, 0)], [false, true])
    func unsupported(picture: (chromaFormat: Int, chromaDepth: Int, matrix: Int), halved: Bool) throws {
        let grid = try plainGrid()
        let samples = [UInt8](repeating: 0, count: 64)
        try unsafe samples.withUnsafeBytes { bytes in
            let start = try unsafe #require(bytes.baseAddress)
            let channel = unsafe DecodedPicture.Channel(samples: start, stride: 8)
            let decoded = DecodedPicture(
                width: 4, height: 4, chromaFormat: picture.chromaFormat, lumaBitDepth: 10,
                chromaBitDepth: picture.chromaDepth,
                color: CodedColor(matrixCoefficients: picture.matrix, isFullRange: true),
                luma: channel, blueDifference: channel, redDifference: channel)
            var pixels = [RGB<UInt16>](
                repeating: RGB(red: 0, green: 0, blue: 0), count: grid.width * grid.height)
            try unsafe pixels.withUnsafeMutableBufferPointer { output in
                let target = unsafe TileTarget(grid, tile: 0, step: halved ? 2 : 1, output: output)
                let error = try #require(throws: ContainerError.self) {
                    try decoded.convert(to: target, halved: halved)
                }
                #expect(error.code == "unsupported")
            }
        }
    }

    /// The tiles of `plain.heic`.
    private func plainGrid() throws -> GridImage {
        let container = try parseContainer(
            MemorySource(TestImages.bytes("plain.heic")), limits: DecodingLimits())
        let coded = try container.codedImage(at: container.photo.location)
        guard case .grid(let grid) = coded else { throw ContainerError(.arithmeticOverflow) }
        return grid
    }

    /// The pixels of `plain.heic`, as a photo of `width` × `height` pixels of the same tiles.
    private func pixels(width: Int, height: Int, eighths: Int) throws -> [RGB<UInt8>] {
        var grid = try plainGrid()
        (grid.width, grid.height) = (width, height)
        let image = try ImageDecoder(
            MemorySource(TestImages.bytes("plain.heic")), limits: DecodingLimits()
        )
        .color(of: .grid(grid), width: width, height: height, eighths: eighths)
        let step = eighths == 8 ? 1 : 2
        #expect((image.width, image.height) == ((width + step - 1) / step, (height + step - 1) / step))
        guard case .uint8(let pixels) = image.pixels else { throw ContainerError(.arithmeticOverflow) }
        return pixels
    }

    /// A pixel is the mean of four, to less than a code on average: in the gradients of the scene they differ by rounding, at its few
    /// edges by more, because chroma is interpolated only at the full size.
    @Test("Tiles are put together at half the size")
    func grid() throws {
        let full = try pixels(width: 960, height: 720, eighths: 8)
        let half = try pixels(width: 960, height: 720, eighths: 4)
        var sum = 0
        for y in 0..<360 {
            for x in 0..<480 {
                let four = [0, 1, 960, 961].map { full[2 * y * 960 + 2 * x + $0] }
                for channel in [\RGB<UInt8>.red, \.green, \.blue] {
                    let mean = four.reduce(2) { $0 + Int($1[keyPath: channel]) } / 4
                    sum += abs(Int(half[y * 480 + x][keyPath: channel]) - mean)
                }
            }
        }
        #expect(Double(sum) / Double(3 * 480 * 360) < 1)
    }

    @Test("A side that is odd is rounded up")
    func odd() throws {
        let even = try pixels(width: 960, height: 720, eighths: 4)
        #expect(try pixels(width: 959, height: 719, eighths: 2) == even)
    }
}
