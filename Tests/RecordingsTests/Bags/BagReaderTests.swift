import ByteParsing
import DepthCore
import DepthModel
import Foundation
import ImageCodecs
import RecordingWriting
import Sequences
import TestSupport
import Testing

@testable import Recordings

/// Bags of depth and pictures of 6 × 4 pixels whose values are known.
private enum Known {
    static let size = PixelSize(width: 6, height: 4)
    static let depthTopic = "/camera/aligned_depth_to_color/image_raw"
    static let colorTopic = "/camera/color/image_raw"

    /// The code of a sample: 0 in the first column, elsewhere at least 1000.
    static func code(_ frame: Int, _ index: Int) -> UInt16 {
        index % 6 == 0 ? 0 : UInt16(1000 + 50 * frame + index)
    }
    static func codes(_ frame: Int) -> [UInt16] { (0..<24).map { code(frame, $0) } }
    static func meters(_ frame: Int) -> [Float] { codes(frame).map { $0 == 0 ? .nan : Float($0) / 1000 } }

    static func depth(_ frame: Int) -> RecordedMessage {
        .image(
            depthTopic, "16UC1", size, codes(frame).flatMap { BagWriter.number(Int($0), bytes: 2) },
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
        let codes = BagWriter.number(Int(code(3, 1)), bytes: 2) + BagWriter.number(Int(code(3, 2)), bytes: 2)
        return try #require((0..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == codes })
    }

    /// Four frames in two chunks.
    static let bag: BagWriter = {
        var bag = BagWriter([camera, depth(0), color(0), chatter, depth(1), color(1)])
        bag.chunks.append([depth(2), color(2), chatter, depth(3), color(3)])
        return bag
    }()
}

private func opened(
    _ bytes: [UInt8], topics: [String] = [], _ limits: DecodingLimits = DecodingLimits()
) throws -> ListedRecording {
    var reading = RecordingReading()
    reading.topics = topics
    let draft = try BagReader.read(MemorySource(bytes), reading, limits)
    var finisher = RecordingFinisher(draft: draft, reading: reading, limits: limits)
    return try finisher.recording(at: "a.bag")
}

/// Whether two lists are the same, with unknown samples at the same indices.
private func isSame(_ a: [Float], _ b: [Float]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) }
}

/// Checks the four frames of ``Known/bag``.
private func expectKnown(_ recording: ListedRecording, count: Int = 4) throws {
    #expect(recording.frames.count == count && recording.colorCount == count)
    #expect(recording.intrinsics == Intrinsics(fx: 5, fy: 5, cx: 2.5, cy: 1.5))
    #expect(recording.scale == .metric && recording.unitsPerMeter == 1000)
    var decoder = FrameDecoder(recording)
    var frame = SequenceFrame()
    for index in 0..<count {
        try decoder.read(.all, ofFrameAt: index, into: &frame)
        #expect(isSame(Array(frame.depth.samples), Known.meters(index)))
        #expect(frame.color.samples[8] == RGB(red: 8, green: UInt8(index), blue: 7))
        #expect(abs(frame.time - Double(index) / 10) < 1e-6)
    }
}

@Suite("Bags")
struct BagReaderTests {
    @Test("A bag of ROS 1 gives the values that were written", arguments: BagWriter.Packing.ofROS1)
    func ros1(packing: BagWriter.Packing) throws {
        let recording = try opened(Known.bag.rosBag(packing))
        try expectKnown(recording)
        #expect(recording.layout == .rosBag)
    }

    @Test("An MCAP file gives the values that were written", arguments: BagWriter.Packing.ofMCAP)
    func mcap(packing: BagWriter.Packing) throws {
        for isBigEndian in [false, true] {
            let recording = try opened(Known.bag.mcap(packing, isBigEndian: isBigEndian))
            try expectKnown(recording)
            #expect(recording.layout == .mcap && recording.diagnostics.isEmpty)
        }
        try expectKnown(try opened(Known.bag.mcap(isChunked: false)))
        try expectKnown(try opened(Known.bag.mcap(packing, encoding: "ros1")))
    }

