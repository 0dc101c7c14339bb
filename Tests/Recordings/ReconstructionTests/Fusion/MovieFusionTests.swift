import Bytes
import DepthMaps
import DepthTypes
import Foundation
import Geometry
import MovieWriting
import Movies
import Reconstruction
import RecordingWriting
import Scenes
import TestFrames
import TestSupport
import Testing

@testable import Recordings

@Suite("Movies of depth", .needsFFmpeg)
struct MovieFusionTests {
    private let folder = TemporaryFolder()
    private static let scene = RoomScene()

    /// A movie of 16-bit depth in millimeters: six views of the room, 20 a second.
    private static func write(into folder: borrowing TemporaryFolder) throws -> String {
        let frames = (0..<6).map { index in
            let meters = scene.view(scene.pose(index)).meters.map { Float($0) }
            var frame = RenderedFrame()
            frame.time = Double(index) / 20
            frame.depth = FramePlane(width: scene.width, height: scene.height, samples: meters)
            return frame
        }
        return try folder.writeMovie(frames, to: "room.mkv", codec: .ffv1, rate: 20)
    }

    private static var reading: ReadingOptions {
        var reading = ReadingOptions()
        reading.scale = 1000
        reading.camera = .intrinsics(
            fx: scene.focalLength, fy: scene.focalLength, cx: scene.center.x, cy: scene.center.y)
        return reading
    }

    /// The greatest difference from the true depth of a frame, in meters.
    private static func error(_ scene: DepthScene, _ index: Int) throws -> Float {
        let truth = Self.scene.view(Self.scene.pose(index)).meters
        return try zip(scene.depth().meters, truth).reduce(0) { max($0, abs($1.0 - Float($1.1))) }
    }

    @Test("Frames are listed with their times, and read in any order, twice, and not to the end")
    func order() throws {
        let recording = try Recording(contentsOf: Self.write(into: folder), reading: Self.reading)
        #expect(recording.frameCount == 6 && recording.layout == .movie)
        for (index, time) in recording.times.enumerated() { #expect(abs(time - Double(index) / 20) < 1e-9) }
        // Half a millimeter of rounding.
        for index in [3, 3, 0, 5, 1] {
            #expect(try Self.error(recording.scene(at: index), index) < 0.000_51)
        }
        let reader = RecordingReader(recording)
        var frame = TestFrame()
        for index in 0..<2 {
            #expect(try reader.advance() == recording.times[index])
            for _ in 0..<2 {
                try reader.read(.measured, into: &frame)
                #expect(frame.index == index && frame.depth.size == PixelSize(width: 160, height: 120))
            }
        }
    }

    @Test("Times are half-open")
    func times() throws {
        let recording = try Recording(contentsOf: Self.write(into: folder), reading: Self.reading)
        #expect(recording.frames(from: 0.05, to: 0.15).compactMap(\.description.index) == [1, 2])
        #expect(Array(recording.frames(from: 0.1, to: 0.1)).isEmpty)
        #expect(recording.frames(from: 0.25).compactMap(\.description.index) == [5])
        #expect(throws: FusionError.noFrames) { try recording.fused(voxel: 0.02, to: 0) }
    }

    @Test("Odometry follows the camera of a movie, and its frames become points on the walls")
    func fused() throws {
        let recording = try Recording(contentsOf: Self.write(into: folder), reading: Self.reading)
        let fused = try recording.fused(voxel: 0.02)
        #expect(fused.diagnostics.contains { $0.code.rawValue == "estimated-poses" })
        let first = Self.scene.pose(0)
        let distances = fused.points().positions
            .map { RoomScene.distance(first.world(SIMD3<Double>($0))) }.sorted()
        #expect(distances[distances.count / 2] < 0.006)
    }

    @Test("A file of poses places a movie's frames")
    func poses() throws {
        let path = try Self.write(into: folder)
        let lines = (0..<6).map { index -> String in
            let pose = Self.scene.pose(index)
            let rows = (0..<3).map {
                "\(pose.right[$0]) \(pose.down[$0]) \(pose.forward[$0]) \(pose.position[$0])"
            }
            return rows.joined(separator: " ") + "\n"
        }
        var reading = Self.reading
        reading.posesPath = try folder.write(Array(lines.joined().utf8), to: "poses.txt")
        let recording = try Recording(contentsOf: path, reading: reading)
        #expect(recording.poseCount == 6)
        let fused = try recording.fused(voxel: 0.02)
        #expect(fused.frameCount == 6)
        let distances = fused.points().positions.map { RoomScene.distance(SIMD3<Double>($0)) }.sorted()
        #expect(distances[distances.count / 2] < 0.004)
        let set = try recording.writeDataSet(.tum, to: folder.file("set"))
        #expect(set.frameCount == 6 && set.poseCount == 6)
    }

    @Test("A movie without a camera gives this reason")
    func reason() throws {
        let recording = try Recording(contentsOf: Self.write(into: folder))
        #expect(throws: FusionError.noCamera) { try recording.fused(voxel: 0.02) }
    }

    @Test("A frame that the decoder does not deliver is an error of its own, and others are read")
    func lost() throws {
        let path = try Self.write(into: folder)
        let whole = try Recording(contentsOf: path, reading: Self.reading)
        // A list with a frame that the movie does not have, as if its packet were damaged.
        let list = MovieTimes([0, 0.05, 0.1, 0.125, 0.15, 0.2, 0.25], rate: 20)
        var decoder = try MovieDecoder(StoredMovie(path, unitsPerMeter: 1000, times: list), whole.limits)
        #expect(try decoder.advance(to: 0.1))
        #expect(throws: MovieError.lostFrame(3)) { try decoder.advance(to: 0.125) }
        #expect(throws: MovieError.lostFrame(3)) { try decoder.advance(to: 0.125) }
        #expect(try decoder.advance(to: 0.15))
        #expect(try decoder.advance(to: 0.05))
    }
}
