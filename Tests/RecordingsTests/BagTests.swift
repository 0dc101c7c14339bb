import ByteParsing
import DepthCore
import DepthModel
import Sequences
import TestSupport
import Testing

@testable import Recordings

/// A bag as RealSense's SDK writes it, of 64 × 48 pixels.
private struct Bag {
    enum Packing {
        case none
        /// An LZ4 frame of uncompressed blocks, which the LZ4 format allows, and which are simple to write.
        case lz4
    }

    var chunks: [[UInt8]] = [[]]
    private var connections: [String: Int] = [:]
    static let size = PixelSize(width: 64, height: 48)

    static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func doubles(_ values: [Double]) -> [UInt8] {
        values.flatMap { value in
            (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
        }
    }

    private static func text(_ text: String) -> [UInt8] { number(text.utf8.count) + Array(text.utf8) }

    private static func fields(_ fields: [(String, [UInt8])]) -> [UInt8] {
        fields.flatMap { name, value in
            number(name.utf8.count + 1 + value.count) + Array("\(name)=".utf8) + value
        }
    }

    private static func record(_ header: [(String, [UInt8])], _ data: [UInt8]) -> [UInt8] {
        let header = fields(header)
        return number(header.count) + header + number(data.count) + data
    }

    private func connection(_ topic: String, _ number: Int) -> [UInt8] {
        Self.record(
            [("op", [7]), ("conn", Self.number(number)), ("topic", Array(topic.utf8))],
            Self.fields([("topic", Array(topic.utf8)), ("type", Array("test/Message".utf8))]))
    }

    /// Adds a message to the last chunk.
    mutating func add(_ topic: String, _ data: [UInt8], time: Double = 0) {
        let topic = "/device_0/\(topic)"
        let number = connections[topic] ?? connections.count
        if connections[topic] == nil {
            connections[topic] = number
            chunks[chunks.count - 1] += connection(topic, number)
        }
        let nanoseconds = Int(((time - time.rounded(.down)) * 1e9).rounded())
        chunks[chunks.count - 1] += Self.record(
            [
                ("op", [2]), ("conn", Self.number(number)),
                ("time", Self.number(Int(time)) + Self.number(nanoseconds)),
            ], data)
    }

    /// An image with a time of the camera's clock.
    static func image(_ encoding: String, _ pixels: [UInt8], time: Double, bigEndian: UInt8 = 0) -> [UInt8] {
        let seconds = Int(time)
        return number(1) + number(seconds) + number(Int(((time - Double(seconds)) * 1e9).rounded()))
            + text("0") + number(size.height) + number(size.width) + text(encoding) + [bigEndian]
            + number(pixels.count / size.height) + number(pixels.count) + pixels
    }

    static func camera(
        _ focalLength: Double, model: String = "Brown Conrady", _ lens: [Double] = [0, 0, 0, 0, 0]
    )
        -> [UInt8]
    {
        [UInt8](repeating: 0, count: 12) + text("0") + number(size.height) + number(size.width) + text(model)
            + number(lens.count) + doubles(lens)
            + doubles([focalLength, 0, 31.5, 0, focalLength, 23.5, 0, 0, 1])
    }

    /// Depth with the same distance everywhere, in tenths of a millimeter.
    static func wall(_ code: Int, time: Double) -> [UInt8] {
        image("mono16", (0..<64 * 48).flatMap { _ in Array(number(code)[..<2]) }, time: time)
    }

    /// The file.
    func bytes(
        _ packing: Packing, index: Bool = true, connectionCount: Int? = nil, indexOffset: Int? = nil
    ) -> [UInt8] {
        var file = Array("#ROSBAG V2.0\n".utf8)
        var header: [(String, [UInt8])] = [("op", [3]), ("chunk_count", Self.number(chunks.count))]
        if let connectionCount { header.append(("conn_count", Self.number(connectionCount))) }
        if let indexOffset { header.append(("index_pos", Self.number(indexOffset) + Self.number(0))) }
        file += Self.record(header, [UInt8](repeating: 0x20, count: 64))
        for chunk in chunks {
            // Independent blocks of up to 4 MB, no checksums: the third byte is the checksum of the descriptor.
            let packed =
                [0x04, 0x22, 0x4D, 0x18, 0x60, 0x70, 0x73] + Self.number(chunk.count | 1 << 31) + chunk
                + Self.number(0)
            let name = packing == .none ? "none" : "lz4"
            file += Self.record(
                [("op", [5]), ("compression", Array(name.utf8)), ("size", Self.number(chunk.count))],
                packing == .none ? chunk : packed)
        }
        if index {
            for (topic, number) in connections.sorted(by: { $0.value < $1.value }) {
                file += connection(topic, number)
            }
        }
        return file
    }

    /// Two cameras with parallel axes. The color camera is 10 cm to the left of the depth camera. A wall is 2 m away.
    static func room(_ lens: [Double] = [0, 0, 0, 0, 0], model: String = "Brown Conrady") -> Bag {
        var bag = Bag()
        // 0.0001 as Float32: D405's units.
        bag.add("sensor_0/option/Depth Units/value", [0x17, 0xB7, 0xD1, 0x38])
        bag.add("sensor_0/Depth_0/info/camera_info", camera(100))
        bag.add("sensor_1/Color_0/info/camera_info", camera(100, model: model, lens))
        bag.add("sensor_0/Depth_0/tf/0", doubles([0, 0, 0, 0, 0, 0, 1]))
        bag.add("sensor_1/Color_0/tf/0", doubles([0.1, 0, 0, 0, 0, 0, 1]))
        bag.add("sensor_0/Depth_0/image/data", wall(20000, time: 7), time: 0.1)
        bag.chunks.append([])
        let pixels: [UInt8] = (0..<64 * 48).flatMap { [UInt8($0 % 64), 100, 200] }
        bag.add("sensor_1/Color_0/image/data", image("rgb8", pixels, time: 7.01), time: 0.3)
        bag.add("sensor_0/Depth_0/image/data", wall(30000, time: 7.1), time: 0.2)
        return bag
    }
}

@Suite("RealSense bags")
struct BagTests {
    private static func recording(_ bytes: [UInt8], _ limits: DecodingLimits = DecodingLimits()) throws
        -> ListedRecording
    {
        let draft = try RealSenseBagReader.read(MemorySource(bytes), limits)
        var finisher = RecordingFinisher(draft: draft, reading: RecordingReading(), limits: limits)
        return try finisher.recording(at: "a.bag")
    }