    @Test(
        "A database of rosbag2 gives the values that were written, also with compressed messages, and compressed",
        .enabled(if: SystemLibrary.areAvailable, "a library is missing"))
    func database() throws {
        for isPacked in [false, true] {
            let recording = try opened(Known.bag.database(isPacked: isPacked))
            try expectKnown(recording)
            #expect(recording.layout == .rosbag2)
        }
        try expectKnown(try opened(SystemLibrary.zstandard(Known.bag.database())))
        try expectKnown(try opened(SystemLibrary.zstandard(Known.bag.mcap())))
    }

    @Test(
        "A folder of rosbag2 is read file by file, and a missing one is reported",
        .enabled(if: SystemLibrary.areAvailable, "a library is missing"))
    func folder() throws {
        let folder = try TemporaryFolder()
        for (index, chunk) in Known.bag.chunks.enumerated() {
            try folder.write(BagWriter(chunk).database(), to: "bag_\(index).db3")
        }
        let list = "rosbag2_bagfile_information:\n  relative_file_paths:\n    - bag_0.db3\n    - bag_1.db3\n"
        try folder.write(text: list + "    - ../bag_2.db3\n  ros_distro: humble\n", to: "metadata.yaml")
        let recording = try ListedRecording(contentsOf: folder.path)
        try expectKnown(recording)
        #expect(recording.diagnostics.contains { $0.message.contains("bag_2.db3") })
        #expect(ListedRecording.isRecording(folder: folder.path))
    }

    @Test("A served file is a recording if it is a bag")
    func served() throws {
        let bag = MemorySource(try Known.bag.mcap(.lz4))
        try expectKnown(try #require(try ListedRecording(bag: bag, path: "a.mcap")))
        #expect(try ListedRecording(bag: MemorySource([0xFF, 0xD8, 0xFF]), path: "a.jpg") == nil)
    }

    @Test("The default limit of input grows with the bag, and any other limit stays")
    func inputLimit() {
        var limits = DecodingLimits()
        #expect(BagFormat.limits(limits, ofBytes: 1 << 20)[.inputBytes] == 1 << 31)
        #expect(BagFormat.limits(limits, ofBytes: 1 << 33)[.inputBytes] == 1 << 37)
        limits[.inputBytes] = 1000
        #expect(BagFormat.limits(limits, ofBytes: 1 << 33)[.inputBytes] == 1000)
    }

    @Test("Topics are listed with their type, number and rate, and what they are used for")
    func topics() throws {
        let topics = try #require(try opened(Known.bag.mcap()).topics)
        #expect(
            topics.map(\.name) == [
                "/camera/color/camera_info", Known.depthTopic, Known.colorTopic, "/chatter",
            ])
        #expect(topics.map(\.type)[1...] == ["sensor_msgs/Image", "sensor_msgs/Image", "std_msgs/String"])
        #expect(topics.map(\.count) == [1, 4, 4, 2])
        #expect(topics.map(\.role) == [nil, .depth, .color, nil])
        let rate = try #require(topics[1].rate)
        #expect(abs(rate - 10) < 1e-6 && topics[0].rate == nil && topics[3].rate == nil)
    }

    @Test("Depth in the pictures' view is preferred, and another topic can be chosen by its name")
    func choice() throws {
        var bag = Known.bag
        for frame in 0..<4 {
            let codes = Known.codes(frame).flatMap { BagWriter.number(Int($0) + 1, bytes: 2) }
            let time = 100 + Double(frame) / 10
            bag.chunks[0].insert(
                .image(
                    "/camera/depth/image_rect_raw", "16UC1", Known.size, codes, time: time, frame: "depth"),
                at: 0)
            bag.add(.image("/ir/image_raw", "mono16", Known.size, codes, time: time, frame: "color"))
        }
        let bytes = try bag.mcap()
        let automatic = try opened(bytes)
        try expectKnown(automatic)
        #expect(automatic.diagnostics.contains { $0.code == .otherTopics })
        let chosen = try opened(bytes, topics: ["camera/depth/image_rect_raw"])
        var decoder = FrameDecoder(chosen)
        var frame = SequenceFrame()
        try decoder.read(.depth, ofFrameAt: 0, into: &frame)
        #expect(frame.depth.samples[1] == Float(Known.code(0, 1) + 1) / 1000)
        #expect(chosen.diagnostics.contains { $0.code == "different-view" })
        let unknown = #expect(throws: ContainerError.self) { try opened(bytes, topics: ["/nothing"]) }
        #expect(unknown?.message.contains("/camera/color/image_raw") == true)
        let other = #expect(throws: ContainerError.self) { try opened(bytes, topics: ["/chatter"]) }
        #expect(other?.message.contains("std_msgs/String") == true)
    }

