import Foundation
import TestSupport
import Testing

@Suite("Blurred movies")
struct BlurredMovieTests {
    private let folder = TemporaryFolder()

    @Test("Frames of recordings, movies and streams are blurred as photos are", arguments: ["rec", "stream"])
    func frames(kind: String) throws {
        try SquareScene.write(into: folder)
        let input = kind == "rec" ? ["rec", "--scale", "1000"] : ["scene.raw"] + SquareScene.flags
        let lens = ["--focus", "0.5,0.5", "--aperture", "1.4"]
        try folder.run(
            "blur -o b-%02d.png \(lens) \(input)", says: "12 frames → b-%02d.png",
            "the last frame: focus as given at 2 m, f/1.4 as given")
        try folder.run(
            """
            blur --frame 11 -o still.png \(lens)
            \(kind == "rec" ? input : input.filter { $0 != "--frame-rate" && $0 != "30" })
            """)
        let (last, photo) = try (RasterFile(folder.file("b-11.png")), RasterFile(folder.file("still.png")))
        for y in 0..<SquareScene.height {
            for x in 0..<SquareScene.width { #expect(last.pixel(x, y) == photo.pixel(x, y)) }
        }
    }

    @Test("A picture of all frames, and a movie of one, are refused")
    func forms() throws {
        try SquareScene.write(into: folder)
        for (arguments, words) in [
            (["rec", "-o", "a.jpg"], "this is a recording, and 'a.jpg' is one picture"),
            (["rec", "--frame", "1", "-o", "a.mp4"], "this is one picture, and 'a.mp4' is a movie"),
        ] {
            let run = try Tool.run(["blur"] + arguments, folder: folder.path)
            #expect(run.status != 0 && run.messages.contains(words), "\(arguments): \(run.messages)")
        }
    }

    @Test(
        "A movie in Cinematic mode is blurred with the f-number of its frames",
        .needsMovies)
    func cinematic() throws {
        let made = try Tool.shell(
            """
            ffmpeg -v error -f lavfi -i testsrc2=s=320x180:r=30:d=1 -i "$1" -map 0:v -map 1:v -c:v:0 libx264 \
            -pix_fmt:v:0 yuv420p -c:v:1 copy plain.mov
            """, [SampleFolder.movies.path("g10.mov")], folder: folder.path)
        try #require(made.status == 0, "\(made.messages)")
        var movie = [UInt8](try folder.bytes(of: "plain.mov"))
        // The second track becomes one of disparity.
        func last(_ type: String, before end: Int) -> Int? {
            movie[..<end].indices.last { movie[$0...].starts(with: type.utf8) }
        }
        let entry = try #require(last("hvc1", before: movie.count))
        let handler = try #require(last("vide", before: entry))
        movie.replaceSubrange(entry..<entry + 4, with: "dish".utf8)
        movie.replaceSubrange(handler..<handler + 4, with: "auxv".utf8)
        let samples = (0..<30).map { LensTrack.sample(focus: 0.5, fNumber: Float(20 + $0) / 10) }
        try folder.write(LensTrack.adding(samples, to: movie), to: "cinematic.mov")
        for (flags, words) in [
            ([], "f/4.9 as in the file"),
            (["--focus", "0.5,0.5", "--aperture", "2"], "focus as given, f/2 as given"),
        ] {
            let run = try folder.run(
                "blur cinematic.mov -o soft.mp4 --force \(flags)", says: "30 frames → soft.mp4", words)
            let isTold = run.messages.contains("records a focus of 0.5 for this frame, which is not used")
            #expect(isTold == flags.isEmpty, "\(run.messages)")
        }
    }
}
