import DepthTypes
import Foundation
import RecordingWriting
import Recordings
import TestSupport

/// A recording of the analytic room, 3 m high, with a floor at y = 1.5 and y down, in a world that is turned.
struct TiltedRoom {
    /// The angle by which cameras look down.
    var tilt: Double

    /// A pose of the room's world in the recording's, turned by 0.3 rad about z and 0.2 rad about x.
    static let world: CameraPose = {
        let (a, b) = (0.3, 0.2)
        let first = CameraPose(
            right: SIMD3(cos(a), sin(a), 0), down: SIMD3(-sin(a), cos(a), 0), forward: SIMD3(0, 0, 1),
            position: SIMD3(1, 2, -1))
        let second = CameraPose(
            right: SIMD3(1, 0, 0), down: SIMD3(0, cos(b), sin(b)), forward: SIMD3(0, -sin(b), cos(b)),
            position: .zero)
        return first.appending(second)
    }()

    static let height = 0.9
    static let count = 6

    /// A camera 0.9 m above the floor that looks down by an angle, and around.
    func pose(_ index: Int) -> CameraPose {
        let angle = 0.3 * Double(index) - 0.8
        let ahead = SIMD3(sin(angle), 0, cos(angle))
        let below = SIMD3(0, 1.0, 0)
        return CameraPose(
            right: SIMD3(cos(angle), 0, -sin(angle)), down: below * cos(tilt) - ahead * sin(tilt),
            forward: ahead * cos(tilt) + below * sin(tilt),
            position: SIMD3(0, 1.5 - Self.height, -0.8))
    }

    /// The pose of a frame without errors, in the recording's world.
    func truth(_ index: Int) -> CameraPose { Self.world.appending(pose(index)) }

    func write(_ folder: borrowing TemporaryFolder) throws -> Recording {
        let scene = RoomScene()
        var frames: [[String: Any]] = []
        for index in 0..<Self.count {
            let name = "depths/\(index).png"
            try folder.write(
                scene.depthPNG(scene.view(pose(index)).meters, unitsPerMeter: 1000), to: name)
            frames.append([
                "depth_file_path": name,
                "transform_matrix": RoomScene.openGLRows(truth(index)),
            ])
        }
        let fields: [String: Any] = [
            "fl_x": scene.focalLength, "fl_y": scene.focalLength, "cx": scene.center.x + 0.5,
            "cy": scene.center.y + 0.5, "w": scene.width, "h": scene.height,
            "depth_unit_scale_factor": 0.001, "frames": frames,
        ]
        let data = try JSONSerialization.data(withJSONObject: fields)
        try folder.write([UInt8](data), to: "transforms.json")
        return try Recording(contentsOf: folder.path)
    }
}
