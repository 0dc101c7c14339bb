import Foundation
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
        for (plane, isMissing) in [("left", lacksLeft), ("photo", false)] {
            let run = try Tool.run(
                ["extract", "exchanged.mov", "--plane", plane, "-o", "\(plane)-%d.png"], folder: folder.path)
            #expect(run.status == (isMissing ? 1 : 0), "\(run.messages)")
            let isTold = run.messages.contains("the left eye of this spatial video needs FFmpeg 7.1 or newer")
            #expect(isTold == isMissing, "\(run.messages)")
        }
    }
}
