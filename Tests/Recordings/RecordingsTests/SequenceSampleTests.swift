internal import DepthMaps
import DepthTypes
import Scenes
import TestFrames
import TestSupport
import Testing

@testable import Recordings

@Suite("Real recordings", .needsRecordings)
struct SequenceSampleTests {
    struct Expected: Sendable {
        var path: String
        var layout: RecordingLayout
        /// Files that are there, counted with ls.
        var frames: Int
        var depth: PixelSize?
        var color: PixelSize?
        var poses: Int
        /// Frames of the list that have no files.
        var skipped = 0
        /// The median of |Δz|, in meters, that the check of the conventions found at most.
        var error: Double?
    }

    static let recordings: [Expected] = [
        Expected(
            path: "tum", layout: .tum, frames: 8, depth: PixelSize(width: 640, height: 480),
            color: PixelSize(width: 640, height: 480), poses: 8, skipped: 714, error: 0.022),
        Expected(
            path: "strayscanner", layout: .strayScanner, frames: 20,
            depth: PixelSize(width: 256, height: 192),
            poses: 20, skipped: 922, error: 0.017),
        Expected(
            path: "record3d-exr", layout: .record3DFolder, frames: 15,
            depth: PixelSize(width: 192, height: 256),
            color: PixelSize(width: 1440, height: 1920), poses: 15, skipped: 442, error: 0.013),
        Expected(
            path: "record3d-r3d/metadata-only.r3d", layout: .record3DArchive, frames: 0, poses: 0, skipped: 49
        ),
        Expected(
            path: "3dscannerapp", layout: .scannerApp, frames: 12, depth: PixelSize(width: 256, height: 192),
            color: PixelSize(width: 1920, height: 1440), poses: 12, error: 0.016),
        Expected(
            path: "7scenes", layout: .sevenScenes, frames: 12, depth: PixelSize(width: 640, height: 480),
            color: PixelSize(width: 640, height: 480), poses: 12, error: 0.013),
        Expected(
            path: "open3d-redwood", layout: .open3D, frames: 5, depth: PixelSize(width: 640, height: 480),
            color: PixelSize(width: 640, height: 480), poses: 5, error: 0.007),
        Expected(
            path: "realsense-depth16-seq", layout: .numberedDepth, frames: 6,
            depth: PixelSize(width: 320, height: 180), poses: 0),
        Expected(
            path: "arkit-depth-png", layout: .pair, frames: 1, depth: PixelSize(width: 256, height: 192),
            color: PixelSize(width: 1920, height: 1440), poses: 0),
        Expected(path: "multiscan", layout: .multiScan, frames: 354, poses: 354),
        Expected(
            path: "constructed/arkitscenes-like", layout: .arkitScenes, frames: 3,
            depth: PixelSize(width: 256, height: 192), color: PixelSize(width: 256, height: 192), poses: 3,
            error: 0.009),
        Expected(
            path: "constructed/polycam-like", layout: .polycam, frames: 3,
            depth: PixelSize(width: 256, height: 192), color: PixelSize(width: 1024, height: 768), poses: 3,
            error: 0.009),
        Expected(
            path: "constructed/nerfstudio-like", layout: .nerfstudio, frames: 3,
            depth: PixelSize(width: 256, height: 192), color: PixelSize(width: 512, height: 384), poses: 3,
            error: 0.009),
        Expected(
            path: "constructed/scannet-v4-4frames.sens", layout: .scanNet, frames: 4,
            depth: PixelSize(width: 640, height: 480), color: PixelSize(width: 640, height: 480), poses: 3,
            error: 0.013),
        Expected(
            path: "constructed/record3d-5frames.r3d", layout: .record3DArchive, frames: 5,
            depth: PixelSize(width: 192, height: 256), color: PixelSize(width: 1440, height: 1920), poses: 5,
            error: 0.013),
    ]

    @Test("A recording is described as its files are", arguments: recordings)
    func description(expected: Expected) throws {
        let recording = try Recording(contentsOf: SampleFolder.recordings.path(expected.path))
        #expect(recording.layout == expected.layout)
        #expect(recording.frames.count == expected.frames)
        #expect(recording.depthSize == expected.depth || expected.frames == 0)
        #expect(recording.hasColor == (expected.color != nil))
        if recording.hasColor { #expect(recording.colorSize == expected.color) }
        #expect(recording.poseCount == expected.poses)
        #expect(recording.skippedCount == expected.skipped)
    }

    @Test(
        "All frames of a recording can be decoded, and most of their depths are plausible",
        arguments: recordings)
    func decoding(expected: Expected) throws {
        let recording = try Recording(contentsOf: SampleFolder.recordings.path(expected.path))
        guard recording.hasDepth, recording.scale.hasUnit else { return }
        let source = RecordingReader(recording)
        var frame = TestFrame()
        var count = 0
        while try source.advance() != nil {
            try source.read(.measured, into: &frame)
            #expect(frame.depth.size == expected.depth)
            let known = frame.depth.samples.filter { !$0.isNaN }
            #expect(known.count * 2 > frame.depth.samples.count)
            #expect(known.count { $0 > 0.1 && $0 < 10 } * 10 > known.count * 9)
            count += 1
        }
        #expect(count == expected.frames)
    }

    @Test(
        "Points of one frame lie where another frame's depth is, in the documented convention",
        arguments: recordings)
    func reprojection(expected: Expected) throws {
        guard let limit = expected.error else { return }
        let recording = try Recording(contentsOf: SampleFolder.recordings.path(expected.path))
        let check = try #require(ReprojectionCheck(recording))
        #expect(try #require(check.error) < limit)
        #expect(check.better == nil)
        // The frames of the .sens file follow each other: the camera hardly moves.
        guard expected.layout != .scanNet else { return }
        for convention in PoseConvention.allCases where convention != check.convention {
            // With another convention, the error is clearly larger, or `nil` because hardly any point is inside the other frame.
            #expect(check.errors[convention] ?? 1 > 2 * (check.error ?? 1))
        }
    }

    @Test("Record3D's movie is split into depth and picture")
    func hueMovie() throws {
        let path = SampleFolder.recordings.path("record3d-mp4/sample5.mp4")
        let movie: Recording
        do {
            movie = try Recording(contentsOf: path)
        } catch {
            // Without FFmpeg's libraries there is one clear error.
            #expect("\(error)".contains("FFmpeg") || "\(error)".contains("lib"))
            return
        }
        // ffprobe -count_packets: 472 frames of 384 × 256 at 30 a second.
        #expect(movie.layout == .record3DMovie)
        #expect(RecordingReader(movie).extent.frameCount == 472)
        #expect(RecordingReader(movie).description.depth?.size == PixelSize(width: 192, height: 256))
        #expect(abs((RecordingReader(movie).description.calibration?.focalLengthX ?? 0) - 194.1395) < 1e-3)
        let source = RecordingReader(movie)
        var frame = TestFrame()
        _ = try source.advance()
        try source.read(.measured, into: &frame)
        let known = frame.depth.samples.filter { !$0.isNaN }
        #expect(known.count * 4 > frame.depth.samples.count)
        #expect(known.allSatisfy { $0 > 0 && $0 < 3 })
        #expect(frame.color.size == PixelSize(width: 192, height: 256))
    }
}
