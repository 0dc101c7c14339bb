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

    /// A movie with a lossless track for each eye, as Leia's LVF: both have `vexu`, and `stri` says which eye.
    private func writePair(into folder: borrowing TemporaryFolder) throws {
        let input = "-f rawvideo -pix_fmt yuv420p -s 192x128 -r 30 -i"
        let made = try Tool.shell(
            """
            ffmpeg -v error \(input) "$1" \(input) "$2" -map 0:v -map 1:v -c:v libx265 \
            -x265-params lossless=1:log-level=none -tag:v hvc1 pair.mp4
            """, [MovieSamples.path("l.yuv"), MovieSamples.path("r.yuv")], folder: folder.path)
        try #require(made.status == 0, "\(made.messages)")
        var movie = [UInt8](try folder.bytes(of: "pair.mp4"))
        var start = 0
        for eye in [1, 2] {
            // 19,240 micrometers apart, 63.4 degrees.
            let eyes = LensTrack.box("stri", LensTrack.number(0) + [UInt8(eye)])
            let cameras = LensTrack.box(
                "cams", LensTrack.box("blin", LensTrack.number(0) + LensTrack.number(19240)))
            let boxes =
                LensTrack.box("vexu", LensTrack.box("eyes", eyes + cameras))
                + LensTrack.box("hfov", LensTrack.number(63400))
            let type = try #require(movie[start...].indices.first { movie[$0...].starts(with: "hvcC".utf8) })
            for parent in ["hvc1", "stsd", "stbl", "minf", "mdia", "trak", "moov"] {
                let place = try #require(
                    movie[..<type].indices.last { movie[$0...].starts(with: parent.utf8) })
                let size = movie[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
                movie.replaceSubrange(place - 4..<place, with: LensTrack.number(size + boxes.count))
            }
            movie.insert(contentsOf: boxes, at: type - 4)
            start = type + boxes.count + 4
        }
        try folder.write(movie, to: "pair.mp4")
    }

    @Test(
        "A track for each eye is read with any FFmpeg: both pictures, and depth in meters",
        .enabled(if: MovieSamples.isAvailable, "ISOBATH_MOVIES is not set"))
    func tracks() throws {
        let folder = try TemporaryFolder()
        try writePair(into: folder)
        for (plane, truth) in [("left", "l.yuv"), ("right", "r.yuv")] {
            let run = try Tool.run(
                ["extract", "pair.mp4", "--plane", plane, "-o", "\(plane)-%d.png"], folder: folder.path)
            #expect(run.status == 0, "\(run.messages)")
            let picture = try RasterFile(folder.file("\(plane)-8.png"))
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: MovieSamples.path(truth))))
            let frame = bytes[(7 * 192 * 128 * 3 / 2)...].prefix(192 * 128)
            // Brightness of Rec. 601 in 16...235, rounded when coded as RGB.
            for (index, light) in frame.enumerated() {
                let pixel = picture.pixel(index % 192, index / 192).map(Double.init)
                let brightness = 16 + (65.481 * pixel[0] + 128.553 * pixel[1] + 24.966 * pixel[2]) / 255
                #expect(abs(brightness - Double(light)) < 0.6)
            }
        }
        let depth = try Tool.run(["extract", "pair.mp4", "--frame", "3", "-o", "d.pfm"], folder: folder.path)
        #expect(depth.status == 0 && depth.messages.contains("m, relative"), "\(depth.messages)")
        let samples = try folder.bytes(of: "d.pfm").suffix(192 * 128 * 4)
        let meters = stride(from: samples.startIndex, to: samples.endIndex, by: 4).map { index in
            Float(
                bitPattern: samples[index..<index + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }
        // The eyes show the same picture, six pixels apart.
        let disparities = meters.filter(\.isFinite).map { 155.43 * 0.01924 / $0 }.sorted()
        #expect(abs(disparities[disparities.count / 2] - 6) < 0.02)
        let camera = try Tool.run(["info", "pair.mp4", "--focal", "300"], folder: folder.path)
        #expect(
            camera.status == 64 && camera.messages.contains("--focal has no effect"), "\(camera.messages)")
    }
}
