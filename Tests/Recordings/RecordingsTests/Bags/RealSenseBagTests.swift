import Bytes
import DepthMaps
import DepthTypes
import RecordingWriting
import Scenes
import TestFrames
import TestSupport
import Testing

@testable import Recordings

/// Bags as RealSense's SDK writes them, of 64 × 48 pixels.
private enum RealSense {
    static let size = PixelSize(width: 64, height: 48)

    static func image(
        _ stream: String, _ encoding: String, _ pixels: [UInt8], time: Double, at recorded: Double = 0
    )
        -> RecordedMessage
    {
        .image("/device_0/\(stream)/image/data", encoding, size, pixels, time: time, at: recorded)
    }

    static func camera(
        _ stream: String, model: String = "Brown Conrady", _ lens: [Double] = [0, 0, 0, 0, 0]
    ) -> RecordedMessage {
        .camera("/device_0/\(stream)/info/camera_info", 100, size, model: model, lens)
    }

    static func place(_ stream: String, x: Double) -> RecordedMessage {
        RecordedMessage("/device_0/\(stream)/tf/0", "geometry_msgs/Transform") {
            $0.add([x, 0, 0, 0, 0, 0, 1])
        }
    }

    /// Depth with the same distance everywhere, in tenths of a millimeter.
    static func wall(_ code: Int, time: Double, at recorded: Double = 0) -> RecordedMessage {
        let pixels = (0..<64 * 48).flatMap { _ in littleEndian(code, 2) }
        return image("sensor_0/Depth_0", "mono16", pixels, time: time, at: recorded)
    }

    /// Two cameras with parallel axes. The color camera is 10 cm to the left of the depth camera. A wall is 2 m away.
    static func room(_ lens: [Double] = [0, 0, 0, 0, 0], model: String = "Brown Conrady") -> BagWriter {
        var bag = BagWriter()
        // 0.0001 as Float32: D405's units.
        bag.add(
            RecordedMessage("/device_0/sensor_0/option/Depth Units/value", "std_msgs/Float32") {
                $0.add(Float(0.0001).bitPattern)
            })
        bag.add(camera("sensor_0/Depth_0"))
        bag.add(camera("sensor_1/Color_0", model: model, lens))
        bag.add(place("sensor_0/Depth_0", x: 0))
        bag.add(place("sensor_1/Color_0", x: 0.1))
        bag.add(wall(20000, time: 7, at: 0.1))
        bag.chunks.append([])
        let pixels: [UInt8] = (0..<64 * 48).flatMap { [UInt8($0 % 64), 100, 200] }
        bag.add(image("sensor_1/Color_0", "rgb8", pixels, time: 7.01, at: 0.3))
        bag.add(wall(30000, time: 7.1, at: 0.2))
        return bag
    }
}

