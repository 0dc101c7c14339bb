import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Foundation
import RecordingWriting
import Scenes
import TestFrames
import TestSupport
import Testing

@testable import Recordings

@Suite("Compressed images of bags")
struct CompressedImageTests {
    private static func png(_ codes: [UInt16]) throws -> [UInt8] {
        var scene = RoomScene()
        (scene.width, scene.height) = (KnownBag.size.width, KnownBag.size.height)
        return try scene.png(.gray16(codes))
    }

    private static func first(_ message: RecordedMessage) throws -> (Recording, TestFrame) {
        let recording = try openedBag(BagWriter([message]).mcap())
        let frame = try recording.decodedFrame(at: 0)
        return (recording, frame)
    }

    @Test("16-bit depth as PNG", arguments: ["16UC1; compressedDepth png", "16UC1; compressedDepth"])
    func depthPNG(format: String) throws {
        let content = [UInt8](repeating: 0, count: 12) + (try Self.png(KnownBag.codes(2)))
        let (recording, frame) = try Self.first(
            .compressed("/depth/compressedDepth", format, content, time: 1))
        #expect(isSame(Array(frame.depth.samples), KnownBag.meters(2)))
        #expect(recording.depthSize == KnownBag.size && recording.scale == .absolute)
    }

    @Test("16-bit depth as a PNG file without parameters")
    func plainPNG() throws {
        let message = RecordedMessage.compressed(
            "/depth/compressed", "16UC1; png compressed ", try Self.png(KnownBag.codes(1)), time: 1)
        let (recording, frame) = try Self.first(message)
        #expect(isSame(Array(frame.depth.samples), KnownBag.meters(1)))
        #expect(recording.scale == .absolute)
    }

    @Test("Inverse depth as PNG: z = a / (code − b)")
    func inverse() throws {
        // depth_quantization 100 and depth_max 10, as in codec.cpp: a = 100 · 101, b = 1 − a / 10.
        let (a, b) = (Float(10100), Float(-1009))
        let parameters =
            littleEndian(0) + littleEndian(Int(a.bitPattern)) + littleEndian(Int(b.bitPattern))
        let message = RecordedMessage.compressed(
            "/depth/compressedDepth", "32FC1; compressedDepth png",
            parameters + (try Self.png(KnownBag.codes(0))),
            time: 1)
        let (recording, frame) = try Self.first(message)
        // 10100 / (1001 + 1009) = 5.024876.
        #expect(frame.depth.samples[0].isNaN && abs(frame.depth.samples[1] - 5.024876) < 1e-5)
        #expect(recording.unitsPerMeter == 1 && recording.scale == .absolute)
    }

    @Test("RVL: runs of zeros and differences in groups of three bits")
    func rvl() throws {
        // By hand, for 0 0 1000 1001 999 0: 2 zeros; 3 others; +1000, +1, −2 as 2000, 2, 3; 1 zero; no others.
        // 2000 = 0 2 7 3 in octal digits, lowest first.
        let groups: [UInt8] = [2, 3, 8 | 0, 8 | 2, 8 | 7, 3, 2, 3, 1, 0, 0, 0, 0, 0, 0, 0]
        var words: [UInt8] = []
        for start in stride(from: 0, to: groups.count, by: 8) {
            words += littleEndian(groups[start..<start + 8].reduce(0) { $0 << 4 | Int($1) })
        }
        func content(_ width: Int) -> [UInt8] {
            [UInt8](repeating: 0, count: 12) + littleEndian(width) + littleEndian(2) + words
        }
        let format = "16UC1; compressedDepth rvl"
        let (_, frame) = try Self.first(.compressed("/depth/compressedDepth", format, content(3), time: 1))
        #expect(isSame(Array(frame.depth.samples), [.nan, .nan, 1, 1.001, 0.999, .nan]))
        // Two samples fewer than the runs, and more samples than there are.
        for width in [2, 4, 1000] {
            #expect(throws: ContainerError.self) {
                try Self.first(.compressed("/depth/compressedDepth", format, content(width), time: 1))
            }
        }
    }

    @Test("An empty run of RVL is refused: others could follow it without end")
    func emptyRun() throws {
        // No zeros and no others, then 6 zeros.
        let words = littleEndian(0x0060_0000)
        let content = [UInt8](repeating: 0, count: 12) + littleEndian(3) + littleEndian(2) + words
        let error = #expect(throws: ContainerError.self) {
            try Self.first(
                .compressed("/depth/compressedDepth", "16UC1; compressedDepth rvl", content, time: 1))
        }
        #expect("\(try #require(error))".contains("an empty run"))
    }

    @Test("A picture file is a picture, and a movie's picture is not supported")
    func picture() throws {
        let picture = try RoomScene().colorPNG(
            [RGB<UInt8>](repeating: RGB(red: 9, green: 8, blue: 7), count: 160 * 120))
        let (recording, frame) = try Self.first(
            .compressed("/color/image_raw/compressed", "rgb8; png compressed bgr8", picture, time: 1))
        #expect(recording.colorSize == PixelSize(width: 160, height: 120))
        #expect(frame.color.samples[100] == RGB(red: 9, green: 8, blue: 7))
        #expect(throws: ContainerError.self) {
            try Self.first(.compressed("/color/h264", "h264", [0, 0, 0, 1], time: 1))
        }
    }
}
