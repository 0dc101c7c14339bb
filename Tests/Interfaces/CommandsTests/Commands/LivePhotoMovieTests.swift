import Foundation
import MovieWriting
import Movies
import TestSupport
import Testing

/// Movies of six pictures of 128 × 96, on which a bright bar moves right with every second one, before gray. The matte of
/// people, of 64 × 48, covers the bar, that of the sky the upper quarter.
@Suite(
    "Mattes in movies of Live Photos",
    .needsFFmpeg)
struct LivePhotoMovieTests {
    private static let (width, height) = (128, 96)

    /// The columns of the bar at a time, in the picture.
    private static func bar(_ step: Int) -> Range<Int> { 20 + 24 * step..<44 + 24 * step }

    private static func plane(_ scale: Int, _ value: (Int, Int) -> UInt8) -> [UInt8] {
        let size = (width: width / scale, height: height / scale)
        return (0..<size.width * size.height).map { place in
            value(place % size.width * scale, place / size.width * scale)
        }
    }

    private static func matte(_ name: String, _ value: (Int, Int, Int) -> UInt8) -> LivePhotoMovie.Track {
        .init(
            matte: name, width: width / 2, height: height / 2,
            frames: (0..<3).map { step in plane(2) { value(step, $0, $1) } })
    }

    private static let picture = LivePhotoMovie.Track(
        width: width, height: height,
        frames: (0..<6).map { index in plane(1) { x, _ in bar(index / 2).contains(x) ? 220 : 60 } })
    private static let person = matte("person") { step, x, _ in bar(step).contains(x) ? 255 : 0 }
    private static let sky = matte("sky") { _, _, y in y < height / 4 ? 255 : 0 }

    private let folder = TemporaryFolder()

    /// The movie, one without a matte of people, and one of the picture alone.
    init() throws {
        let tracks = [Self.picture, Self.person, Self.sky]
        try folder.write(LivePhotoMovie(tracks).bytes, to: "live.mov")
        try folder.write(LivePhotoMovie([Self.picture, Self.sky]).bytes, to: "sky.mov")
        try folder.write(LivePhotoMovie([Self.picture]).bytes, to: "plain.mov")
    }

    @Test("info names the mattes, as those of photos")
    func info() throws {
        let text = try folder.run("info live.mov").text
        #expect(text.contains("  mattes  matte, sky\n") && text.contains("experimental"), "\(text)")
        let records = try folder.run("info --json live.mov plain.mov").objects()
        #expect(records.map { $0.object("mattes").texts("kinds") } == [["matte", "sky"], []])
        #expect(records[0].object("mattes").isNull("count") && records[1].isNull("mattes"))
    }

    @Test("extract writes the matte of a frame, and those of all frames")
    func extract() throws {
        for (frame, step) in [(0, 0), (3, 1), (5, 2)] {
            try folder.run("extract live.mov --plane matte --frame \(frame) -o \(frame).png")
            let found = try RasterFile(folder.file("\(frame).png"))
            #expect(found.channels == 1 && found.samples == Self.person.frames[step].map(Double.init))
        }
        try folder.run("extract live.mov --plane sky -o s-%d.png")
        for index in 0..<6 {
            let found = try RasterFile(folder.file("s-\(index).png"))
            let gray = stride(from: 0, to: found.samples.count, by: found.channels).map { found.samples[$0] }
            #expect(found.width == 64 && gray == Self.sky.frames[index / 2].map(Double.init))
        }
    }

    /// The fraction of green background in the middle of the bar, beside it, and in the upper corner.
    private func green(_ path: String, step: Int) throws -> [Bool] {
        let picture = try RasterFile(path)
        #expect(picture.width == Self.width)
        let middle = Self.bar(step).lowerBound + 12
        return [(middle, 72), (middle > 64 ? 8 : 120, 72), (middle > 64 ? 8 : 120, 6)].map { x, y in
            let pixel = picture.pixel(x, y)
            return pixel[1] > 250 && pixel[0] < 5
        }
    }

    @Test("composite masks each frame by the matte of its time")
    func frames() throws {
        for (name, flags, expected) in [
            ("p", [], [false, true, true]), ("s", ["--matte", "sky"], [true, true, false]),
            ("b", ["--matte", "sky+portrait"], [false, true, false]),
        ] {
            let run = try folder.run("composite live.mov -b #00ff00 -o \(name)-%d.png \(flags)")
            #expect(run.messages.contains("using the recording's mattes as the mask\n") == flags.isEmpty)
            for index in 0..<6 {
                #expect(try green(folder.file("\(name)-\(index).png"), step: index / 2) == expected)
            }
        }
        try folder.run("composite live.mov -b white -o out.mp4", says: "6 frames → out.mp4")
    }

    @Test(
        "composite masks one frame by its matte", arguments: [([], "portrait"), (["--matte", "sky"], "sky")])
    func frame(flags: [String], name: String) throws {
        try folder.run("composite live.mov --frame 4 -b #00ff00 -o out.png \(flags)", says: name)
        let expected = flags.isEmpty ? [false, true, true] : [true, true, false]
        #expect(try green(folder.file("out.png"), step: 2) == expected)
    }

    @Test(
        "A matte that is missing is an error, and a flag without effect is refused",
        arguments: [
            ("composite plain.mov -b red -o o.mp4", 1, "the frame has no depth"),
            ("composite sky.mov -b red -o o.mp4", 3, "no matte plane; the file has sky"),
            ("composite live.mov --matte skin -b red -o o.mp4", 3, "no skin plane; the file has matte, sky"),
            ("composite live.mov --matte depth -b red -o o.mp4", 1, "the frame has no depth"),
            ("composite live.mov --matte m.png -b red -o o.mp4", 1, "is one picture"),
            ("composite plain.mov --frame 1 -b red -o o.png", 3, "no matte plane; the file has no"),
            ("extract sky.mov --plane matte -o m.mp4", 3, "no matte plane; the file has sky"),
            ("extract plain.mov --plane sky --frame 0 -o m.png", 3, "no sky plane; the file has no"),
            ("extract live.mov --plane matte --near 1 -o m.mp4", 64, "--near has no effect"),
            ("extract live.mov --plane sky --smooth -o m.mp4", 64, "--smooth has no effect"),
        ])
    func refused(command: String, status: Int, message: String) throws {
        let words = command.split(separator: " ").map(String.init)
        try folder.run("\(words)", status: status, says: message)
        #expect(!folder.contents.contains(words.last ?? ""))
    }
}
