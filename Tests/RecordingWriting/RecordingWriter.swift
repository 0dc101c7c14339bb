internal import Bytes
internal import Codecs
package import DepthMaps
package import DepthTypes
internal import Embedded
internal import Foundation
package import Recordings
package import TestSupport

/// Writes the analytic room as a recording of each layout, as the layout's documentation describes it, without using
/// the readers.
package struct RecordingWriter {
    package let scene = RoomScene()
    package let count = 6
    /// Seconds between frames.
    package var interval: Double
    /// The time of the first frame, on the recording's clock.
    package let start = 1000.0

    /// Six frames, some seconds apart.
    package init(interval: Double = 0.05) { self.interval = interval }

    package func poses() -> [CameraPose] { (0..<count).map(scene.pose) }

    /// The layouts that are folders of files.
    package static let layouts: [RecordingLayout] = [
        .tum, .strayScanner, .scannerApp, .polycam, .arkitScenes, .sevenScenes, .open3D, .nerfstudio,
        .nerfCapture, .record3DFolder, .scanNet, .multiScan, .bop,
    ]

    /// Writes a recording into a folder. Returns the path to open.
    package func write(_ layout: RecordingLayout, into folder: TemporaryFolder) throws -> String {
        let views = poses().map(scene.view)
        switch layout {
        case .tum: try writeTUM(views, folder)
        case .strayScanner: try writeStray(views, folder)
        case .scannerApp: try writeScannerApp(views, folder)
        case .polycam: try writePolycam(views, folder)
        case .arkitScenes: try writeARKitScenes(views, folder)
        case .sevenScenes: try writeSevenScenes(views, folder)
        case .open3D: try writeOpen3D(views, folder)
        case .nerfstudio: try writeTransforms(views, folder, isCapture: false)
        case .nerfCapture: try writeTransforms(views, folder, isCapture: true)
        case .record3DFolder: try writeRecord3D(views, folder)
        case .multiScan: try writeMultiScan(views, folder)
        case .bop: try writeBOP(views, folder)
        case .replica: try writeReplica(views, folder)
        case .scanNet: return try writeScanNet(views, folder)
        default: throw CocoaError(.featureUnsupported)
        }
        return folder.path
    }

    package typealias Views = [(meters: [Double], colors: [RGB<UInt8>])]

    private func time(_ index: Int) -> Double { start + Double(index) * interval }
    private func stamp(_ index: Int, digits: Int = 6) -> String {
        String(format: "%.\(digits)f", time(index))
    }
    private func number(_ index: Int, _ digits: Int) -> String { String(format: "%0\(digits)d", index) }
    private func depth(_ view: Views.Element, _ units: Double = 1000) throws -> [UInt8] {
        try scene.depthPNG(view.meters, unitsPerMeter: units)
    }
    private func confidence(_ levels: [UInt8]) throws -> [UInt8] {
        try scene.png(.gray8((0..<scene.width * scene.height).map { levels[$0 % levels.count] }))
    }
    /// A matte of the ball.
    private func matte(_ view: Views.Element) throws -> [UInt8] {
        try scene.png(.gray8(view.colors.map { $0 == RoomScene.colors[6] ? 255 : 0 }))
    }
    /// Principal points relative to the corner of the first pixel are half a pixel larger.
    private var corner: SIMD2<Double> { scene.center + 0.5 }
    private func text(_ numbers: [Double], separator: String = " ") -> String {
        numbers.map { "\($0)" }.joined(separator: separator)
    }

    private func writeTUM(_ views: Views, _ folder: TemporaryFolder) throws {
        var (rgb, depths, poses) = ("# color images\n", "# depth maps\n", "# ground truth\n")
        for (index, view) in views.enumerated() {
            // Colors come 7 ms after depth.
            let colorTime = String(format: "%.6f", time(index) + 0.007)
            try folder.write(try scene.colorPNG(view.colors), to: "rgb/\(colorTime).png")
            try folder.write(try depth(view, 5000), to: "depth/\(stamp(index)).png")
            rgb += "\(colorTime) rgb/\(colorTime).png\n"
            depths += "\(stamp(index)) depth/\(stamp(index)).png\n"
        }
        for (index, pose) in self.poses().enumerated() {
            let rows = RoomScene.rows(pose)
            poses +=
                "\(stamp(index, digits: 4)) "
                + text(pose.translation + RoomScene.quaternion(rows)) + "\n"
        }
        try folder.write(text: rgb, to: "rgb.txt")
        try folder.write(text: depths, to: "depth.txt")
        try folder.write(text: poses, to: "groundtruth.txt")
    }

    private func writeStray(_ views: Views, _ folder: TemporaryFolder) throws {
        var lines = "timestamp, frame, x, y, z, qx, qy, qz, qw, fx, fy, cx, cy, distortion_center_x\n"
        for (index, view) in views.enumerated() {
            try folder.write(try depth(view), to: "depth/\(number(index, 6)).png")
            try folder.write(try confidence([0, 1, 2]), to: "confidence/\(number(index, 6)).png")
            let pose = scene.pose(index)
            lines +=
                "\(time(index)), \(number(index, 6)), "
                + text(pose.translation + RoomScene.quaternion(RoomScene.rows(pose)), separator: ", ")
                + ", \(text([scene.focalLength * 7.5, scene.focalLength * 7.5, corner.x * 7.5, corner.y * 7.5], separator: ", ")), \n"
        }
        try folder.write(text: lines, to: "odometry.csv")
        let f = scene.focalLength * 7.5
        try folder.write(
            text: "\(f), 0.0, \(corner.x * 7.5)\n0.0, \(f), \(corner.y * 7.5)\n0.0, 0.0, 1.0",
            to: "camera_matrix.csv")
    }

    private func writeScannerApp(_ views: Views, _ folder: TemporaryFolder) throws {
        for (index, view) in views.enumerated() {
            let name = number(index, 5)
            try folder.write(try depth(view), to: "depth_\(name).png")
            try folder.write(try confidence([2]), to: "conf_\(name).png")
            if index.isMultiple(of: 3) {
                try folder.write(try scene.colorPNG(view.colors), to: "frame_\(name).png")
            }
            let matrix = RoomScene.openGLRows(scene.pose(index)).flatMap(\.self)
            let camera = [scene.focalLength, 0, corner.x, 0, scene.focalLength, corner.y, 0, 0, 1]
            let json = JSONValue.object([
                ("time", .number(time(index))), ("cameraPoseARFrame", .numbers(matrix)),
                ("intrinsics", .numbers(camera)),
            ])
            try folder.write(text: json.serialized, to: "frame_\(name).json")
        }
        try folder.write(text: "{}", to: "info.json")
    }

    private func writePolycam(_ views: Views, _ folder: TemporaryFolder) throws {
        for (index, view) in views.enumerated() {
            let name = "\(Int((time(index) * 1e6).rounded()))"
            try folder.write(try depth(view), to: "keyframes/depth/\(name).png")
            try folder.write(try confidence([0, 54, 127, 255]), to: "keyframes/confidence/\(name).png")
            try folder.write(try scene.colorPNG(view.colors), to: "keyframes/images/\(name).png")
            let rows = RoomScene.openGLRows(scene.pose(index))
            var fields: [(String, JSONValue)] = [
                ("fx", .number(scene.focalLength)), ("fy", .number(scene.focalLength)),
                ("cx", .number(corner.x)), ("cy", .number(corner.y)), ("width", .integer(scene.width)),
                ("height", .integer(scene.height)),
                ("timestamp", .integer(Int((time(index) * 1e6).rounded()))),
            ]
            for row in 0..<3 {
                for column in 0..<4 { fields.append(("t_\(row)\(column)", .number(rows[row][column]))) }
            }
            try folder.write(text: JSONValue.object(fields).serialized, to: "keyframes/cameras/\(name).json")
        }
    }

    private func writeARKitScenes(_ views: Views, _ folder: TemporaryFolder) throws {
        var lines = ""
        for (index, view) in views.enumerated() {
            let name = "4711_\(stamp(index, digits: 3))"
            try folder.write(try depth(view), to: "lowres_depth/\(name).png")
            try folder.write(try scene.colorPNG(view.colors), to: "lowres_wide/\(name).png")
            let numbers = [
                Double(scene.width), Double(scene.height), scene.focalLength, scene.focalLength, corner.x,
                corner.y,
            ]
            try folder.write(text: text(numbers) + "\n", to: "lowres_wide_intrinsics/\(name).pincam")
            // World to camera, the rotation as an axis times an angle: twice the quaternion's.
            let rows = RoomScene.inverseRows(scene.pose(index))
            let q = RoomScene.quaternion(rows)
            let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]).squareRoot()
            let angle = 2 * atan2(length, q[3])
            let vector = (0..<3).map { length > 0 ? q[$0] / length * angle : 0 }
            lines += text([time(index)] + vector + rows[..<3].map { $0[3] }) + "\n"
        }
        try folder.write(text: lines, to: "lowres_wide.traj")
    }

    private func writeSevenScenes(_ views: Views, _ folder: TemporaryFolder) throws {
        for (index, view) in views.enumerated() {
            let name = "frame-\(number(index, 6))"
            try folder.write(try depth(view), to: name + ".depth.png")
            try folder.write(try scene.colorPNG(view.colors), to: name + ".color.png")
            let rows = RoomScene.rows(scene.pose(index)).map { text($0, separator: " \t") }
            try folder.write(text: rows.joined(separator: "\n"), to: name + ".pose.txt")
        }
        let (f, c) = (scene.focalLength, scene.center)
        try folder.write(text: "\(f) 0 \(c.x)\n0 \(f) \(c.y)\n0 0 1\n", to: "camera-intrinsics.txt")
    }

    private func writeOpen3D(_ views: Views, _ folder: TemporaryFolder) throws {
        var log = ""
        for (index, view) in views.enumerated() {
            try folder.write(try depth(view), to: "depth/\(number(index, 5)).png")
            try folder.write(try scene.colorPNG(view.colors), to: "color/\(number(index, 6)).png")
            try folder.write(try matte(view), to: "masks/\(number(index, 6)).png")
            let rows = RoomScene.rows(scene.pose(index)).map { text($0) }
            log += "\(index) \(index) \(index + 1)\n" + rows.joined(separator: "\n") + "\n"
        }
        try folder.write(text: log, to: "trajectory.log")
        let (f, c) = (scene.focalLength, scene.center)
        let camera = JSONValue.object([
            ("width", .integer(scene.width)), ("height", .integer(scene.height)),
            ("intrinsic_matrix", .numbers([f, 0, 0, 0, f, 0, c.x, c.y, 1])),
        ])
        try folder.write(text: camera.serialized, to: "camera_intrinsic.json")
    }

    private func writeTransforms(_ views: Views, _ folder: TemporaryFolder, isCapture: Bool) throws {
        var frames: [JSONValue] = []
        for (index, view) in views.enumerated() {
            try folder.write(try scene.colorPNG(view.colors), to: "images/\(index).png")
            try folder.write(try depth(view, isCapture ? 6553.5 : 1000), to: "depth/\(index).png")
            try folder.write(try matte(view), to: "images/mask-\(index).png")
            let rows = RoomScene.openGLRows(scene.pose(index))
            frames.append(
                .object([
                    ("file_path", .text(isCapture ? "images/\(index)" : "./images/\(index).png")),
                    (isCapture ? "depth_path" : "depth_file_path", .text("depth/\(index).png")),
                    ("timestamp", .number(time(index))), ("mask_path", .text("images/mask-\(index).png")),
                    ("transform_matrix", .array(rows.map { .numbers($0) })),
                ]))
        }
        var fields: [(String, JSONValue)] = [
            ("fl_x", .number(scene.focalLength)), ("fl_y", .number(scene.focalLength)),
            ("cx", .number(corner.x)), ("cy", .number(corner.y)), ("w", .integer(scene.width)),
            ("h", .integer(scene.height)),
        ]
        if isCapture { fields.append(("integer_depth_scale", .number(1 / 6553.5))) }
        fields.append(("frames", .array(frames)))
        try folder.write(text: JSONValue.object(fields).serialized, to: "transforms.json")
    }

    private func writeRecord3D(_ views: Views, _ folder: TemporaryFolder) throws {
        var poses: [JSONValue] = []
        for (index, view) in views.enumerated() {
            try folder.write(try scene.colorPNG(view.colors), to: "rgb/\(index).png")
            try folder.write(try depth(view), to: "depth/\(index).png")
            let pose = scene.pose(index)
            poses.append(
                .numbers(RoomScene.quaternion(RoomScene.openGLRows(pose)) + pose.translation))
        }
        let f = scene.focalLength
        let metadata = JSONValue.object([
            ("w", .integer(scene.width)), ("h", .integer(scene.height)), ("dw", .integer(scene.width)),
            ("dh", .integer(scene.height)), ("K", .numbers([f, 0, 0, 0, f, 0, corner.x, corner.y, 1])),
            ("poses", .array(poses)),
            ("frameTimestamps", .numbers((0..<count).map { Double($0) * interval })), ("fps", .integer(60)),
        ])
        try folder.write(text: metadata.serialized, to: "metadata.json")
    }

    private func writeMultiScan(_ views: Views, _ folder: TemporaryFolder) throws {
        let f = scene.focalLength
        var lines = ""
        var (depth, confidence): ([UInt8], [UInt8]) = ([], [])
        for (index, view) in views.enumerated() {
            let rows = RoomScene.openGLRows(scene.pose(index))
            let transform = (0..<4).flatMap { column in rows.map { $0[column] } }
            let fields: [(String, JSONValue)] = [
                ("timestamp", .integer(Int((time(index) * 1e9).rounded()))),
                ("intrinsics", .numbers([f, 0, 0, 0, f, 0, corner.x, corner.y, 1])),
                ("transform", .numbers(transform)),
            ]
            lines += JSONValue.object(fields).serialized + "\n"
            for meters in view.meters {
                depth += littleEndian(Int(Float16(meters).bitPattern), 2)
                confidence.append(UInt8(confidence.count % 3))
            }
        }
        try folder.write(text: lines, to: "scan.jsonl")
        try folder.write(Self.deflated(depth), to: "scan.depth.zlib")
        try folder.write(Self.deflated(confidence), to: "scan.confidence.zlib")
        func stream(_ type: String) -> JSONValue {
            .object([
                ("type", .text(type)), ("resolution", .numbers([Double(scene.height), Double(scene.width)])),
            ])
        }
        let streams = JSONValue.object([
            (
                "streams",
                .array([
                    stream("color_camera"), stream("lidar_sensor"),
                    .object([("type", .text("confidence_map"))]),
                ])
            )
        ])
        try folder.write(text: streams.serialized, to: "scan.json")
    }

    /// BOP's format of data sets: world to camera, millimeters, and half a millimeter a code.
    private func writeBOP(_ views: Views, _ folder: TemporaryFolder) throws {
        let (f, c) = (scene.focalLength, scene.center)
        var cameras: [(String, JSONValue)] = []
        for (index, view) in views.enumerated() {
            try folder.write(try depth(view, 2000), to: "depth/\(number(index, 6)).png")
            try folder.write(try scene.colorPNG(view.colors), to: "rgb/\(number(index, 6)).png")
            try folder.write(try matte(view), to: "mask_visib/\(number(index, 6))_000000.png")
            let rows = RoomScene.inverseRows(scene.pose(index)).prefix(3)
            let turn: [Double] = rows.flatMap { Array($0.prefix(3)) }
            let way: [Double] = rows.map { $0[3] * 1000 }
            cameras.append(
                (
                    "\(index)",
                    .object([
                        ("cam_K", .numbers([f, 0, c.x, 0, f, c.y, 0, 0, 1])), ("depth_scale", .number(0.5)),
                        ("cam_R_w2c", .numbers(turn)),
                        ("cam_t_w2c", .numbers(way)),
                    ])
                ))
        }
        try folder.write(text: JSONValue.object(cameras).serialized, to: "scene_camera.json")
    }

    /// Replica as NICE-SLAM renders it.
    private func writeReplica(_ views: Views, _ folder: TemporaryFolder) throws {
        for (index, view) in views.enumerated() {
            try folder.write(try depth(view, 6553.5), to: "results/depth\(number(index, 6)).png")
            try folder.write(try scene.colorPNG(view.colors), to: "results/frame\(number(index, 6)).png")
        }
        let lines = poses().map { text(RoomScene.rows($0).flatMap(\.self)) + "\n" }
        try folder.write(text: lines.joined(), to: "traj.txt")
        let (f, c) = (scene.focalLength, scene.center)
        let camera = JSONValue.object([
            ("w", .integer(scene.width)), ("h", .integer(scene.height)), ("fx", .number(f)),
            ("fy", .number(f)), ("cx", .number(c.x)), ("cy", .number(c.y)), ("scale", .number(6553.5)),
        ])
        try folder.write(text: JSONValue.object([("camera", camera)]).serialized, to: "cam_params.json")
    }

    /// Raw deflate data of stored blocks (RFC 1951 §3.2.4).
    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 65535) {
            let block = bytes[start..<min(start + 65535, bytes.count)]
            output.append(block.endIndex == bytes.count ? 1 : 0)
            output += littleEndian(block.count, 2) + littleEndian(~block.count, 2) + block
        }
        return output
    }

    private func writeScanNet(_ views: Views, _ folder: TemporaryFolder) throws -> String {
        let (f, c) = (scene.focalLength, scene.center)
        var file = SensFile(size: PixelSize(width: scene.width, height: scene.height))
        file.camera = [f, 0, c.x, 0, 0, f, c.y, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        for (index, view) in views.enumerated() {
            let microseconds = Int((time(index) * 1e6).rounded())
            let depth = view.meters.flatMap { littleEndian(Int(($0 * 1000).rounded()), 2) }
            file.frames.append(
                (
                    RoomScene.rows(scene.pose(index)).flatMap(\.self), microseconds,
                    try scene.colorPNG(view.colors), depth
                ))
        }
        return try folder.write(file.bytes, to: "room.sens")
    }
}
