import ByteParsing
import Recordings

extension Target {
    /// Recordings: lists and headers of every layout, and files that are recordings by themselves.
    static let recordings: [Target] = [
        Target(name: "recording-lists") { bytes in
            for record in RecordingProbe.readLists(bytes, limits: limits) { examine(record) }
        } seeds: { file in
            file.name == recordingSeedFile ? listSeeds : []
        },
        Target(name: "recording-files") { bytes in
            for record in RecordingProbe.readFile(bytes, limits: limits) { examine(record) }
        } seeds: { file in
            file.name == recordingSeedFile
                ? [bagMark + bagSeed] : file.isNamed(".sens", ".r3d", ".mp4") ? [file.bytes] : []
        },
        Target(name: "bag") { bytes in
            for record in RecordingProbe.readFile(bagMark + bytes, limits: limits) { examine(record) }
        } seeds: { file in
            file.name == recordingSeedFile ? [bagSeed] : []
        },
    ]

    private static let bagMark = Array("#ROSBAG V2.0\n".utf8)

    /// What follows the mark of a bag of RealSense's SDK with a depth map of 2 × 1 samples and a picture, in a chunk of each kind.
    private static let bagSeed: [UInt8] = {
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        func field(_ name: String, _ value: [UInt8]) -> [UInt8] {
            number(name.utf8.count + 1 + value.count) + Array("\(name)=".utf8) + value
        }
        func record(_ header: [UInt8], _ data: [UInt8]) -> [UInt8] {
            number(header.count) + header + number(data.count) + data
        }
        func message(_ connection: Int, _ topic: String, _ data: [UInt8]) -> [UInt8] {
            let topic = Array("/device_0/\(topic)".utf8)
            let number = field("conn", number(connection))
            return record(field("op", [7]) + number + field("topic", topic), [])
                + record(field("op", [2]) + number + field("time", [UInt8](repeating: 0, count: 8)), data)
        }
        func image(_ encoding: String, _ bytesPerPixel: Int) -> [UInt8] {
            number(0) + number(1) + number(0) + number(0) + number(1) + number(2)
                + number(encoding.utf8.count)
                + Array(encoding.utf8) + [0] + number(2 * bytesPerPixel) + number(2 * bytesPerPixel)
                + [UInt8](repeating: 9, count: 2 * bytesPerPixel)
        }
        // Focal lengths of 2 pixels, a principal point of 0.
        let two: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0x40]
        let zero = [UInt8](repeating: 0, count: 8)
        let camera =
            [UInt8](repeating: 0, count: 16) + number(1) + number(2) + number(0) + number(0) + two + zero
            + zero
            + zero + two + zero + zero + zero + zero
        let place = [UInt8](repeating: 0, count: 54) + [0xF0, 0x3F]
        let depth =
            message(0, "sensor_0/Depth_0/info/camera_info", camera)
            + message(1, "sensor_0/Depth_0/tf/0", place)
            + message(2, "sensor_0/Depth_0/image/data", image("mono16", 2))
        let color =
            message(3, "sensor_1/Color_0/info/camera_info", camera)
            + message(4, "sensor_1/Color_0/tf/0", place)
            + message(5, "sensor_1/Color_0/image/data", image("rgb8", 3))
        // An LZ4 frame of one stored block, without checksums.
        let packed =
            [0x04, 0x22, 0x4D, 0x18, 0x60, 0x70, 0x73] + number(color.count | 1 << 31) + color + number(0)
        func chunk(_ packing: String, _ size: Int, _ data: [UInt8]) -> [UInt8] {
            record(
                field("op", [5]) + field("compression", Array(packing.utf8)) + field("size", number(size)),
                data)
        }
        return chunk("none", depth.count, depth)
            + chunk("lz4", color.count, packed)
    }()

    /// Lists are written here and not cut out of pictures: any one picture stands for them.
    private static let recordingSeedFile = "portrait.heic"

    private static let listSeeds: [[UInt8]] = [
        "timestamp, frame, x, y, z, qx, qy, qz, qw\n1.5, 000001, 0.1, 0.2, 0.3, 0, 0, 0, 1\n",
        "# depth maps\n1.0 depth/1.png\n", "1.0 0.1 0.2 0.3 0.0 0.0 0.0 1.0\n",
        "1.0 rgb/1.png 1.0 depth/1.png\n", "0 0 1\n1 0 0 0.1\n0 1 0 0.2\n0 0 1 0.3\n0 0 0 1\n",
        "1.0 0.1 0.2 0.3 1 2 3\n", "256 192 210.5 210.5 127.1 95.3\n",
        #"{"time": 1.5, "intrinsics": [100, 0, 50, 0, 100, 40, 0, 0, 1]}"#,
        #"{"fx": 100, "fy": 100, "cx": 50, "cy": 40, "t_00": 1, "t_11": 1, "t_22": 1}"#,
        #"{"fl_x": 100, "cx": 50, "cy": 40, "frames": [{"file_path": "rgb/1", "depth_path": "depth/1.png"}]}"#,
        #"{"w": 4, "h": 2, "K": [4, 0, 0, 0, 4, 0, 2, 1, 1], "fps": 60, "poses": [[0, 0, 0, 1, 0, 0, 0]]}"#,
        #"{"timestamp": 15, "intrinsics": [1], "transform": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}"#,
    ].map { Array($0.utf8) }
}

private let limits = {
    var limits = DecodingLimits()
    limits[.pixels] = 1 << 16
    limits[.frames] = 1 << 12
    return limits
}()