    @Test("Depth of another camera comes to the pictures' view by the fixed transforms of both")
    func registration() throws {
        let size = PixelSize(width: 64, height: 48)
        let pixels = (0..<64 * 48).flatMap { _ in BagWriter.number(2000, bytes: 2) }
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
        let recording = try opened(bag.mcap())
        #expect(recording.diagnostics.contains { $0.code == "registered-depth" })
        var decoder = FrameDecoder(recording)
        var frame = SequenceFrame()
        try decoder.read(.all, ofFrameAt: 0, into: &frame)
        try #require(frame.depth.size == PixelSize(width: 32, height: 24))
        #expect(frame.color.samples[5] == RGB(red: 9, green: 9, blue: 9))
        for column in 0..<32 {
            let sample = frame.depth.samples[32 * 12 + column]
            #expect(column < 2 ? sample.isNaN : abs(sample - 2) < 1e-6, "\(column): \(sample)")
        }
    }

    @Test("Rectified images have the camera of P, and a lens with distortion is noted")
    func cameras() throws {
        let depth = Array(repeating: UInt8(5), count: 48)
        func recording(_ topic: String) throws -> ListedRecording {
            try opened(
                BagWriter([
                    .camera(
                        "/left/camera_info", 5, Known.size, [0.1, 0, 0, 0, 0], rectified: 4, frame: "left"),
                    .image("/left/" + topic, "16UC1", Known.size, depth, time: 1, frame: "left"),
                ]).mcap())
        }
        let rectified = try recording("image_rect")
        #expect(
            rectified.intrinsics?.fx == 4 && !rectified.diagnostics.contains { $0.code == .assumedCamera })
        let raw = try recording("image_raw")
        #expect(raw.intrinsics?.fx == 5 && raw.diagnostics.contains { $0.code == .assumedCamera })
    }

    @Test("Rows with padding and the most significant byte first, and Float32 meters")
    func plainSamples() throws {
        var (padded, colors): ([UInt8], [UInt8]) = ([], [])
        for row in 0..<4 {
            for index in 6 * row..<6 * row + 6 {
                padded += BagWriter.number(Int(Known.code(0, index)), bytes: 2).reversed()
                colors += [7, 0, UInt8(index)]
            }
            padded += [1, 2, 3, 4]
            colors += [9]
        }
        let big = try opened(
            BagWriter([
                .image("/depth", "16UC1", Known.size, padded, time: 1, isBigEndian: true),
                .image("/color", "bgr8", Known.size, colors, time: 1),
            ]).mcap())
        var decoder = FrameDecoder(big)
        var frame = SequenceFrame()
        try decoder.read(.all, ofFrameAt: 0, into: &frame)
        #expect(isSame(Array(frame.depth.samples), Known.meters(0)))
        #expect(frame.color.samples[8] == RGB(red: 8, green: 0, blue: 7))
        let floats = Known.meters(1).flatMap { BagWriter.number(Int($0.bitPattern)) }
        let recording = try opened(
            BagWriter([.image("/stereo/depth", "32FC1", Known.size, floats, time: 1)]).rosBag())
        #expect(recording.scale == .metric && recording.unitsPerMeter == 1)
        decoder = FrameDecoder(recording)
        try decoder.read(.depth, ofFrameAt: 0, into: &frame)
        #expect(isSame(Array(frame.depth.samples), Known.meters(1)))
    }

    @Test("The images of a topic have one kind, and those of another kind are reported")
    func kinds() throws {
        var bag = Known.bag
        bag.add(
            .image(
                Known.depthTopic, "16UC1", PixelSize(width: 3, height: 4), [UInt8](repeating: 1, count: 24),
                time: 101))
        let recording = try opened(bag.mcap())
        #expect(recording.frames.count == 4)
        #expect(recording.diagnostics.contains { $0.message.contains("several kinds") })
    }

    @Test("Messages that are not those of ROS are named")
    func otherEncoding() throws {
        let error = #expect(throws: ContainerError.self) { try opened(Known.bag.mcap(encoding: "protobuf")) }
        #expect(error?.message.contains(Known.depthTopic) == true, "\(error?.message ?? "")")
    }
}

