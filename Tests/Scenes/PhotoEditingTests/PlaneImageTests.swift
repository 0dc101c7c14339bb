import Bytes
import Codecs
import DepthMaps
import PhotoFormats
import TestSupport
import Testing

@testable import PhotoEditing

@Suite("Planes as JPEG streams")
struct PlaneImageTests {
    private func decoded(_ image: PlaneImage, like plane: SamplePlane) throws -> SamplePlane {
        try ImageDecoder(MemorySource(image.jpeg), limits: DecodingLimits())
            .codes(of: .jpeg(.extents([0..<image.jpeg.count])), width: plane.width, height: plane.height)
    }

    @Test("A flat plane is baseline JPEG, one with detail lossless JPEG; both are exact")
    func exact() throws {
        let flat = SamplePlane(
            width: 64, height: 48, bitDepth: 8, codes: .uint8(.init(repeating: 77, count: 3072)))
        let image = try PlaneImage(flat, quality: nil, kept: nil, limits: DecodingLimits())
        #expect(image.description == "baseline JPEG of quality 100, exact")
        #expect(try decoded(image, like: flat) == flat)
        var random = SplitMix(seed: 5)
        let noise = SamplePlane(
            width: 61, height: 47, bitDepth: 8,
            codes: .uint8((0..<61 * 47).map { _ in UInt8.random(in: 0...255, using: &random) }))
        let lossless = try PlaneImage(noise, quality: nil, kept: nil, limits: DecodingLimits())
        #expect(lossless.description == "lossless JPEG (SOF3) of 8 bits, exact")
        #expect(try decoded(lossless, like: noise) == noise)
    }

    @Test("A quality that is asked for says how far codes are off")
    func lossy() throws {
        let ramp = SamplePlane(
            width: 64, height: 64, bitDepth: 8, codes: .uint8((0..<4096).map { UInt8(($0 * $0 / 300) % 256) })
        )
        let image = try PlaneImage(ramp, quality: 50, kept: nil, limits: DecodingLimits())
        let off = zip(try decoded(image, like: ramp).values, ramp.values).map { abs($0 - $1) }.max() ?? 0
        #expect(image.description == "baseline JPEG of quality 50, codes are off by up to \(off)")
    }

    @Test("Lossless JPEG is exact for all sizes, bit depths and Huffman codes", arguments: [8, 16])
    func sizes(bitDepth: Int) throws {
        var random = SplitMix(seed: 17)
        for (width, height) in [(1, 1), (1, 9), (9, 1), (17, 5), (64, 64)] {
            for spread in [0, 1, 7, 255, 65_535] {
                let most = min(spread, 1 << bitDepth - 1)
                let codes = (0..<width * height).map { _ in Int.random(in: 0...most, using: &random) }
                let plane = SamplePlane(
                    width: width, height: height, bitDepth: bitDepth,
                    codes: bitDepth == 8 ? .uint8(codes.map(UInt8.init)) : .uint16(codes.map(UInt16.init)))
                let image = try PlaneImage(plane, quality: nil, kept: nil, limits: DecodingLimits())
                #expect(try decoded(image, like: plane) == plane)
            }
        }
    }
}
