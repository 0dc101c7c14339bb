import Bytes
import DepthMaps
import DepthTypes
import Foundation
import RecordingWriting
import Scenes
import TestFrames
import TestSupport
import Testing

@testable import Recordings

@Suite("Topics of bags")
struct BagTopicTests {
    @Test("Topics are listed with their type, number and rate, and what they are used for")
    func topics() throws {
        let topics = try #require(try openedBag(KnownBag.bag.mcap()).topics)
        #expect(
            topics.map(\.name) == [
                "/camera/color/camera_info", KnownBag.depthTopic, KnownBag.colorTopic, "/chatter",
            ])
        #expect(topics.map(\.type)[1...] == ["sensor_msgs/Image", "sensor_msgs/Image", "std_msgs/String"])
        #expect(topics.map(\.count) == [1, 4, 4, 2])
        #expect(topics.map(\.role) == [nil, .depth, .color, nil])
        let rate = try #require(topics[1].rate)
        #expect(abs(rate - 10) < 1e-6 && topics[0].rate == nil && topics[3].rate == nil)
    }

    @Test("Depth in the pictures' view is preferred, and another topic can be chosen by its name")
    func choice() throws {
        var bag = KnownBag.bag
        for frame in 0..<4 {
            let codes = KnownBag.codes(frame).flatMap { littleEndian(Int($0) + 1, 2) }
            let time = 100 + Double(frame) / 10
            bag.chunks[0].insert(
                .image(
                    "/camera/depth/image_rect_raw", "16UC1", KnownBag.size, codes, time: time, frame: "depth"),
                at: 0)
            bag.add(.image("/ir/image_raw", "mono16", KnownBag.size, codes, time: time, frame: "color"))
        }
        let bytes = try bag.mcap()
        let automatic = try openedBag(bytes)
        try expectKnown(automatic)
        #expect(automatic.diagnostics.contains { $0.code == .otherTopics })
        let chosen = try openedBag(bytes, topics: ["camera/depth/image_rect_raw"])
        let frame = try chosen.decodedFrame(at: 0, [.depth])
        #expect(frame.depth.samples[1] == Float(KnownBag.code(0, 1) + 1) / 1000)
        #expect(chosen.diagnostics.contains { $0.code == "different-view" })
        let unknown = #expect(throws: ContainerError.self) { try openedBag(bytes, topics: ["/nothing"]) }
        #expect(unknown?.message.contains("/camera/color/image_raw") == true)
        let other = #expect(throws: ContainerError.self) { try openedBag(bytes, topics: ["/chatter"]) }
        #expect(other?.message.contains("std_msgs/String") == true)
    }

    @Test("A topic is chosen in the library, and only a bag has topics")
    func library() throws {
        let folder = TemporaryFolder()
        var bag = KnownBag.bag
        bag.add(.image("/other/depth", "32FC1", KnownBag.size, KnownBag.bytes(meters: 3), time: 100.3))
        let path = try folder.write(bag.mcap(), to: "a.mcap")
        #expect(try Recording(contentsOf: path).frameCount == 4)
        var reading = ReadingOptions()
        reading.topics = ["/other/depth"]
        let recording = try Recording(contentsOf: path, reading: reading)
        #expect(try recording.scene(at: 0).depth().meters == [Float](repeating: 3, count: 24))
        reading.topics = ["/none"]
        let error = #expect(throws: ContainerError.self) {
            try Recording(contentsOf: path, reading: reading)
        }
        for name in [KnownBag.depthTopic, KnownBag.colorTopic, "/chatter", "/other/depth"] {
            #expect(error?.message.contains(name) == true)
        }
        let room = try RecordingWriter().write(.sevenScenes, into: folder)
        #expect(throws: RecordingError.noTopics) { try Recording(contentsOf: room, reading: reading) }
    }

    @Test("The images of a topic have one kind, and those of another kind are reported")
    func kinds() throws {
        var bag = KnownBag.bag
        bag.add(
            .image(
                KnownBag.depthTopic, "16UC1", PixelSize(width: 3, height: 4),
                [UInt8](repeating: 1, count: 24),
                time: 101))
        let recording = try openedBag(bag.mcap())
        #expect(recording.frames.count == 4)
        #expect(recording.diagnostics.contains { $0.message.contains("several kinds") })
    }

    @Test("Messages that are not those of ROS are named with their encoding, and what to do")
    func otherEncoding() throws {
        let error = #expect(throws: ContainerError.self) {
            try openedBag(KnownBag.bag.mcap(encoding: "protobuf"))
        }
        let message = error?.message ?? ""
        #expect(message.contains("\(KnownBag.depthTopic) are encoded as 'protobuf'"), "\(message)")
        #expect(message.contains("convert them"), "\(message)")
    }
}
