import ByteParsing
import DepthModel
import Foundation
import Fusion
import PointClouds
import RecordingWriting
import Recordings
import Sequences
import TestSupport
import Testing

/// The analytic room, 3 m high, with a floor at y = 1.5 and y down, in a world that is turned.
@Suite("Recordings that are turned upright")
struct RecordingLevelTests {
    /// A pose of the room's world in the recording's, turned by 0.3 rad about z and 0.2 rad about x.
    private static let world: CameraPose = {
        let (a, b) = (0.3, 0.2)
        let first = CameraPose(
            right: SIMD3(cos(a), sin(a), 0), down: SIMD3(-sin(a), cos(a), 0), forward: SIMD3(0, 0, 1),
            position: SIMD3(1, 2, -1))
        let second = CameraPose(
            right: SIMD3(1, 0, 0), down: SIMD3(0, cos(b), sin(b)), forward: SIMD3(0, -sin(b), cos(b)),
            position: .zero)
        return first.appending(second)
    }()

    private static let height = 0.9

    /// A camera 0.9 m above the floor that looks down by an angle, and around.
    private static func pose(_ index: Int, tilt: Double) -> CameraPose {
        let angle = 0.4 * Double(index) - 1
        let ahead = SIMD3(sin(angle), 0, cos(angle))
        let below = SIMD3(0, 1.0, 0)
        return CameraPose(
            right: SIMD3(cos(angle), 0, -sin(angle)), down: below * cos(tilt) - ahead * sin(tilt),
            forward: ahead * cos(tilt) + below * sin(tilt), position: SIMD3(0, 1.5 - height, -0.8))
    }

    private static func write(tilt: Double, _ folder: borrowing TemporaryFolder) throws -> Recording {
        let scene = RoomScene()
        try folder.folder("depths")
        var frames: [[String: Any]] = []
        for index in 0..<6 {
            let pose = pose(index, tilt: tilt)
            let name = "depths/\(index).png"
            try folder.write(
                scene.depthPNG(scene.view(pose).meters, unitsPerMeter: 1000), to: name)
            frames.append([
                "depth_file_path": name,
                "transform_matrix": RoomScene.openGLRows(world.appending(pose)),
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

    /// y of the points: from the floor at 0 to the ceiling at 3.
    @Test("The floor is level at height 0, and y points up or down as wanted", arguments: CloudAxes.allCases)
    func floor(axes: CloudAxes) throws {
        let folder = try TemporaryFolder()
        let recording = try Self.write(tilt: 0.5, folder)
        let fused = try recording.fused(FusionOptions(voxelSize: 0.04), uprightIn: axes)
        let sign: Float = axes == .opengl ? 1 : -1
        let heights = fused.points().positions.map { $0.y * sign }.sorted()
        #expect(heights.count { abs($0) < 0.03 } * 10 > heights.count)
        #expect(heights.first ?? -1 > -0.03 && heights.last ?? 9 < 3.03)
        let note = try #require(fused.diagnostics.first { $0.code.rawValue == "leveled" })
        #expect(note.message.contains("the floor is at 0") && note.message.contains("from −y of the poses"))
        // The check of the convention is one of the stored poses.
        #expect(!fused.diagnostics.contains { $0.code.rawValue == "pose-convention" })
    }

    @Test("The camera's path is turned together with the surface")
    func path() throws {
        let folder = try TemporaryFolder()
        guard case .listed(let listed) = try Self.write(tilt: 0.5, folder).content else {
            Issue.record("the recording is a movie")
            return
        }
        let followed = try FollowedRecording(listed, FrameSelection(), uprightIn: .opengl)
        for (index, frame) in followed.recording.frames.enumerated() {
            let pose = try #require(frame.pose)
            #expect(abs(pose.position.y - Self.height) < 0.01)
            // sin of half a degree.
            #expect(abs(pose.right.y) < 0.0087)
            #expect(abs(pose.forward.y + sin(0.5)) < 0.0087, "frame \(index)")
        }
        let level = try #require(followed.level)
        #expect(level.source == .floor && abs(level.tilt - 20.56) < 0.5)
        let path = CameraPath(followed.recording, FrameSelection())
        #expect(String(decoding: path.ply, as: UTF8.self).contains("coordinates of a level world, y up"))
    }

    /// A camera that looks up sees walls and the ceiling only.
    @Test("Without a floor and gravity, nothing is turned")
    func missing() throws {
        let folder = try TemporaryFolder()
        let recording = try Self.write(tilt: -0.4, folder)
        #expect(throws: FusionError.noFloor) {
            try recording.fused(FusionOptions(voxelSize: 0.04), uprightIn: .opengl)
        }
    }

    /// y of ARKit's worlds points up: with OpenCV's axes, half a turn about x remains.
    @Test("The gravity of the poses takes precedence over the floor")
    func gravity() throws {
        let folder = try TemporaryFolder()
        let recording = try Recording(contentsOf: RecordingWriter().write(.strayScanner, into: folder))
        guard case .listed(let listed) = recording.content else {
            Issue.record("the recording is a movie")
            return
        }
        let same = try FollowedRecording(listed, FrameSelection(), uprightIn: .opengl)
        #expect(same.level?.source == .gravity && same.level?.tilt == 0)
        #expect(same.recording.frames.map(\.pose) == listed.frames.map(\.pose))
        let turned = try FollowedRecording(listed, FrameSelection(), uprightIn: .opencv).recording
        for (frame, other) in zip(turned.frames, listed.frames) {
            let (a, b) = (try #require(frame.pose?.position), try #require(other.pose?.position))
            #expect(a == SIMD3(b.x, -b.y, -b.z))
        }
    }
}
