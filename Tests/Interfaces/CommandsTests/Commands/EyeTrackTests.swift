import Foundation
import TestSupport
import Testing

@Suite("Movies with a track for each eye")
struct EyeTrackTests {
    /// Writes `pair.mp4`, which shows the truth of `spatial.mov` without loss.
    private func write(into folder: borrowing TemporaryFolder) throws {
        let input = "-f rawvideo -pix_fmt yuv420p -s 192x128 -r 30 -i"
        let made = try Tool.shell(
            """
            ffmpeg -v error \(input) "$1" \(input) "$2" -map 0:v -map 1:v -c:v libx265 \
            -x265-params lossless=1:log-level=none -tag:v hvc1 pair.mp4
            """, [SampleFolder.movies.path("l.yuv"), SampleFolder.movies.path("r.yuv")], folder: folder.path)
        try #require(made.status == 0, "\(made.messages)")
        try folder.write(SpatialMovie.pair(folder.bytes(of: "pair.mp4")), to: "pair.mp4")
    }

    @Test(
        "Both pictures are read with any FFmpeg, and depth is in meters",
        .needsMovies)
    func tracks() throws {
        let folder = TemporaryFolder()
        try write(into: folder)
        for (plane, truth) in [("left", "l.yuv"), ("right", "r.yuv")] {
            try folder.run("extract pair.mp4 --plane \(plane) -o \(plane)-%d.png")
            let picture = try RasterFile(folder.file("\(plane)-7.png"))
            let frame = try Data(contentsOf: URL(filePath: SampleFolder.movies.path(truth)))
                .dropFirst(7 * 192 * 128 * 3 / 2).prefix(192 * 128)
            // Brightness of Rec. 601 in 16...235, rounded when coded as RGB.
            for (index, light) in frame.enumerated() {
                let pixel = picture.pixel(index % 192, index / 192)
                let weighted =
                    65.481 * Double(pixel[0]) + 128.553 * Double(pixel[1]) + 24.966 * Double(pixel[2])
                #expect(abs(16 + weighted / 255 - Double(light)) < 0.6)
            }
        }
        try folder.run("extract pair.mp4 --frame 3 --as depth -o d.tiff", says: "m, relative")
        // The eyes show the same picture, six pixels apart; the focal length is 96 px / tan(63.4° / 2).
        let meters = try RasterFile(folder.file("d.tiff")).samples.filter(\.isFinite).sorted()
        #expect(abs(155.43 * 0.01924 / meters[meters.count / 2] - 6) < 0.02)
        try folder.run("info pair.mp4 --camera 300", status: 64, says: "--camera has no effect")
    }
}