    @Test(
        "Depth comes to the pictures' view, in the units that the bag states",
        arguments: [Bag.Packing.none, .lz4])
    fileprivate func registration(packing: Bag.Packing) throws {
        let recording = try Self.recording(Bag.room().bytes(packing))
        #expect(recording.layout == .realSenseBag && recording.unitsPerMeter == 10000)
        #expect(
            recording.frames.map(\.time) == [0, 7.1 - 7], "the camera's clock counts, not the recorder's")
        #expect(recording.colorCount == 1)
        // Samples are two pixels of the picture wide, so that surfaces have no gaps.
        #expect(recording.depthSize == PixelSize(width: 32, height: 24))
        #expect(recording.diagnostics.contains { $0.code == "registered-depth" })
        var decoder = FrameDecoder(recording)
        var frame = SequenceFrame()
        try decoder.read(.all, ofFrameAt: 0, into: &frame)
        try #require(frame.depth.size == PixelSize(width: 32, height: 24) && frame.color.size == Bag.size)
        // f · 0.1 m / 2 m = 5 pixels to the right: the first two and a half samples show an area that the depth camera
        // does not see.
        for row in 0..<24 {
            for column in 0..<32 {
                let sample = frame.depth.samples[row * 32 + column]
                #expect(column < 2 ? sample.isNaN : abs(sample - 2) < 1e-6, "\(column), \(row): \(sample)")
            }
        }
        #expect(frame.color.samples[70] == RGB(red: 6, green: 100, blue: 200))
        try decoder.read(.all, ofFrameAt: 1, into: &frame)
        #expect(frame.color.isEmpty && abs(frame.depth.samples[10 * 32 + 20] - 3) < 1e-6)
    }

