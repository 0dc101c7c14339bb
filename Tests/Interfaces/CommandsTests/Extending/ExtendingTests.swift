import DepthMaps
import DepthTypes
import Effects
import Isobath
import MovieWriting
import Movies
import Recordings
import Scenes
import TestSupport
import Testing

@testable import Commands

/// A source, an effect and an output are independent: a new one of any kind works with all of the others.
@Suite(
    "Extending by one file",
    .needsFFmpeg)
struct ExtendingTests {
    /// The outputs of pictures.
    private static let pictures: [(name: String, kind: SequenceOutput.Kind)] =
        MovieFormat.allCases.map { ("p.\($0.rawValue)", .movie($0)) }
        + StreamFormat.allCases.filter { !$0.isDepth }.map { ("p-\($0.rawValue)", .stream($0)) }
        + FrameFormat.allCases.compactMap { format in
            format.picture.map { _ in ("p-%d.\(format.rawValue)", .frames(format)) }
        }

    /// The outputs of depth.
    private static let depths: [(name: String, kind: SequenceOutput.Kind)] =
        MovieFormat.allCases.filter(\.holdsDepth).map { ("d.\($0.rawValue)", .movie($0)) }
        + StreamFormat.allCases.filter(\.isDepth).map { ("d-\($0.rawValue)", .stream($0)) }
        + FrameFormat.allCases.compactMap { format in
            format.raster.map { _ in ("d-%d.\(format.rawValue)", .frames(format)) }
        }

    /// All effects of pictures; some remember former frames, so they are made anew.
    private static var effects: [(name: String, effect: FrameEffect)] {
        var smooth = MapTreatment()
        smooth.smooths = true
        let center = NormalizedPoint(x: 0.5, y: 0.5)
        return [
            ("color", .color), ("negative", .negative),
            ("colors", .depthColors(DepthColoring(.turbo), isEnlarged: true)),
            ("rgbd", .pictureAndDepth(DepthColoring(.gray, near: 0.5, far: 4))),
            ("cutout", .cutout(over: MovingBackground(.white), far: 2)),
            (
                "layer",
                .layer(
                    RGBAImage(
                        width: 1, height: 1, pixels: .uint8([RGBA(red: 9, green: 9, blue: 9, alpha: 255)]),
                        colorProfile: []), at: 2, center: center, width: 1)
            ),
            ("blur", .blur(BlurOptions()) { _ in }),
            ("treated", FrameEffect.depthColors(DepthColoring(.gray), isEnlarged: false).treating(smooth)),
        ]
    }

    private var job: ExtractJob {
        ExtractJob(
            arguments: VerbArguments(verb: Extract.self, words: []),
            destination: .folder(".", suffix: "", fileExtension: ""), format: .png)
    }

    private func run(_ source: any SceneSequence) -> SequenceRun {
        SequenceRun(
            source, of: Input(path: "board"), for: job, FrameSelection(), Reporter { _ in })
    }

    /// Writes an effect of a source; returns how many bytes the outputs have.
    private func write(
        _ source: any SceneSequence, _ effect: FrameEffect, _ name: String, _ kind: SequenceOutput.Kind
    ) throws -> Int {
        let folder = TemporaryFolder()
        let output = SequenceOutput(folder.file(name), kind, quality: 90, existing: .refused)
        let run = run(source)
        try run.write(to: output, keeping: []) { _ in effect }
        #expect(run.report.failed == 0)
        return try folder.contents.reduce(0) { $0 + (try folder.bytes(of: $1).count) }
    }

    @Test("A new source works with every effect and every output, as frames and as a photo")
    func source() throws {
        for (name, kind) in Self.pictures {
            for (title, effect) in Self.effects {
                #expect(try write(Checkerboard(), effect, name, kind) > 0, "\(title) \(name)")
            }
            for (title, effect) in Self.effects {
                let photo = SingleScene(try Checkerboard().scene(at: 0))
                #expect(try write(photo, effect, name, kind) > 0, "\(title) \(name)")
            }
        }
        for (name, kind) in Self.depths {
            for isPhoto in [false, true] {
                let source: any SceneSequence =
                    isPhoto ? SingleScene(try Checkerboard().scene(at: 1)) : Checkerboard()
                let effect = FrameEffect.values(.depth, isUpsampled: false, isRounded: true)
                #expect(try write(source, effect, name, kind) > 0, "\(name)")
            }
        }
    }

    @Test("A new source works with every effect of photos")
    func photo() throws {
        let (scene, folder) = (try Checkerboard().scene(at: 2), TemporaryFolder())
        try scene.blurred().write(to: folder.file("blur.jpg"))
        try scene.composited(over: .color(.black)).write(to: folder.file("cut.png"))
        try scene.cloud().write(to: folder.file("cloud.ply"))
        #expect(try scene.depth().meters.contains(1))
    }

    @Test("A new effect works with every source, as frames and as a photo")
    func effect() throws {
        let folder = TemporaryFolder()
        for name in ["a.mp4", "a.mkv", "a.y4m"] {
            let kind = try #require(SequenceOutput.Kind(movieName: name))
            let output = SequenceOutput(folder.file(name), kind, quality: 90, existing: .refused)
            try run(Checkerboard()).write(to: output, keeping: []) { _ in .color }
        }
        let photo = TestImages.path("portrait.heic")
        for path in ["a.mp4", "a.mkv", "a.y4m"].map(folder.file) + [photo] {
            for (name, kind) in Self.pictures {
                var input = Input(path: path)
                let source = try job.open(&input, Reporter { _ in })
                #expect(try write(source, .negative, name, kind) > 0, "\(path) \(name)")
            }
        }
        var output = RenderedFrame()
        let scene = try Checkerboard().scene(at: 0)
        try FrameEffect.negative.render(scene, &output)
        #expect(output.picture.samples.first == RGB(red: 0, green: 0, blue: 127))
    }
}