@Suite("Compressed images of bags")
struct CompressedImageTests {
    private static func png(_ codes: [UInt16]) throws -> [UInt8] {
        var scene = RoomScene()
        (scene.width, scene.height) = (Known.size.width, Known.size.height)
        return try scene.png(.gray16(codes))
    }

    private static func first(_ message: RecordedMessage) throws -> (ListedRecording, SequenceFrame) {
        let recording = try opened(BagWriter([message]).mcap())
        var decoder = FrameDecoder(recording)
        var frame = SequenceFrame()
        try decoder.read(.all, ofFrameAt: 0, into: &frame)
        return (recording, frame)
    }

    @Test("16-bit depth as PNG", arguments: ["16UC1; compressedDepth png", "16UC1; compressedDepth"])
    func depthPNG(format: String) throws {
        let content = [UInt8](repeating: 0, count: 12) + (try Self.png(Known.codes(2)))
        let (recording, frame) = try Self.first(
            .compressed("/depth/compressedDepth", format, content, time: 1))
        #expect(isSame(Array(frame.depth.samples), Known.meters(2)))
        #expect(recording.depthSize == Known.size && recording.scale == .metric)
    }

    @Test("16-bit depth as a PNG file without parameters")
    func plainPNG() throws {
        let message = RecordedMessage.compressed(
            "/depth/compressed", "16UC1; png compressed ", try Self.png(Known.codes(1)), time: 1)
        let (recording, frame) = try Self.first(message)
        #expect(isSame(Array(frame.depth.samples), Known.meters(1)))
        #expect(recording.scale == .metric)
    }

    @Test("Inverse depth as PNG: z = a / (code − b)")
    func inverse() throws {
        // depth_quantization 100 and depth_max 10, as in codec.cpp: a = 100 · 101, b = 1 − a / 10.
        let (a, b) = (Float(10100), Float(-1009))
        let parameters =
            BagWriter.number(0) + BagWriter.number(Int(a.bitPattern)) + BagWriter.number(Int(b.bitPattern))
        let message = RecordedMessage.compressed(
            "/depth/compressedDepth", "32FC1; compressedDepth png",
            parameters + (try Self.png(Known.codes(0))),
            time: 1)
        let (recording, frame) = try Self.first(message)
        // 10100 / (1001 + 1009) = 5.024876.
        #expect(frame.depth.samples[0].isNaN && abs(frame.depth.samples[1] - 5.024876) < 1e-5)
        #expect(recording.unitsPerMeter == 1 && recording.scale == .metric)
    }

