import DepthMaps
import Foundation
import Geometry
import Reconstruction
import RecordingWriting
import Recordings
import Scenes
import TestSupport
import Testing

@Suite("Recordings that are fused by the library")
struct FusedRecordingTests {
    private let folder = TemporaryFolder()
    private static let writer = RecordingWriter()

    /// Samples are within half a millimeter of a wall. In the cells of corners the surface is rounded by less than a voxel.
    @Test("Points lie on the walls of the room, in its colors")
    func room() throws {
        let recording = try Recording(contentsOf: Self.writer.write(.open3D, into: folder))
        let fused = try recording.fused(voxel: 0.02)
        #expect(fused.frameCount == 6 && fused.damagedFrames.isEmpty)
        let points = fused.points()
        #expect(points.positions.count == fused.pointCount && points.positions.count > 10_000)
        let distances = points.positions.map { RoomScene.distance(SIMD3<Double>($0)) }.sorted()
        #expect(distances[distances.count / 2] < 0.001)
        #expect(distances.last ?? 1 < 0.02)
        #expect(points.colors.count == points.positions.count)
        let known = points.colors.count { RoomScene.colors.contains($0) }
        #expect(known * 10 > points.colors.count * 9)
        try fused.write(to: folder.file("room.ply"))
        let text = String(decoding: try folder.bytes(of: "room.ply").prefix(600), as: UTF8.self)
        #expect(text.contains("element vertex \(fused.pointCount)\n"))
        #expect(text.contains("comment voxel 0.02 m\n"))
    }

    @Test("Times and steps choose frames")
    func selection() throws {
        let recording = try Recording(contentsOf: Self.writer.write(.strayScanner, into: folder))
        #expect(try recording.fused(voxel: 0.1, from: 0.04, to: 0.16).frameCount == 3)
        #expect(try recording.fused(voxel: 0.1, every: 4).frameCount == 2)
        #expect(throws: FusionError.noFrames) { try recording.fused(voxel: 0.1, from: 9) }
    }

    @Test("Numbers that are not positive are refused", arguments: [0, -1, Float.nan, .infinity])
    func options(voxel: Float) throws {
        let recording = try Recording(contentsOf: Self.writer.write(.open3D, into: folder))
        #expect(throws: FusionError.self) { try recording.fused(voxel: voxel) }
        #expect(throws: FusionError.notPositive(name: "step", 0)) {
            try recording.fused(voxel: 0.1, every: 0)
        }
        var options = FusionOptions()
        options.stride = 0
        #expect(throws: FusionError.notPositive(name: "stride", 0)) { try recording.fused(options) }
    }
}
