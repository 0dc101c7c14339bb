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

@Suite("Recordings that are turned upright")
struct RecordingLevelTests {
    private let folder = TemporaryFolder()

    /// y of the points: from the floor at 0 to the ceiling at 3.
    @Test("The floor is level at height 0, and y points up or down as wanted", arguments: CloudAxes.allCases)
    func floor(axes: CloudAxes) throws {
        let recording = try TiltedRoom(tilt: 0.5).write(folder)
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
        let listed = try TiltedRoom(tilt: 0.5).write(folder)
        let followed = try FollowedRecording(listed, FrameSelection(), uprightIn: .opengl)
        for (index, frame) in followed.recording.frames.enumerated() {
            let pose = try #require(frame.pose)
            #expect(abs(pose.position.y - TiltedRoom.height) < 0.01)
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
        let recording = try TiltedRoom(tilt: -0.4).write(folder)
        #expect(throws: FusionError.noFloor) {
            try recording.fused(FusionOptions(voxelSize: 0.04), uprightIn: .opengl)
        }
    }

    /// y of ARKit's worlds points up: with OpenCV's axes, half a turn about x remains.
    @Test("The gravity of the poses takes precedence over the floor")
    func gravity() throws {
        let recording = try Recording(contentsOf: RecordingWriter().write(.strayScanner, into: folder))
        let listed = recording
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