    @Test("RVL: runs of zeros and differences in groups of three bits")
    func rvl() throws {
        // By hand, for 0 0 1000 1001 999 0: 2 zeros; 3 others; +1000, +1, −2 as 2000, 2, 3; 1 zero; no others.
        // 2000 = 0 2 7 3 in octal digits, lowest first.
        let groups: [UInt8] = [2, 3, 8 | 0, 8 | 2, 8 | 7, 3, 2, 3, 1, 0, 0, 0, 0, 0, 0, 0]
        var words: [UInt8] = []
        for start in stride(from: 0, to: groups.count, by: 8) {
            words += BagWriter.number(groups[start..<start + 8].reduce(0) { $0 << 4 | Int($1) })
        }
        func content(_ width: Int) -> [UInt8] {
            [UInt8](repeating: 0, count: 12) + BagWriter.number(width) + BagWriter.number(2) + words
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

@Suite("Poses of bags")
struct BagPoseTests {
    private static func images(frame: String) -> [RecordedMessage] {
        (0..<4).map { index in
            .image(
                "/depth/image", "16UC1", Known.size, [UInt8](repeating: 4, count: 48),
                time: 10 + Double(index) / 10,
                frame: frame)
        }
    }

    /// The camera looks along the body's x axis, and is 20 cm in front of it.
    private static let mount = CameraPose(
        right: SIMD3(0, -1, 0), down: SIMD3(0, 0, -1), forward: SIMD3(1, 0, 0), position: SIMD3(0.2, 0, 0.3))

    /// The pose of a body that moves along x and turns to the left.
    private static func body(_ time: Double) -> CameraPose {
        let angle = 0.5 * (time - 10)
        let (sine, cosine) = (sin(angle), cos(angle))
        return CameraPose(
            right: SIMD3(cosine, sine, 0), down: SIMD3(-sine, cosine, 0), forward: SIMD3(0, 0, 1),
            position: SIMD3(time - 10, 0.5, 0))
    }

    private static func expectPoses(_ recording: ListedRecording, _ expected: (Double) -> CameraPose) {
        #expect(recording.poseCount == 4)
        for (index, frame) in recording.frames.enumerated() {
            let wanted = expected(10 + Double(index) / 10)
            guard let pose = frame.pose else { continue }
            for point in [SIMD3<Double>.zero, SIMD3(1, 2, 3)] {
                let offset = pose.world(point) - wanted.world(point)
                #expect((offset * offset).sum() < 1e-12, "\(index): \(offset)")
            }
        }
    }

    @Test("The frames of /tf from the world to the camera are multiplied, and slow ones interpolated")
    func transforms() throws {
        var messages = Self.images(frame: "camera_optical")
        messages.append(.transform("/tf_static", Self.mount, of: "camera_optical", in: "base_link", time: 0))
        var map = CameraPose.identity
        map.position.x = 5
        for (time, x) in [(9.5, 4.9), (10.7, 5.1)] {
            map.position.x = x
            messages.append(.transform("/tf", map, of: "odom", in: "map", time: time))
        }
        for index in -1..<6 {
            let time = 10 + Double(index) / 10
            messages.append(.transform("/tf", Self.body(time), of: "base_link", in: "odom", time: time))
        }
        let recording = try opened(BagWriter(messages).mcap())
        Self.expectPoses(recording) { time in
            var pose = Self.body(time).appending(Self.mount)
            pose.position.x += 4.9 + 0.2 * (time - 9.5) / 1.2
            return pose
        }
        #expect(recording.topics?.first { $0.name == "/tf" }?.role == .poses)
    }

    @Test("Odometry of a body is moved to the camera by a fixed transform")
    func odometry() throws {
        var messages = Self.images(frame: "camera")
        messages.append(.transform("/tf_static", Self.mount, of: "camera", in: "base", time: 0))
        for index in 0..<4 {
            let time = 10 + Double(index) / 10
            messages.append(.body("/odom", Self.body(time), of: "base", time: time))
        }
        for bytes in [try BagWriter(messages).mcap(), try BagWriter(messages).rosBag()] {
            let recording = try opened(bytes)
            Self.expectPoses(recording) { Self.body($0).appending(Self.mount) }
            #expect(!recording.diagnostics.contains { $0.code == .assumedPoses })
        }
    }

    @Test(
        "Poses without a frame are treated as the camera's, and this is reported", arguments: [nil, "base"])
    func poses(child: String?) throws {
        let bodies = (0..<4).map { index in
            RecordedMessage.body(
                "/vio", Self.body(10 + Double(index) / 10), of: child, time: 10 + Double(index) / 10)
        }
        let recording = try opened(BagWriter(Self.images(frame: "camera") + bodies).mcap())
        Self.expectPoses(recording, Self.body)
        #expect(recording.diagnostics.contains { $0.code == .assumedPoses })
    }

    @Test("Frames that are each other's parents end in no poses")
    func cycle() throws {
        let messages =
            Self.images(frame: "a")
            + (0..<4).flatMap { index in
                let time = 10 + Double(index) / 10
                return [
                    RecordedMessage.transform("/tf", Self.body(time), of: "a", in: "b", time: time),
                    .transform("/tf", Self.body(time), of: "b", in: "a", time: time),
                ]
            }
        _ = try opened(BagWriter(messages).mcap())
    }
}

@Suite("Damaged bags")
struct DamagedBagTests {
    @Test("The frames before a cut are read", arguments: BagWriter.Packing.ofMCAP)
    func cutMCAP(packing: BagWriter.Packing) throws {
        let whole = try Known.bag.mcap(packing)
        #expect(!(try opened(whole).diagnostics.contains { $0.code == .cutOff }))
        // In the second chunk. A compressed one is lost.
        let end: [UInt8] = [15, 4, 0, 0, 0, 0, 0, 0, 0]
        let place =
            packing == .zstd
            ? try #require((0..<whole.count - 9).last { Array(whole[$0..<$0 + 9]) == end }) - 50
            : try Known.placeOfLastDepth(whole)
        let cut = try opened(Array(whole[..<place]))
        #expect(cut.diagnostics.contains { $0.code == .cutOff })
        try expectKnown(cut, count: packing == .none ? 3 : 2)
        let unfinished = try opened(Known.bag.mcap(packing, isComplete: false))
        #expect(unfinished.diagnostics.contains { $0.code == .cutOff })
        try expectKnown(unfinished)
    }

    @Test("The frames before a cut in a chunk of ROS 1 are read")
    func cutROS1() throws {
        let whole = try Known.bag.rosBag()
        let cut = try opened(Array(whole[..<Known.placeOfLastDepth(whole)]))
        #expect(cut.diagnostics.contains { $0.code == .cutOff })
        try expectKnown(cut, count: 3)
    }

    @Test("A chunk that does not match its checksum costs its messages alone")
    func checksum() throws {
        var bytes = try Known.bag.mcap(.lz4)
        // A sample in the first chunk: LZ4's blocks are stored, so only the checksum shows the damage.
        let code = BagWriter.number(1001, bytes: 2) + BagWriter.number(1002, bytes: 2)
        let place = try #require((0..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == code })
        bytes[place] ^= 1
        let recording = try opened(bytes)
        #expect(recording.frames.count == 2)
        #expect(recording.diagnostics.contains { $0.message.contains("checksum") })
        var plain = try Known.bag.mcap(.lz4, hasChecksums: false)
        plain[place] ^= 1
        #expect(try opened(plain).frames.count == 4)
    }

    @Test("Limits apply to messages, chunks and images")
    func limits() throws {
        for (name, value) in [
            (DecodingLimits.Name.frames, 3), (.items, 2), (.pixels, 20), (.codedBytes, 200),
        ] {
            var limits = DecodingLimits()
            limits[name] = value
            let bytes = try Known.bag.mcap(.lz4)
            let error = #expect(throws: ContainerError.self) { try opened(bytes, limits) }
            #expect(error?.code == "limit-exceeded", "\(name): \(error?.message ?? "")")
        }
    }

    @Test("Every byte changed, and every length, ends in a recording or an error")
    func mutants() throws {
        var files = [
            try Known.bag.rosBag(), try Known.bag.mcap(), try Known.bag.mcap(.lz4, hasChecksums: false),
            try Known.bag.mcap(isChunked: false),
        ]
        if SystemLibrary.areAvailable {
            files += [
                try Known.bag.database(), try Known.bag.rosBag(.bz2), try Known.bag.mcap(.zstd),
                try Known.bag.database(isPacked: true),
            ]
        }
        var random = SplitMix(seed: 44)
        for whole in files {
            for _ in 0..<300 {
                var bytes = whole
                for _ in 0..<1 + Int(random.next() % 3) {
                    bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
                }
                try? decodeAll(bytes)
            }
            for count in stride(from: 0, to: whole.count, by: max(1, whole.count / 60)) {
                try? decodeAll(Array(whole[..<count]))
            }
        }
    }

    private func decodeAll(_ bytes: [UInt8]) throws {
        let recording = try opened(bytes)
        var decoder = FrameDecoder(recording)
        var frame = SequenceFrame()
        for index in recording.frames.indices {
            try? decoder.read(.all, ofFrameAt: index, into: &frame)
        }
    }
}
