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

/// Bags of depth and pictures of 6 × 4 pixels whose values are known.
enum KnownBag {
    static let size = PixelSize(width: 6, height: 4)
    static let depthTopic = "/camera/aligned_depth_to_color/image_raw"
    static let colorTopic = "/camera/color/image_raw"

    /// The code of a sample: 0 in the first column, elsewhere at least 1000.
    static func code(_ frame: Int, _ index: Int) -> UInt16 {
        index % 6 == 0 ? 0 : UInt16(1000 + 50 * frame + index)
    }
    static func codes(_ frame: Int) -> [UInt16] { (0..<24).map { code(frame, $0) } }
    static func meters(_ frame: Int) -> [Float] { codes(frame).map { $0 == 0 ? .nan : Float($0) / 1000 } }

    /// Float32 samples of one distance.
    static func bytes(meters: Float) -> [UInt8] {
        (0..<24).flatMap { _ in littleEndian(Int(meters.bitPattern)) }
    }

    static func depth(_ frame: Int) -> RecordedMessage {
        .image(
            depthTopic, "16UC1", size, codes(frame).flatMap { littleEndian(Int($0), 2) },
            time: 100 + Double(frame) / 10, frame: "color", at: 200 + Double(frame) / 10)
    }
    static func color(_ frame: Int) -> RecordedMessage {
        let pixels: [UInt8] = (0..<24).flatMap { index -> [UInt8] in [UInt8(index), UInt8(frame), 7] }
        return .image(
            colorTopic, "rgb8", size, pixels, time: 100.004 + Double(frame) / 10, frame: "color",
            at: 200.004 + Double(frame) / 10)
    }
    static let camera = RecordedMessage.camera("/camera/color/camera_info", 5, size, frame: "color")
    static let chatter = RecordedMessage("/chatter", "std_msgs/String", at: 200) { $0.add("hello") }

    /// The offset of a sample in the last depth map.
    static func placeOfLastDepth(_ bytes: [UInt8]) throws -> Int {
        let codes = littleEndian(Int(code(3, 1)), 2) + littleEndian(Int(code(3, 2)), 2)
        return try #require((0..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == codes })
    }

    /// Four frames in two chunks.
    static let bag: BagWriter = {
        var bag = BagWriter([camera, depth(0), color(0), chatter, depth(1), color(1)])
        bag.chunks.append([depth(2), color(2), chatter, depth(3), color(3)])
        return bag
    }()
}

func openedBag(
    _ bytes: [UInt8], topics: [String] = [], _ limits: DecodingLimits = DecodingLimits()
) throws -> Recording {
    var reading = ReadingOptions()
    reading.topics = topics
    let draft = try BagReader.read(MemorySource(bytes), reading, limits)
    var finisher = RecordingFinisher(draft: draft, reading: reading, limits: limits)
    return try finisher.recording(at: "a.bag")
}

/// Whether two lists are the same, with unknown samples at the same indices.
func isSame(_ a: [Float], _ b: [Float]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) }
}

/// Checks the four frames of ``KnownBag/bag``.
func expectKnown(_ recording: Recording, count: Int = 4) throws {
    #expect(recording.frames.count == count && recording.colorCount == count)
    #expect(recording.intrinsics == Intrinsics(fx: 5, fy: 5, cx: 2.5, cy: 1.5))
    #expect(recording.scale == .absolute && recording.unitsPerMeter == 1000)
    for index in 0..<count {
        let frame = try recording.decodedFrame(at: index)
        #expect(isSame(Array(frame.depth.samples), KnownBag.meters(index)))
        #expect(frame.color.samples[8] == RGB(red: 8, green: UInt8(index), blue: 7))
        #expect(abs(frame.time - Double(index) / 10) < 1e-6)
    }
}