    @Test(
        "Pictures have their colors",
        arguments: [("bgr8", [3, 2, 1]), ("rgba8", [1, 2, 3, 9]), ("bgra8", [3, 2, 1, 9])])
    func colors(encoding: String, pixel: [UInt8]) throws {
        var bag = Bag()
        bag.add(
            "sensor_1/Color_0/image/data",
            Bag.image(encoding, (0..<64 * 48).flatMap { _ in pixel }, time: 1))
        let recording = try Self.recording(bag.bytes(.none))
        var decoder = FrameDecoder(recording)
        var frame = SequenceFrame()
        try decoder.read(.all, ofFrameAt: 0, into: &frame)
        #expect(frame.color.samples.count == 64 * 48)
        #expect(frame.color.samples.allSatisfy { $0 == RGB(red: 1, green: 2, blue: 3) })
    }

    @Test("A picture is where OpenCV's model of the lens has it")
    func lens() throws {
        let recording = try Self.recording(Bag.room([0.1, -0.2, 0.01, -0.02, 0.3]).bytes(.none))
        let camera = try #require(recording.coding.registration?.cameras.color)
        let seen = try #require(camera.project(0.2, -0.1))
        // cv2.projectPoints([[0.2, -0.1, 1]], zeros, zeros, [[100, 0, 31.5], [0, 100, 23.5], [0, 0, 1]], [0.1, -0.2, 0.01, -0.02, 0.3])
        #expect(abs(seen.x - 51.29075) < 1e-3 && abs(seen.y - 13.604625) < 1e-6, "\(seen)")
    }

    @Test("Without the place of a camera, or with a lens of another model, the views are said to differ")
    func differentViews() throws {
        let lens = try Self.recording(Bag.room([0.1, 0, 0, 0, 0], model: "Ftheta").bytes(.none))
        #expect(lens.depthSize == Bag.size && lens.diagnostics.contains { $0.code == "different-view" })
        var decoder = FrameDecoder(lens)
        var frame = SequenceFrame()
        try decoder.read(.depth, ofFrameAt: 0, into: &frame)
        #expect(frame.depth.samples.allSatisfy { abs($0 - 2) < 1e-6 })
    }

    @Test("A bag without units is taken for millimeters, and pictures far from any depth are left out")
    func assumptions() throws {
        var bag = Bag()
        bag.add("sensor_0/Depth_0/image/data", Bag.wall(2000, time: 1))
        bag.add(
            "sensor_1/Color_0/image/data",
            Bag.image("rgb8", [UInt8](repeating: 0, count: 64 * 48 * 3), time: 1.1))
        let recording = try Self.recording(bag.bytes(.none))
        #expect(recording.scale == .assumed && recording.unitsPerMeter == 1000 && recording.colorCount == 0)
        #expect(recording.diagnostics.contains { $0.message.contains("is not within 20 ms") })
    }

