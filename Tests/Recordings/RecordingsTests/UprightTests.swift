import DepthMaps
import DepthTypes
import Foundation
import RecordingWriting
import Scenes
import TestFrames
import TestSupport
import Testing

@testable import Recordings

/// Recordings of ARKit whose camera was held on a side.
@Suite("Frames that are turned upright")
struct UprightTests {
    /// The room as in an ARKit recording, with y up in the world, and a camera that is rotated about its axis by
    /// quarter turns: clockwise as seen from behind it, so that the scene is rotated counterclockwise in the picture.
    private func write(quarters: Int, into folder: TemporaryFolder) throws -> (path: String, scene: RoomScene)
    {
        let scene = RoomScene()
        var lines = "timestamp, frame, x, y, z, qx, qy, qz, qw\n"
        for index in 0..<3 {
            var pose = scene.pose(index)
            for _ in 0..<quarters { (pose.right, pose.down) = (pose.down, -pose.right) }
            try folder.write(
                try scene.depthPNG(scene.view(pose).meters, unitsPerMeter: 1000),
                to: "depth/00000\(index).png")
            // The scene's world has y down: a half turn about x brings it up.
            let turned = CameraPose(
                right: Self.flipped(pose.right), down: Self.flipped(pose.down),
                forward: Self.flipped(pose.forward),
                position: Self.flipped(pose.position))
            let numbers = turned.translation + RoomScene.quaternion(RoomScene.rows(turned))
            lines +=
                "\(Double(index) / 10), 00000\(index), " + numbers.map { "\($0)" }.joined(separator: ", ")
                + "\n"
        }
        try folder.write(text: lines, to: "odometry.csv")
        let (f, c) = (scene.focalLength, scene.center + 0.5)
        try folder.write(text: "\(f),0,\(c.x)\n0,\(f),\(c.y)\n0,0,1\n", to: "camera_matrix.csv")
        return (folder.path, scene)
    }

    private static func flipped(_ v: SIMD3<Double>) -> SIMD3<Double> { SIMD3(v.x, -v.y, -v.z) }

    @Test("Depth, camera and pose are those of a camera that was held upright", arguments: 0..<4)
    func turning(quarters: Int) throws {
        let folder = TemporaryFolder()
        let (path, scene) = try write(quarters: quarters, into: folder)
        let recording = try Recording(contentsOf: path)
        #expect(recording.orientation == [.up, .right, .down, .left][quarters])
        let source = RecordingReader(recording, isUpright: true)
        let isSideways = quarters % 2 == 1
        #expect(source.description.depth?.size.width == (isSideways ? scene.height : scene.width))
        var frame = TestFrame()
        for index in 0..<3 {
            _ = try source.advance()
            try source.read(.measured, into: &frame)
            let pose = try #require(frame.pose)
            let upright = scene.pose(index)
            #expect((pose.right * Self.flipped(upright.right)).sum() > 1 - 1e-9)
            #expect((pose.down * Self.flipped(upright.down)).sum() > 1 - 1e-9)
            // Every tenth sample, back in the room by the turned camera and pose, lies on a surface.
            let camera = try #require(frame.calibration).scaled(
                toWidth: frame.depth.width, height: frame.depth.height)
            var worst = 0.0
            for place in stride(from: 0, to: frame.depth.samples.count, by: 10) {
                let z = Double(frame.depth.samples[place])
                let point = SIMD3(
                    (Double(place % frame.depth.width) - camera.principalPointX) / camera.focalLengthX * z,
                    (Double(place / frame.depth.width) - camera.principalPointY) / camera.focalLengthY * z, z)
                worst = max(worst, RoomScene.distance(Self.flipped(pose.world(point))))
            }
            #expect(worst < 0.001, "frame \(index)")
        }
        let stored = RecordingReader(recording)
        #expect(stored.description.depth?.size == PixelSize(width: scene.width, height: scene.height))
    }

    @Test("A camera that looks down, and a world that gravity does not turn, say nothing")
    func silence() throws {
        let down = CameraPose(
            right: SIMD3(1, 0, 0), down: SIMD3(0, 0, 1), forward: SIMD3(0, -1, 0), position: .zero)
        #expect(down.quarterTurns(up: SIMD3(0, 1, 0)) == nil)
        #expect(RecordingLayout.tum.up == nil)
    }

    @Test("Planes are turned to the sample", arguments: 0..<4)
    func planes(quarters: Int) {
        let (width, height) = (70, 41)
        var plane = FramePlane(width: width, height: height, samples: (0..<width * height).map { Float($0) })
        let original = plane.samples
        var turned = FramePlane<Float>()
        plane.turned(quarters: quarters, into: &turned)
        for _ in quarters..<4 where quarters > 0 {
            swap(&plane, &turned)
            plane.turned(quarters: 1, into: &turned)
        }
        #expect(turned.samples == original && turned.width == width)
    }
}
