import Bytes
import DepthMaps
import DepthTypes
import Foundation
import MovieWriting
import Movies
import RecordingWriting
import Scenes
import TestFrames
import TestSupport
import Testing

@testable import Recordings

@Suite("Depth in hues")
struct HueMovieTests {
    @Test(
        "A color is the distance that it was made of, to half a step of 1/1530 of the range",
        arguments: [0...3 as ClosedRange<Float>, 0.5...6])
    func code(range: ClosedRange<Float>) throws {
        let coding = try #require(
            HueDepth(describedIn: HueMovie.description(of: range), limits: DecodingLimits()))
        let width = range.upperBound - range.lowerBound
        var worst: Float = 0
        for index in 0...10_000 {
            let meters = range.lowerBound + width * (0.0201 + 0.9598 * Float(index) / 10_000)
            worst = max(worst, abs(coding.meters(Self.pixel(meters, in: range)) - meters))
        }
        #expect(worst <= width / 1530 / 2 + 1e-5)
        for meters in [.nan, -1, 0, range.upperBound, range.upperBound + 1, .infinity] {
            #expect(coding.meters(Self.pixel(meters, in: range)).isNaN)
        }
        // Yellow, green, cyan, blue and magenta are each a sixth farther.
        for (sixth, color) in [
            (1, RGB<UInt8>(red: 255, green: 255, blue: 0)), (2, RGB(red: 0, green: 255, blue: 0)),
            (4, RGB(red: 0, green: 0, blue: 255)),
        ] {
            #expect(abs(coding.meters(color) - (range.lowerBound + width * Float(sixth) / 6)) < 1e-5)
        }
    }

    private static func pixel(_ meters: Float, in range: ClosedRange<Float>) -> RGB<UInt8> {
        let color = HueMovie.color(meters, in: range)
        return RGB(red: color[0], green: color[1], blue: color[2])
    }

    @Test("The camera and the range are read from the description")
    func description() throws {
        let text = HueMovie.description(of: 0.25...4, camera: [140, 141, 83, 57.75])
        let found = try #require(HueDepth(describedIn: text, limits: DecodingLimits()))
        #expect(found.range == 0.25...4)
        #expect(found.intrinsics == Intrinsics(fx: 140, fy: 141, cx: 82.5, cy: 57.25))
        let bare = try #require(
            HueDepth(describedIn: HueMovie.description(of: 0...3), limits: DecodingLimits()))
        #expect(bare.intrinsics == nil)
    }

    @Test(
        "A movie in FFV1 keeps each distance to a millimeter and a half of 4 m, and the picture as it is",
        .needsFFmpeg)
    func lossless() throws {
        let (folder, scene) = (TemporaryFolder(), RoomScene())
        let views = (0..<4).map { scene.view(scene.pose($0)) }
        let frames = views.enumerated().map { index, view in
            let pixels = (0..<scene.height).flatMap { row in
                let line = row * scene.width..<(row + 1) * scene.width
                return line.map { Self.pixel(Float(view.meters[$0]), in: 0...4) } + view.colors[line]
            }
            var frame = RenderedFrame()
            frame.time = Double(index) / 20
            frame.picture = FramePlane(width: 2 * scene.width, height: scene.height, samples: pixels)
            return frame
        }
        try folder.writeMovie(frames, to: "hues.mkv", codec: .ffv1, rate: 20)
        let camera = [
            scene.focalLength, scene.focalLength, scene.center.x + 0.5, scene.center.y + 0.5,
        ]
        let bytes = HueMovie.matroska(
            try folder.bytes(of: "hues.mkv"), describedBy: HueMovie.description(of: 0...4, camera: camera))
        let movie = try Recording(contentsOf: try folder.write(bytes, to: "hues.mkv"))
        #expect(movie.layout == .record3DMovie && RecordingReader(movie).extent.frameCount == 4)
        let source = RecordingReader(movie)
        var (worst, known, count): (Float, Int, Int) = (0, 0, 0)
        for view in views {
            var frame = TestFrame()
            #expect(try source.advance() != nil)
            try source.read(.measured, into: &frame)
            #expect(frame.color.samples == view.colors)
            for (found, meters) in zip(frame.depth.samples, view.meters) {
                count += 1
                if !found.isNaN { (worst, known) = (max(worst, abs(found - Float(meters))), known + 1) }
            }
        }
        #expect(worst <= 4 / 1530 / 2 + 1e-5)
        // Beyond a jump of 5 cm nothing is known.
        #expect(Double(known) > 0.9 * Double(count))
        let found = try #require(RecordingReader(movie).description.calibration)
        #expect(abs(found.principalPointX - scene.center.x) < 1e-9 && found.focalLengthX == scene.focalLength)
    }
}
