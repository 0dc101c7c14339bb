import ByteParsing
import DepthCore
import DepthModel
import Foundation
import Movies
import RecordingWriting
import Sequences
import TestSupport
import Testing

@testable import Recordings

/// Whether FFmpeg's libraries are here.
let hasFFmpeg = {
    do {
        _ = try MovieSource(contentsOf: "/dev/null", limits: DecodingLimits())
        return true
    } catch { return !"\(error)".contains("FFmpeg's lib") }
}()

@Suite("Depth in hues")
struct HueMovieTests {
    @Test(
        "A color is the distance that it was made of, to half a step of 1/1530 of the range",
        arguments: [0...3 as ClosedRange<Float>, 0.5...6])
    func code(range: ClosedRange<Float>) {
        let coding = HueDepth(range, nil)
        let width = range.upperBound - range.lowerBound
        var worst: Float = 0
        for index in 0...10_000 {
            let meters = range.lowerBound + width * (0.0201 + 0.9598 * Float(index) / 10_000)
            worst = max(worst, abs(coding.meters(coding.color(meters)) - meters))
        }
        #expect(worst <= width / 1530 / 2 + 1e-5)
        for meters in [.nan, -1, 0, range.upperBound, range.upperBound + 1, .infinity] {
            #expect(coding.color(meters) == RGB(red: 255, green: 0, blue: 0))
            #expect(coding.meters(coding.color(meters)).isNaN)
        }
        // Record3D uses HSV's hues: yellow, green, cyan, blue and magenta are each a sixth farther.
        #expect(coding.color(range.lowerBound + width / 6) == RGB(red: 255, green: 255, blue: 0))
        #expect(coding.color(range.lowerBound + width / 3) == RGB(red: 0, green: 255, blue: 0))
        #expect(coding.color(range.lowerBound + width * 2 / 3) == RGB(red: 0, green: 0, blue: 255))
    }

    @Test("What a movie says of itself is read back")
    func description() throws {
        let camera = Intrinsics(fx: 140, fy: 141, cx: 82.5, cy: 57.25)
        let text = HueDepth(0.25...4, camera).description
        #expect(text.hasPrefix(#"{"intrinsicMatrix":[140"#))
        let found = try #require(HueDepth(describedIn: Array(text.utf8), limits: DecodingLimits()))
        #expect(found.range == 0.25...4 && found.intrinsics == camera)
        let bare = try #require(
            HueDepth(describedIn: Array(HueDepth(0...3, nil).description.utf8), limits: DecodingLimits()))
        #expect(bare.intrinsics == nil)
    }

    /// Writes the analytic room as a movie, reads it, and returns the errors of samples that both know, in meters, and
    /// the fraction of distances that are known again.
    private func roundTrip(_ name: String, _ codec: MovieCodec?, quality: Int32?) throws -> (
        errors: [Float], share: Double, movie: MovieRecording, frames: [SequenceFrame]
    ) {
        let folder = try TemporaryFolder()
        let scene = RoomScene()
        let path = try folder.write([UInt8](), to: name)
        let file = try FileHandle(forUpdating: URL(filePath: path))
        var description = SequenceDescription(layout: "test")
        description.colorSize = PixelSize(width: scene.width, height: scene.height)
        description.depth = .init(size: PixelSize(width: scene.width, height: scene.height), scale: .metric)
        description.calibration = CameraCalibration(
            focalLengthX: scene.focalLength, focalLengthY: scene.focalLength, principalPointX: scene.center.x,
            principalPointY: scene.center.y, width: scene.width, height: scene.height)
        let view = HueDepthView(0...4, of: description, isEnlarged: false)
        let sink = MovieSink(
            descriptor: file.fileDescriptor, format: try #require(MovieFormat(fileName: name)), codec: codec,
            rate: 20, quality: quality, comment: view.comment)
        let views = (0..<4).map { scene.view(scene.pose($0)) }
        for (index, seen) in views.enumerated() {
            var (frame, output) = (SequenceFrame(), RenderedFrame())
            frame.color = FramePlane(width: scene.width, height: scene.height, samples: seen.colors)
            frame.depth = FramePlane(
                width: scene.width, height: scene.height, samples: seen.meters.map { Float($0) })
            frame.scale = .metric
            output.time = Double(index) / 20
            try view.render(&frame, into: &output)
            try sink.write(&output)
        }
        try sink.finish()
        try file.close()
        let movie = try MovieRecording(contentsOf: path)
        let source = try movie.frames()
        var (errors, count, frames): ([Float], Int, [SequenceFrame]) = ([], 0, [])
        while try source.advance() != nil {
            var frame = SequenceFrame()
            try source.read(.all, into: &frame)
            for (found, meters) in zip(frame.depth.samples, views[frames.count].meters) {
                count += 1
                if !found.isNaN { errors.append(abs(found - Float(meters))) }
            }
            frames.append(frame)
        }
        return (errors.sorted(), Double(errors.count) / Double(count), movie, frames)
    }

    @Test(
        "A movie in FFV1 keeps each distance to a millimeter and a half of 4 m, and the picture as it is",
        .enabled(if: hasFFmpeg, "FFmpeg's libraries are not installed"))
    func lossless() throws {
        let found = try roundTrip("hues.mkv", .ffv1, quality: nil)
        #expect(found.frames.count == 4)
        #expect(try #require(found.errors.last) <= 4 / 1530 / 2 + 1e-5)
        // Beyond a jump of 5 cm nothing is known.
        #expect(found.share > 0.9)
        let scene = RoomScene()
        #expect(found.frames[3].color.samples == scene.view(scene.pose(3)).colors)
        #expect(found.movie.layout == .record3DMovie)
        let camera = try #require(found.movie.description.calibration)
        #expect(
            abs(camera.principalPointX - scene.center.x) < 1e-9 && camera.focalLengthX == scene.focalLength)
    }

    @Test(
        "A movie in H.264 keeps most distances to a centimeter",
        .enabled(if: hasFFmpeg, "FFmpeg's libraries are not installed"))
    func lossy() throws {
        let found = try roundTrip("hues.mp4", nil, quality: 8)
        #expect(found.movie.layout == .record3DMovie)
        #expect(found.share > 0.8)
        let (median, high) = (
            found.errors[found.errors.count / 2], found.errors[found.errors.count * 95 / 100]
        )
        #expect(median < 0.01, "median \(median) m, 95 % below \(high) m, known \(found.share)")
        #expect(high < 0.03, "median \(median) m, 95 % below \(high) m, known \(found.share)")
    }
}
