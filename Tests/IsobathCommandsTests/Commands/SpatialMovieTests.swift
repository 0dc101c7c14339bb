import Foundation
import Movies
import TestSupport
import Testing

@Suite("Eyes of spatial videos")
struct SpatialMovieTests {
    @Test(
        "An eye that is not read is an error, and not replaced by the other one",
        .enabled(if: MovieSamples.isAvailable, "ISOBATH_MOVIES is not set"))
    func missing() throws {
        let folder = try TemporaryFolder()
        var movie = [UInt8](try Data(contentsOf: URL(filePath: MovieSamples.path("spatial.mov"))))
        // In `stri`, both eyes are present: 3. With 8, the first one is the right one (Apple HEVC Stereo Video, 2023).
        let box = Array("stri".utf8) + [0, 0, 0, 0, 3]
        let start = try #require(movie.indices.first { movie[$0...].starts(with: box) })
        movie[start + 8] = 11
        try folder.write(movie, to: "exchanged.mov")
        // FFmpeg 7.1 and newer read both eyes.
        let lacksLeft = try Tool.run(["info", "exchanged.mov"], folder: folder.path).text
            .contains("needs FFmpeg 7.1")
        for (plane, isMissing) in [("left", lacksLeft), ("right", false), ("photo", false)] {
            let run = try Tool.run(
                ["extract", "exchanged.mov", "--plane", plane, "-o", "\(plane)-%d.png"], folder: folder.path)
            #expect(run.status == (isMissing ? 1 : 0), "\(run.messages)")
            let isTold = run.messages.contains("the left eye of this spatial video needs FFmpeg 7.1 or newer")
            #expect(isTold == isMissing, "\(run.messages)")
        }
    }

    /// Writes `spatial.mp4`, a movie of the scene that claims two eyes.
    private func write(
        into folder: borrowing TemporaryFolder, isLayered: Bool = true, firstIsRight: Bool = false
    ) throws {
        try folder.write(SquareScene.interleaved, to: "scene.raw")
        let arguments = ["extract", "scene.raw", "--plane", "photo", "-o", "plain.mp4"] + SquareScene.flags
        try #require(Tool.run(arguments, folder: folder.path).status == 0)
        let movie = SpatialMovie.layered(
            try folder.bytes(of: "plain.mp4"), isLayered: isLayered, firstIsRight: firstIsRight)
        try folder.write(movie, to: "spatial.mp4")
    }

    /// A program that gives the scene 12 gray right eyes of brightness 20, 30, …
    private func program(in folder: borrowing TemporaryFolder, count: Int = SquareScene.count) throws {
        let frames = StandInProgram.frames(
            (0..<count).map { UInt8(20 + 10 * $0) }, width: SquareScene.width, height: SquareScene.height)
        _ = try StandInProgram(in: folder, frames: frames)
    }

    @Test("The only eye is written if it is the right one")
    func onlyRight() throws {
        let folder = try TemporaryFolder()
        try write(into: folder, isLayered: false, firstIsRight: true)
        for (plane, status) in [("right", 0), ("left", 1)] {
            let run = try Tool.run(
                ["extract", "spatial.mp4", "--plane", plane, "-o", "\(plane)-%02d.png"], folder: folder.path)
            #expect(run.status == status, "\(run.messages)")
        }
        #expect(throws: Never.self) { try folder.bytes(of: "right-11.png") }
        let run = try Tool.run(
            ["extract", "spatial.mp4", "--plane", "left", "-o", "left.mp4"], folder: folder.path)
        #expect(run.messages.contains("the file has no second layer or track"), "\(run.messages)")
    }

    @Test(
        "--ffmpeg gives both eyes to every subcommand",
        .enabled(if: !MovieSource.decodesLayers, "FFmpeg's libraries decode both eyes here"))
    func bothEyes() throws {
        let folder = try TemporaryFolder()
        try write(into: folder)
        try program(in: folder)
        let given = ["--ffmpeg", folder.file("ffmpeg")]
        let info = try Tool.run(["info", "spatial.mp4", "--json"] + given, folder: folder.path)
        let eyes = try info.objects().first?["eyes"] as? [String: Any]
        #expect(eyes?["read"] as? [String] == ["left", "right"], "\(info.messages)")
        for (arguments, output) in [
            (["extract", "spatial.mp4", "--plane", "right", "-o", "right-%02d.png"], "right-11.png"),
            (["extract", "spatial.mp4", "--frame", "3", "--plane", "right", "-o", "third.png"], "third.png"),
            (["convert", "spatial.mp4", "--to", "side-by-side", "-o", "both-%02d.png"], "both-11.png"),
            (["extract", "spatial.mp4", "-o", "depth-%02d.png"], "depth-11.png"),
        ] {
            let run = try Tool.run(arguments + given, folder: folder.path)
            #expect(run.status == 0, "\(run.messages)")
            #expect(throws: Never.self) { try folder.bytes(of: output) }
        }
        #expect(try folder.bytes(of: "third.png") == folder.bytes(of: "right-04.png"), "files count from 1")
        let without = try Tool.run(
            ["extract", "spatial.mp4", "--plane", "right", "-o", "none.mp4"], folder: folder.path)
        #expect(without.status == 1 && without.messages.contains("--ffmpeg may name the program"))
    }

    @Test(
        "Frames that a program does not give are reported, and the others written",
        .enabled(if: !MovieSource.decodesLayers, "FFmpeg's libraries decode both eyes here"))
    func early() throws {
        let folder = try TemporaryFolder()
        try write(into: folder)
        try program(in: folder, count: 7)
        let run = try Tool.run(
            [
                "extract", "spatial.mp4", "--plane", "right", "-o", "right-%02d.png", "--ffmpeg",
                folder.file("ffmpeg"),
            ], folder: folder.path)
        #expect(run.status != 0 && run.messages.contains("the second eye ends after 7 of 12 frames"))
        #expect(throws: Never.self) { try folder.bytes(of: "right-06.png") }
    }

    @Test("--ffmpeg is refused where it has no effect, and in isolated processes")
    func refusals() throws {
        let folder = try TemporaryFolder()
        try write(into: folder, isLayered: false)
        try program(in: folder)
        for (arguments, status, message) in [
            (["plain.mp4"], 64, "--ffmpeg has no effect: this is not a spatial video"),
            (["spatial.mp4"], 64, "--ffmpeg has no effect: this spatial video has no second layer"),
            (["spatial.mp4", "--isolate"], 1, "--isolate excludes --ffmpeg"),
        ] {
            let run = try Tool.run(
                ["info"] + arguments + ["--ffmpeg", folder.file("ffmpeg")], folder: folder.path)
            #expect(run.status == status && run.messages.contains(message), "\(run.messages)")
        }
    }
}