@Suite("RealSense bags")
struct RealSenseBagTests {
    @Test(
        "Depth comes to the pictures' view, in the units that the bag states",
        arguments: [BagWriter.Packing.none, .lz4])
    func registration(packing: BagWriter.Packing) throws {
        let recording = try openedBag(RealSense.room().rosBag(packing))
        #expect(recording.layout == .realSenseBag && recording.unitsPerMeter == 10000)
        #expect(
            recording.frames.map(\.time) == [0, 7.1 - 7], "the camera's clock counts, not the recorder's")
        #expect(recording.colorCount == 1)
        // Samples are two pixels of the picture wide, so that surfaces have no gaps.
        #expect(recording.depthSize == PixelSize(width: 32, height: 24))
        #expect(recording.diagnostics.contains { $0.code == "registered-depth" })
        var frame = try recording.decodedFrame(at: 0)
        try #require(
            frame.depth.size == PixelSize(width: 32, height: 24) && frame.color.size == RealSense.size)
        // f · 0.1 m / 2 m = 5 pixels to the right: the first two and a half samples show an area that the depth camera
        // does not see.
        for row in 0..<24 {
            for column in 0..<32 {
                let sample = frame.depth.samples[row * 32 + column]
                #expect(column < 2 ? sample.isNaN : abs(sample - 2) < 1e-6, "\(column), \(row): \(sample)")
            }
        }
        #expect(frame.color.samples[70] == RGB(red: 6, green: 100, blue: 200))
        frame = try recording.decodedFrame(at: 1)
        #expect(frame.color.isEmpty && abs(frame.depth.samples[10 * 32 + 20] - 3) < 1e-6)
    }

    @Test(
        "Pictures have their colors",
        arguments: [("bgr8", [3, 2, 1]), ("rgba8", [1, 2, 3, 9]), ("bgra8", [3, 2, 1, 9])])
    func colors(encoding: String, pixel: [UInt8]) throws {
        let image = RealSense.image(
            "sensor_1/Color_0", encoding, (0..<64 * 48).flatMap { _ in pixel }, time: 1)
        let recording = try openedBag(BagWriter([image]).rosBag())
        let frame = try recording.decodedFrame(at: 0)
        #expect(frame.color.samples.count == 64 * 48)
        #expect(frame.color.samples.allSatisfy { $0 == RGB(red: 1, green: 2, blue: 3) })
    }

    @Test("A picture is where OpenCV's model of the lens has it")
    func lens() throws {
        let recording = try openedBag(RealSense.room([0.1, -0.2, 0.01, -0.02, 0.3]).rosBag())
        let camera = try #require(recording.coding.registration?.cameras.color)
        let seen = try #require(camera.project(0.2, -0.1))
        // cv2.projectPoints([[0.2, -0.1, 1]], zeros, zeros, [[100, 0, 31.5], [0, 100, 23.5], [0, 0, 1]], [0.1, -0.2, 0.01, -0.02, 0.3])
        #expect(abs(seen.x - 51.29075) < 1e-3 && abs(seen.y - 13.604625) < 1e-6, "\(seen)")
    }

    /// The messages of a D405 as librealsense 2.57 and later record them: texts for cameras, transforms and options
    /// (src/media/ros2/ros2_writer.cpp). `frameUnit` is the unit beside each depth map, which versions since 2.58 add.
    private static func texts(_ model: String, frameUnit: String = "") -> BagWriter {
        func text(_ topic: String, _ content: String) -> RecordedMessage {
            RecordedMessage("/device_0/" + topic, "std_msgs/String") { $0.add(content) }
        }
        let camera = "width=64;height=48;fx=100;ppx=31.5;fy=100;ppy=23.5;model=\(model);coeffs="
        var bag = BagWriter()
        bag.add(text("sensor_0/info", "Name=Stereo Module"))
        bag.add(text("sensor_0/option/Depth_Units/value", "0.000100"))
        bag.add(text("sensor_0/Depth_0/camera_info", camera + "0,0,0,0,0"))
        bag.add(text("sensor_1/Color_0/camera_info", camera + "0.1,-0.2,0.01,-0.02,0.3"))
        // Columns of a quarter turn about the axis of view: x of the pictures is y of the depth, and their y is its −x.
        let turn = "rotation=0.000000,-1.000000,0.000000,1.000000,0,0,0.000000,0.000000,1.000000"
        bag.add(text("sensor_0/Depth_0/tf/ref_0", "rotation=1,0,0,0,1,0,0,0,1;translation=0,0,0"))
        bag.add(text("sensor_1/Color_0/tf/ref_0", turn + ";translation=-0.015000,0.002000,0.000000"))
        bag.add(RealSense.wall(20000, time: 7))
        bag.add(
            text(
                "sensor_0/Depth_0/image/metadata", "Frame number=1;timestamp=7.0;\(frameUnit)White Balance=0;"
            ))
        let pixels: [UInt8] = (0..<64 * 48).flatMap { [UInt8($0 % 64), 100, 200] }
        bag.add(RealSense.image("sensor_1/Color_0", "rgb8", pixels, time: 7.01))
        return bag
    }

    @Test(
        "Texts of the SDK since 2.57 give the unit, both cameras and their relative pose",
        .needsSystemLibraries,
        arguments: [false, true])
    func sdkTexts(isPacked: Bool) throws {
        for (frameUnit, units) in [("", 10000.0), ("depth_units=0.000250;", 4000)] {
            let bag = Self.texts("Brown Conrady", frameUnit: frameUnit)
            let recording = try openedBag(bag.database(isPacked: isPacked))
            #expect(recording.unitsPerMeter == units && recording.scale == .absolute)
            let cameras = try #require(recording.coding.registration?.cameras)
            #expect(cameras.depth.intrinsics.fx == 100 && cameras.depth.lens.isNone)
            #expect(cameras.color.lens.numbers == [0.1, -0.2, 0.01, -0.02, 0.3, 0, 0, 0])
            // rs2_transform_point_to_point: a rotation by columns, then the translation.
            let point = cameras.color.pose.world(SIMD3(1, 2, 3))
            #expect(point == SIMD3(2 - 0.015, -1 + 0.002, 3), "\(point)")
        }
        let other = try openedBag(Self.texts("Ftheta").database(isPacked: isPacked))
        #expect(other.diagnostics.contains { $0.code == "different-view" } && other.unitsPerMeter == 10000)
    }

    @Test("Without the place of a camera, or with a lens of another model, the views are said to differ")
    func differentViews() throws {
        let lens = try openedBag(RealSense.room([0.1, 0, 0, 0, 0], model: "Ftheta").rosBag())
        #expect(lens.depthSize == RealSense.size && lens.diagnostics.contains { $0.code == "different-view" })
        let frame = try lens.decodedFrame(at: 0, [.depth])
        #expect(frame.depth.samples.allSatisfy { abs($0 - 2) < 1e-6 })
    }

    @Test("A bag without units is taken for millimeters, and pictures far from any depth are left out")
    func assumptions() throws {
        let black = [UInt8](repeating: 0, count: 64 * 48 * 3)
        let bag = BagWriter([
            RealSense.wall(2000, time: 1), RealSense.image("sensor_1/Color_0", "rgb8", black, time: 1.1),
        ])
        let recording = try openedBag(bag.rosBag())
        #expect(recording.scale == .unknown && recording.unitsPerMeter == 1000 && recording.colorCount == 0)
        #expect(recording.diagnostics.contains { $0.message.contains("is not within 20 ms") })
    }

    @Test("What is damaged costs itself alone; what is cut off, cut before and unsupported is said")
    func damage() throws {
        let whole = try RealSense.room().rosBag(.lz4)
        // The block size in the first chunk declares the block compressed, but it is not.
        var damaged = whole
        let mark: [UInt8] = [0x60, 0x70, 0x73]
        let place = try #require((0..<damaged.count - 3).first { Array(damaged[$0..<$0 + 3]) == mark })
        damaged[place + 6] &= 0x7F
        let rest = try openedBag(damaged)
        #expect(rest.frames.count == 1 && rest.diagnostics.contains { $0.message.contains("LZ4") })
        let cut = try openedBag(Array(whole[..<(whole.count - 2000)]))
        #expect(cut.frames.count == 1 && cut.diagnostics.contains { $0.code == .cutOff })
        #expect(throws: ContainerError.self) { try openedBag(Array(whole[..<200])) }
        let other = BagWriter([
            RealSense.image("sensor_0/Depth_0", "64FC1", [UInt8](repeating: 0, count: 64 * 48 * 8), time: 1)
        ])
        let error = #expect(throws: ContainerError.self) { try openedBag(other.rosBag()) }
        #expect(error?.code == "unsupported")
        var limits = DecodingLimits()
        limits[.codedBytes] = 1000
        let refused = #expect(throws: ContainerError.self) { try openedBag(whole, limits) }
        #expect(refused?.code == "limit-exceeded")
    }

    @Test("A bag that ends behind a chunk, or in its index, is cut off")
    func cutBetweenRecords() throws {
        let bag = RealSense.room()
        #expect(!(try openedBag(bag.rosBag(.lz4)).diagnostics.contains { $0.code == .cutOff }))
        // The stream of pictures is in the second chunk.
        var first = bag
        first.chunks.removeLast()
        for (bytes, colors) in try [
            (first.rosBag(.lz4, index: false), 0), (bag.rosBag(.lz4, index: false), 1),
            (bag.rosBag(.lz4, connectionCount: 8), 1), (bag.rosBag(.lz4, indexOffset: 1 << 20), 1),
        ] {
            let cut = try openedBag(bytes)
            #expect(cut.diagnostics.contains { $0.code == .cutOff } && cut.colorCount == colors)
        }
        // Seven topics: units, and for each stream its camera, position and images.
        let complete = try openedBag(bag.rosBag(.lz4, connectionCount: 7, indexOffset: 2000))
        #expect(!complete.diagnostics.contains { $0.code == .cutOff })
    }

    @Test("Every byte changed, and every length, ends in a recording or an error")
    func mutants() throws {
        for packing in [BagWriter.Packing.none, .lz4] {
            let whole = try RealSense.room().rosBag(packing)
            var random = SplitMix(seed: 8)
            for _ in 0..<400 {
                var bytes = whole
                // Most bytes are pixels; bytes before and behind the pixels matter more.
                let place = Int(random.next() % UInt64(1800))
                bytes[place < 1500 ? place : bytes.count - (place - 1499)] = UInt8(
                    truncatingIfNeeded: random.next())
                guard let recording = try? openedBag(bytes) else { continue }
                for index in recording.frames.indices { _ = try? recording.decodedFrame(at: index) }
            }
            for count in stride(from: 0, to: whole.count, by: 997) {
                _ = try? openedBag(Array(whole[..<count]))
            }
        }
    }

    @Test(
        "Samples of a real bag are those that Python's lz4 unpacks",
        .needsRecordings)
    func sample() throws {
        let recording = try Recording(
            contentsOf: SampleFolder.recordings.path("realsense-bag/single_depth_color_640x480.bag"))
        #expect(recording.unitsPerMeter == 1000 && recording.intrinsics?.fx == 390.43145751953125)
        // lz4.frame.decompress(chunk), struct.unpack('<307200H', message[-614400:]): rows 100, 240, 400; columns 100, 320, 500.
        for (index, expected, known) in [(0, [1751, 1536, 566], 286520), (1, [1756, 1540, 571], 286603)] {
            let frame = try recording.decodedFrame(at: index, [.depth])
            let samples = [64100, 153920, 256500].map { frame.depth.samples[$0] }
            #expect(samples == expected.map { Float($0) / 1000 })
            #expect(frame.depth.samples.count { $0 > 0 } == known)
        }
    }
}
