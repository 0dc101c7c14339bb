import Bytes
import DepthTypes
import Foundation
import Geometry
import Reconstruction
import RecordingWriting
import Recordings
import Scenes
import TestSupport
import Testing

@Suite("Recordings without poses")
struct FollowedRecordingTests {
    private let folder = TemporaryFolder()

    private static func open(_ folder: borrowing TemporaryFolder) throws -> Recording {
        let path = try RecordingWriter().write(.nerfstudio, into: folder)
        let file = URL(fileURLWithPath: path + "/transforms.json")
        var fields = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        let frames = try #require(fields["frames"] as? [[String: Any]])
        fields["frames"] = frames.map { $0.filter { $0.key != "transform_matrix" } }
        try JSONSerialization.data(withJSONObject: fields).write(to: file)
        return try Recording(contentsOf: path)
    }

    /// From frame 3 on, the camera sees one wall without texture and the ball: turning about the ball, by decimeters, changes
    /// nothing. So these frames must not be fused.
    @Test(
        "Points lie on the walls of the room, seen from the first frame's camera, and doubtful frames are skipped"
    )
    func fused() throws {
        let recording = try Self.open(folder)
        #expect(recording.poses.allSatisfy { $0 == nil })
        let fused = try recording.fused(voxel: 0.02)
        #expect(fused.frameCount == 3)
        let first = RecordingWriter().scene.pose(0)
        let distances = fused.points().positions
            .map { RoomScene.distance(first.world(SIMD3<Double>($0))) }.sorted()
        #expect(distances[distances.count / 2] < 0.004)
        #expect(distances[distances.count * 95 / 100] < 0.02)
        let note = fused.diagnostics.first { $0.code.rawValue == "estimated-poses" }
        #expect(note?.message.contains("followed 3 of 6 frames") == true)
        #expect(note?.message.contains("the camera of frame 0 is the world") == true)
        let warning = fused.diagnostics.first { $0.code.rawValue == "lost-tracking" }
        #expect(
            warning?.message
                == "odometry could not follow 3 frames, which are not fused; the first is frame 3")
    }

    @Test("The estimate of the path has the numbers of frames, and how accurate it is")
    func estimate() throws {
        let listed = try Self.open(folder)
        let estimate = try #require(try FollowedRecording(listed, FrameSelection()).estimate)
        #expect(estimate.frameCount == 6 && estimate.followedCount == 3)
        #expect(estimate.worldFrame == 0 && estimate.lostFrames == [3, 4, 5])
        // Depth is rounded to millimeters, and 0.2 % of 2 m to 3 m are added for errors of the camera.
        #expect((0.0001...0.005).contains(try #require(estimate.depthError)))
        #expect((0.001...0.02).contains(try #require(estimate.positionDeviation)))
    }

    @Test("All frames are followed, also those that are not fused")
    func step() throws {
        let fused = try Self.open(folder).fused(voxel: 0.02, every: 2)
        #expect(fused.frameCount == 2)
        #expect(fused.diagnostics.contains { $0.message.contains("followed 3 of 6 frames") })
    }

    @Test("A damaged frame is reported as damaged, not as one that could not be followed")
    func damaged() throws {
        let recording = try Self.open(folder)
        let name = try #require(recording.depthPath(of: recording.frames[5], from: folder.path))
        try folder.write(text: "no picture", to: name)
        let fused = try recording.fused(voxel: 0.02)
        #expect(fused.damagedFrames == [5] && fused.frameCount == 3)
        #expect(fused.diagnostics.contains { $0.message.contains("could not follow 2 frames") })
    }

    @Test("Stored poses are used as they are")
    func stored() throws {
        let listed = try Recording(contentsOf: RecordingWriter().write(.nerfstudio, into: folder))
        let followed = try FollowedRecording(listed, FrameSelection())
        #expect(followed.diagnostics.isEmpty && followed.estimate == nil && followed.level == nil)
        #expect(followed.recording.frames.map(\.pose) == listed.frames.map(\.pose))
    }

    @Test("The camera's path starts at the origin, and follows the camera's true one")
    func path() throws {
        let listed = try Self.open(folder)
        let followed = try FollowedRecording(listed, FrameSelection())
        let lines = String(decoding: CameraPath(followed.recording, FrameSelection()).ply, as: UTF8.self)
            .split(separator: "\n")
        #expect(
            lines.contains(
                "comment camera path in the coordinates of the first followed frame's camera, meters"))
        let start = try #require(lines.firstIndex(of: "end_header")) + 1
        let vertices = lines.dropFirst(start).prefix(3).map { line in
            line.split(separator: " ").prefix(3).compactMap { Double($0) }
        }
        let scene = RecordingWriter().scene
        for (index, vertex) in vertices.enumerated() {
            let truth = scene.pose(0).camera(scene.pose(index).position)
            #expect(zip(vertex, [truth.x, truth.y, truth.z]).allSatisfy { abs($0 - $1) < 0.002 })
        }
        #expect(vertices.count == 3 && vertices.first == [0, 0, 0])
    }
}
