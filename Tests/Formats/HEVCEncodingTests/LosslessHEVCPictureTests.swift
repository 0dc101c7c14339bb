import Bytes
import Codecs
import DepthMaps
import Foundation
import TestSupport
import Testing

@testable import HEVCEncoding
@testable import PhotoFormats

@Suite("Lossless HEVC")
struct LosslessHEVCPictureTests {
    /// The samples that libde265 decodes from a picture.
    private func decoded(_ picture: LosslessHEVCPicture, _ width: Int, _ height: Int) throws -> SamplePlane {
        var cursor = ByteCursor(picture.configuration.span, base: 0, path: StructurePath())
        let coded = CodedPicture(
            configuration: .hevc(try HEVCConfiguration(parsing: &cursor)), extents: [0..<picture.data.count],
            width: width, height: height, color: nil, itemID: 1)
        return try ImageDecoder(MemorySource(picture.data), limits: DecodingLimits())
            .codes(of: .picture(coded), width: width, height: height)
    }

    private func expectLossless(_ width: Int, _ height: Int, _ samples: [UInt8]) throws {
        let picture = LosslessHEVCPicture(width: width, height: height, samples: samples)
        #expect(try decoded(picture, width, height).codes == .uint8(samples), "\(width) × \(height)")
    }

    @Test(
        "A configuration with more parameter sets than there are is an error: they are read again for every tile"
    )
    func manyUnits() throws {
        let picture = LosslessHEVCPicture(width: 16, height: 16, samples: [UInt8](repeating: 7, count: 256))
        for (count, isFine) in [(100, true), (200, false)] {
            // One more array of NAL units, of two bytes each (ISO/IEC 14496-15 §8.3.3.1.2).
            var bytes = picture.configuration
            bytes[22] += 1
            bytes += [39, 0, UInt8(count)] + (0..<count).flatMap { _ in [0, 2, 78, 1] as [UInt8] }
            var cursor = ByteCursor(bytes.span, base: 0, path: StructurePath())
            let found = try? HEVCConfiguration(parsing: &cursor)
            #expect((found != nil) == isFine)
        }
    }

    @Test("Planes of any size come back as they were", arguments: 1...20)
    func sizes(number: Int) throws {
        var random = SplitMix(seed: UInt64(number))
        let width = number == 1 ? 1 : Int.random(in: 1...180, using: &random)
        let height = number == 2 ? 1 : Int.random(in: 1...140, using: &random)
        let spread = [1, 3, 20, 255][number % 4]
        let samples = (0..<width * height).map { index in
            UInt8(clamping: index % width / 3 + Int.random(in: 0...spread, using: &random))
        }
        try expectLossless(width, height, samples)
    }

    @Test(
        "Long, thin and odd planes come back as they were",
        arguments: [
            (4096, 1), (1, 4096), (4095, 3), (2, 4001), (8, 8), (7, 9), (63, 65), (64, 64), (65, 63),
            (1031, 129), (4096, 37),
        ])
    func extremes(width: Int, height: Int) throws {
        var random = SplitMix(seed: UInt64(width * 5000 + height))
        var samples: [UInt8] = []
        for row in 0..<height {
            for column in 0..<width {
                let noise = Int.random(in: 0...5, using: &random)
                samples.append(UInt8((column / 9 + row / 4 + noise) % 256))
            }
        }
        try expectLossless(width, height, samples)
    }

    @Test("Flat, striped and steep planes come back as they were")
    func shapes() throws {
        let (width, height) = (150, 90)
        for shape in 0..<8 {
            let samples = (0..<width * height).map { index -> UInt8 in
                let (x, y) = (index % width, index / width)
                switch shape {
                case 0: return 0
                case 1: return 255
                case 2: return x % 2 == 0 ? 255 : 0
                case 3: return y % 2 == 0 ? 255 : 0
                case 4: return (x + y) % 2 == 0 ? 255 : 0
                case 5: return UInt8((x * 7 + y * 3) / 4 % 256)
                case 6: return x > 70 && y > 33 ? 200 : UInt8(x)
                default: return (x - 60) * (x - 60) + (y - 40) * (y - 40) < 900 ? 180 : 40
                }
            }
            try expectLossless(width, height, samples)
        }
    }

    @Test("A second decoder agrees", .needsFFmpegProgram)
    func secondDecoder() throws {
        var random = SplitMix(seed: 77)
        let (width, height) = (131, 77)
        let samples = (0..<width * height).map {
            UInt8(clamping: $0 % width + Int.random(in: 0...9, using: &random))
        }
        let folder = TemporaryFolder()
        let picture = LosslessHEVCPicture(width: width, height: height, samples: samples)
        let (input, output) = (try folder.write(picture.byteStream, to: "p.hevc"), folder.file("p.raw"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/ffmpeg")
        process.arguments = [
            "-v", "error", "-f", "hevc", "-i", input, "-pix_fmt", "gray", "-f", "rawvideo", output,
        ]
        try process.run()
        process.waitUntilExit()
        #expect(try folder.bytes(of: "p.raw") == samples)
    }

    @Test(
        "The parameter sets say what ImageIO's do: profile 4, its constraints, monochrome, 8 bits, full range"
    )
    func configuration() {
        let picture = LosslessHEVCPicture(
            width: 768, height: 576, samples: .init(repeating: 9, count: 768 * 576))
        // Version, profile, compatibility, constraints, level 3 (552,960 samples at most: Table A.8).
        #expect(
            Array(picture.configuration.prefix(13)) == [1, 4, 8, 0, 0, 0, 0xBF, 0xC8, 0, 0, 0, 0, 90])
        #expect(Array(picture.configuration[13..<23]) == [0xF0, 0, 0xFC, 0xFC, 0xF8, 0xF8, 0, 0, 0x0F, 3])
        // One level up, by samples and by the longer side (§A.4.1: the square root of eight times the samples).
        #expect(
            LosslessHEVCPicture(width: 8, height: 4000, samples: .init(repeating: 0, count: 32_000))
                .configuration[12] == 120)
    }

    @Test("A flat plane takes less than a byte for each 32 × 32 samples, and a ramp less than a bit a sample")
    func size() {
        let flat = LosslessHEVCPicture(
            width: 640, height: 480, samples: .init(repeating: 9, count: 640 * 480))
        #expect(flat.data.count < 20 * 15)
        let ramp = LosslessHEVCPicture(
            width: 640, height: 480, samples: (0..<640 * 480).map { UInt8($0 % 640 * 255 / 639) })
        #expect(ramp.data.count < 640 * 480 / 8)
    }

    @Test("Scans go as the standard draws them")
    func scans() {
        // 6.5.3: up-right diagonals from the top left.
        #expect(ScanOrder.of(size: 1, kind: 0) == [0, 8, 1, 9])
        #expect(ScanOrder.of(size: 1, kind: 1) == [0, 1, 8, 9])
        #expect(ScanOrder.of(size: 1, kind: 2) == [0, 8, 1, 9])
        #expect(ScanOrder.of(size: 2, kind: 0).prefix(6) == [0, 8, 1, 16, 9, 2])
    }
}
