import Bytes
import RecordingWriting

extension Target {
    /// Recordings: lists and headers of every layout, and files that are recordings by themselves.
    static let recordings: [Target] = [
        Target(name: "recording-lists") { bytes in
            guard let records = try? RecordingProbe.readLists(bytes, limits: limits) else { return }
            for record in records { examine(record) }
        } seeds: { file in
            file.name == recordingSeedFile ? listSeeds : []
        },
        Target(name: "recording-files") { bytes in
            for record in RecordingProbe.readFile(bytes, limits: limits) { examine(record) }
        } seeds: { file in
            file.isNamed(".sens", ".r3d", ".mp4", ".bag", ".mcap", ".db3") ? [file.bytes] : []
        },
        Target(name: "bag") { bytes in
            for record in RecordingProbe.readFile(bagMark + bytes, limits: limits) { examine(record) }
        } seeds: { file in
            file.isNamed(".bag") ? [Array(file.bytes.dropFirst(bagMark.count))] : []
        },
        Target(name: "mcap") { bytes in
            for record in RecordingProbe.readFile(mcapMark + bytes, limits: limits) { examine(record) }
        } seeds: { file in
            file.isNamed(".mcap") ? [Array(file.bytes.dropFirst(mcapMark.count))] : []
        },
        Target(name: "rosbag2") { bytes in
            for record in RecordingProbe.readFile(bytes, limits: limits) { examine(record) }
        } seeds: { file in
            file.isNamed(".db3") ? [file.bytes] : []
        },
        Target(name: "ros-messages") { bytes in
            for record in RecordingProbe.readMessages(bytes, limits: limits) { examine(record) }
        } seeds: { file in
            file.isNamed(".message") ? [file.bytes] : []
        },
    ]

    private static let bagMark = Array("#ROSBAG V2.0\n".utf8)
    private static let mcapMark: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]

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
