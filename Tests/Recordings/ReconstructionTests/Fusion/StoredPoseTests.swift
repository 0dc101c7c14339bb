internal import Bytes
import DepthMaps
import DepthTypes
import Foundation
internal import Geometry
import RecordingWriting
import Recordings
import TestFrames
import TestSupport
import Testing

@testable import Reconstruction

/// A camera that swings to and fro in the room of waves: where its poses are wrong, and by how much, is known.
@Suite("Stored poses that contradict the frames")
struct StoredPoseTests {
    private let folder = TemporaryFolder()
    private static let count = 80

    private static func pose(_ index: Int) -> CameraPose {
        let angle = 2 * Double.pi * Double(index) / Double(count)
        return .looking(0.4 * sin(angle), from: SIMD3(0.5 * sin(angle), 0.1 * cos(angle), 0))
    }

    private static func write(
        _ folder: borrowing TemporaryFolder, offset: (Int) -> Double
    ) throws -> Recording {
        let (room, scene) = (WaveRoom(), RoomScene())
        var frames: [[String: Any]] = []
        for index in 0..<count {
            let frame = room.frame(at: pose(index), seed: UInt64(index))
            try folder.write(scene.colorPNG(frame.color.samples), to: "images/\(index).png")
            let meters = frame.depth.samples.map { Double($0) }
            try folder.write(scene.depthPNG(meters, unitsPerMeter: 1000), to: "depths/\(index).png")
            var stored = pose(index)
            stored.position.x += offset(index)
            frames.append([
                "file_path": "images/\(index).png", "depth_file_path": "depths/\(index).png",
                "transform_matrix": RoomScene.openGLRows(stored),
            ])
        }
        let camera = WaveRoom.camera
        let fields: [String: Any] = [
            "fl_x": camera.focalLengthX, "fl_y": camera.focalLengthY, "cx": camera.principalPointX + 0.5,
            "cy": camera.principalPointY + 0.5, "w": camera.width, "h": camera.height,
            "depth_unit_scale_factor": 0.001, "frames": frames,
        ]
        try folder.write([UInt8](JSONSerialization.data(withJSONObject: fields)), to: "transforms.json")
        return try Recording(contentsOf: folder.path)
    }

    @Test("Right poses are kept, without a word")
    func right() throws {
        let fused = try Self.write(folder) { _ in 0 }.fused(voxel: 0.02)
        #expect(fused.frameCount == Self.count)
        #expect(!fused.diagnostics.contains { ["lost-tracking", "pose-fit"].contains($0.code.rawValue) })
    }

    @Test(
        "A frame or a few that jump away are named and left out, so that points lie on the surfaces",
        arguments: [15..<16, 15..<17, 23..<26, 79..<80], [0.3, -0.12])
    func glitch(wrong: Range<Int>, offset: Double) throws {
        let recording = try Self.write(folder) { wrong.contains($0) ? offset : 0 }
        let fused = try recording.fused(voxel: 0.02)
        #expect(fused.frameCount == Self.count - wrong.count)
        let warnings = fused.diagnostics.filter { $0.code.rawValue == "lost-tracking" }
        let names = wrong.map(String.init).joined(separator: ", ")
        #expect(warnings.count == 1 && warnings[0].message.contains(names), "\(warnings)")
        let squares = fused.points().positions.map { pow(WaveRoom.distance(SIMD3<Double>($0)), 2) }
        #expect((squares.reduce(0, +) / Double(squares.count)).squareRoot() < 0.01)
    }

    /// The first and the last frame see the same, and are 10 cm off.
    @Test("Drift over two voxels is a warning with its size")
    func drift() throws {
        let recording = try Self.write(folder) { 0.1 * Double($0) / 79 }
        let fused = try recording.fused(voxel: 0.02)
        #expect(fused.frameCount == Self.count)
        let warning = try #require(fused.diagnostics.first { $0.code.rawValue == "pose-fit" })
        let words = warning.message.split(separator: " ")
        let place = try #require(words.firstIndex(of: "mm"))
        #expect((70...110).contains(try #require(Int(words[place - 1]))), "\(warning.message)")
        let coarse = try recording.fused(voxel: 0.08)
        #expect(!coarse.diagnostics.contains { $0.code.rawValue == "pose-fit" })
    }
}
