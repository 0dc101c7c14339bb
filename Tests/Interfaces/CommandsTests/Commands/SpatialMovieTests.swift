import Foundation
import TestSupport
import Testing

@Suite("Eyes of spatial videos")
struct SpatialMovieTests {
    private let folder = TemporaryFolder()

    @Test(
        "An eye that is not read is an error, and not replaced by the other one",
        .needsMovies)
    func missing() throws {
        var movie = [UInt8](try Data(contentsOf: URL(filePath: SampleFolder.movies.path("spatial.mov"))))
        // In `stri`, both eyes are present: 3. With 8, the first one is the right one (Apple HEVC Stereo Video, 2023).
        let box = Array("stri".utf8) + [0, 0, 0, 0, 3]
        let start = try #require(movie.indices.first { movie[$0...].starts(with: box) })
        movie[start + 8] = 11
        try folder.write(movie, to: "exchanged.mov")
        // FFmpeg 7.1 and newer read both eyes.
        let lacksLeft = try folder.run("info exchanged.mov").text
            .contains("needs FFmpeg 7.1")
        for (plane, isMissing) in [("left", lacksLeft), ("right", false), ("photo", false)] {
            let run = try folder.run(
                "extract exchanged.mov --plane \(plane) -o \(plane)-%d.png", status: (isMissing ? 1 : 0))
            // The movie lists frames at times of others, so FFmpeg delivers six of eight.
            let areLost = run.messages.contains("warning: 2 listed frames of the movie are not delivered")
            #expect(areLost == !isMissing, "\(run.messages)")
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

    @Test("The only eye is written if it is the right one")
    func onlyRight() throws {
        try write(into: folder, isLayered: false, firstIsRight: true)
        for (plane, status) in [("right", 0), ("left", 1)] {
            try folder.run("extract spatial.mp4 --plane \(plane) -o \(plane)-%02d.png", status: status)
        }
        #expect(throws: Never.self) { try folder.bytes(of: "right-11.png") }
        try folder.run(
            "extract spatial.mp4 --plane left -o left.mp4", status: 1,
            says: "the file has no second layer or track")
    }

    @Test("Libraries of FFmpeg before 7.1 read one eye of two layers, and say so")
    func layered() throws {
        try write(into: folder)
        let info = try folder.run("info spatial.mp4")
        guard info.text.contains("one eye of this spatial video is read") else { return }
        #expect(
            info.text.contains(
                /the other one needs FFmpeg 7\.1 or newer, and this is ([0-6]\.|7\.0)/), "\(info.text)")
        try folder.run(
            "extract spatial.mp4 --plane right -o right.mp4", status: 1,
            says: "right eye of this spatial video needs FFmpeg 7.1 or newer, and this is")
    }
}