    @Test("What is damaged costs itself alone; what is cut off, cut before and unsupported is said")
    func damage() throws {
        let whole = Bag.room().bytes(.lz4)
        // The block size in the first chunk declares the block compressed, but it is not.
        var damaged = whole
        let mark: [UInt8] = [0x60, 0x70, 0x73]
        let place = try #require((0..<damaged.count - 3).first { Array(damaged[$0..<$0 + 3]) == mark })
        damaged[place + 6] &= 0x7F
        let rest = try Self.recording(damaged)
        #expect(rest.frames.count == 1 && rest.diagnostics.contains { $0.message.contains("LZ4") })
        let cut = try Self.recording(Array(whole[..<(whole.count - 2000)]))
        #expect(cut.frames.count == 1 && cut.diagnostics.contains { $0.code == .cutOff })
        #expect(throws: ContainerError.self) { try Self.recording(Array(whole[..<200])) }
        var other = Bag()
        other.add(
            "sensor_0/Depth_0/image/data",
            Bag.image("32FC1", [UInt8](repeating: 0, count: 64 * 48 * 4), time: 1))
        let error = #expect(throws: ContainerError.self) { try Self.recording(other.bytes(.none)) }
        #expect(error?.code == "unsupported")
        var limits = DecodingLimits()
        limits[.codedBytes] = 1000
        let refused = #expect(throws: ContainerError.self) { try Self.recording(whole, limits) }
        #expect(refused?.code == "limit-exceeded")
    }

    @Test("A bag that ends behind a chunk, or in its index, is cut off")
    func cutBetweenRecords() throws {
        let bag = Bag.room()
        #expect(!(try Self.recording(bag.bytes(.lz4)).diagnostics.contains { $0.code == .cutOff }))
        // The stream of pictures is in the second chunk.
        var first = bag
        first.chunks.removeLast()
        for (bytes, colors) in [
            (first.bytes(.lz4, index: false), 0), (bag.bytes(.lz4, index: false), 1),
            (bag.bytes(.lz4, connectionCount: 8), 1), (bag.bytes(.lz4, indexOffset: 1 << 20), 1),
        ] {
            let cut = try Self.recording(bytes)
            #expect(cut.diagnostics.contains { $0.code == .cutOff } && cut.colorCount == colors)
        }
        // Seven topics: units, and for each stream its camera, position and images.
        let complete = try Self.recording(bag.bytes(.lz4, connectionCount: 7, indexOffset: 2000))
        #expect(!complete.diagnostics.contains { $0.code == .cutOff })
    }

    @Test("Every byte changed, and every length, ends in a recording or an error")
    func mutants() throws {
        for packing in [Bag.Packing.none, .lz4] {
            let whole = Bag.room().bytes(packing)
            var random = SplitMix(seed: 8)
            for _ in 0..<400 {
                var bytes = whole
                // Most bytes are pixels; bytes before and behind the pixels matter more.
                let place = Int(random.next() % UInt64(1800))
                bytes[place < 1500 ? place : bytes.count - (place - 1499)] = UInt8(
                    truncatingIfNeeded: random.next())
                guard let recording = try? Self.recording(bytes) else { continue }
                var decoder = FrameDecoder(recording)
                var frame = SequenceFrame()
                for index in recording.frames.indices {
                    try? decoder.read(.all, ofFrameAt: index, into: &frame)
                }
            }
            for count in stride(from: 0, to: whole.count, by: 997) {
                _ = try? Self.recording(Array(whole[..<count]))
            }
        }
    }

    @Test(
        "Samples of a real bag are those that Python's lz4 unpacks",
        .enabled(if: RecordingSamples.isAvailable))
    func sample() throws {
        let recording = try ListedRecording(
            contentsOf: RecordingSamples.path("realsense-bag/single_depth_color_640x480.bag"))
        #expect(recording.unitsPerMeter == 1000 && recording.intrinsics?.fx == 390.43145751953125)
        var decoder = FrameDecoder(recording)
        var frame = SequenceFrame()
        // lz4.frame.decompress(chunk), struct.unpack('<307200H', message[-614400:]): rows 100, 240, 400; columns 100, 320, 500.
        for (index, expected, known) in [(0, [1751, 1536, 566], 286520), (1, [1756, 1540, 571], 286603)] {
            try decoder.read(.depth, ofFrameAt: index, into: &frame)
            let samples = [64100, 153920, 256500].map { frame.depth.samples[$0] }
            #expect(samples == expected.map { Float($0) / 1000 })
            #expect(frame.depth.samples.count { $0 > 0 } == known)
        }
    }
}
