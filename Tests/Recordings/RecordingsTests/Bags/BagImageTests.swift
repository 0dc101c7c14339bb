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

@Suite("Images and cameras of bags")
struct BagImageTests {
    @Test(
        "Colors of a Bayer sensor that grow linearly are interpolated exactly",
        arguments: ["rggb", "grbg", "gbrg", "bggr"])
    func bayer(order: String) throws {
        let size = PixelSize(width: 8, height: 6)
        func color(_ row: Int, _ column: Int) -> RGB<UInt8> {
            RGB(
                red: UInt8(10 + 4 * column + 8 * row), green: UInt8(120 - 4 * column + 4 * row),
                blue: UInt8(50 + 12 * column - 4 * row))
        }
        let pixels = (0..<48).map { index in
            let (row, column) = (index / 8, index % 8)
            let color = color(row, column)
            switch Array(order)[2 * (row % 2) + column % 2] {
            case "r": return color.red
            case "g": return color.green
            default: return color.blue
            }
        }
        let recording = try openedBag(
            BagWriter([.image("/color", "bayer_\(order)8", size, pixels, time: 1)]).mcap())
        let frame = try recording.decodedFrame(at: 0, [.picture])
        for row in 1..<5 {
            for column in 1..<7 {
                #expect(frame.color.samples[8 * row + column] == color(row, column), "\(row), \(column)")
            }
        }
        // One color is the same color at the edges, too.
        let plain = try openedBag(
            BagWriter([
                .image("/color", "bayer_\(order)8", PixelSize(width: 1, height: 3), [9, 9, 9], time: 1)
            ]).mcap())
        let color = try plain.decodedFrame(at: 0, [.picture]).color
        #expect(color.samples == [RGB](repeating: RGB(red: 9, green: 9, blue: 9), count: 3))
    }

    /// Expected colors are those of `cv2.cvtColor(codes, cv2.COLOR_BayerBG2RGB)` with 16 bits (its names spell the pixels
    /// from the second row and column on), divided by 257 and rounded. OpenCV copies the edges from inside.
    @Test(
        "Bayer pictures of 16 bits have the colors of OpenCV, in both byte orders", arguments: [false, true])
    func bayer16(isBigEndian: Bool) throws {
        let size = PixelSize(width: 6, height: 4)
        let codes = (0..<24).map { ($0 * 40503 + 12345) % 65536 }
        let bytes = codes.flatMap { code in
            let pair = littleEndian(code, 2)
            return isBigEndian ? pair.reversed() : pair
        }
        let recording = try openedBag(
            BagWriter([
                .image("/color", "bayer_rggb16", size, bytes, time: 1, isBigEndian: isBigEndian)
            ]).mcap())
        let frame = try recording.decodedFrame(at: 0, [.picture])
        let expected: [[(UInt8, UInt8, UInt8)]] = [
            [(131, 131, 131), (161, 34, 161), (128, 64, 191), (94, 94, 222)],
            [(184, 57, 184), (214, 87, 151), (117, 117, 117), (20, 147, 147)],
        ]
        for (row, colors) in expected.enumerated() {
            for (column, (red, green, blue)) in colors.enumerated() {
                let color = frame.color.samples[6 * (row + 1) + column + 1]
                #expect(color == RGB(red: red, green: green, blue: blue), "\(row + 1), \(column + 1)")
            }
        }
    }

    @Test("Rows with padding and the most significant byte first, and Float32 meters")
    func plainSamples() throws {
        var (padded, colors): ([UInt8], [UInt8]) = ([], [])
        for row in 0..<4 {
            for index in 6 * row..<6 * row + 6 {
                padded += littleEndian(Int(KnownBag.code(0, index)), 2).reversed()
                colors += [7, 0, UInt8(index)]
            }
            padded += [1, 2, 3, 4]
            colors += [9]
        }
        let big = try openedBag(
            BagWriter([
                .image("/depth", "16UC1", KnownBag.size, padded, time: 1, isBigEndian: true),
                .image("/color", "bgr8", KnownBag.size, colors, time: 1),
            ]).mcap())
        var frame = try big.decodedFrame(at: 0)
        #expect(isSame(Array(frame.depth.samples), KnownBag.meters(0)))
        #expect(frame.color.samples[8] == RGB(red: 8, green: 0, blue: 7))
        let floats = KnownBag.meters(1).flatMap { littleEndian(Int($0.bitPattern)) }
        let recording = try openedBag(
            BagWriter([.image("/stereo/depth", "32FC1", KnownBag.size, floats, time: 1)]).rosBag())
        #expect(recording.scale == .absolute && recording.unitsPerMeter == 1)
        frame = try recording.decodedFrame(at: 0, [.depth])
        #expect(isSame(Array(frame.depth.samples), KnownBag.meters(1)))
    }

    @Test("Depth of another camera comes to the pictures' view by the fixed transforms of both")
    func registration() throws {
        let size = PixelSize(width: 64, height: 48)
        let pixels = (0..<64 * 48).flatMap { _ in littleEndian(2000, 2) }
        var place = CameraPose.identity
        // The pictures' camera is 10 cm to the left: a wall 2 m away is 100 · 0.1 / 2 = 5 pixels farther right there.
        place.position.x = -0.1
        let bag = BagWriter([
            .transform("/tf_static", .identity, of: "depth", in: "link", time: 1),
            .transform("/tf_static", place, of: "/color", in: "link", time: 1),
            .camera("/camera/depth/camera_info", 100, size, frame: "depth"),
            .camera("/camera/color/camera_info", 100, size, frame: "color"),
            .image("/camera/depth/image_rect_raw", "16UC1", size, pixels, time: 1, frame: "depth"),
            .image(
                "/camera/color/image_raw", "mono8", size, [UInt8](repeating: 9, count: 64 * 48), time: 1,
                frame: "color"),
        ])
        let recording = try openedBag(bag.mcap())
        #expect(recording.diagnostics.contains { $0.code == "registered-depth" })
        let frame = try recording.decodedFrame(at: 0)
        try #require(frame.depth.size == PixelSize(width: 32, height: 24))
        #expect(frame.color.samples[5] == RGB(red: 9, green: 9, blue: 9))
        for column in 0..<32 {
            let sample = frame.depth.samples[32 * 12 + column]
            #expect(column < 2 ? sample.isNaN : abs(sample - 2) < 1e-6, "\(column): \(sample)")
        }
    }

    @Test("Rectified images have the camera of P, and others that of K with its lens")
    func cameras() throws {
        let depth = Array(repeating: UInt8(5), count: 48)
        func recording(_ topic: String) throws -> Recording {
            try openedBag(
                BagWriter([
                    .camera(
                        "/left/camera_info", 5, KnownBag.size, [0.1, 0, 0, 0, 0], rectified: 4, frame: "left"),
                    .image("/left/" + topic, "16UC1", KnownBag.size, depth, time: 1, frame: "left"),
                ]).mcap())
        }
        let rectified = try recording("image_rect")
        #expect(
            rectified.intrinsics?.fx == 4 && !rectified.diagnostics.contains { $0.code == .assumedCamera })
        #expect(rectified.intrinsics?.lens == nil)
        let raw = try recording("image_raw")
        #expect(raw.intrinsics?.fx == 5 && raw.intrinsics?.lens?.radial == SIMD3(0.1, 0, 0))
    }
}
