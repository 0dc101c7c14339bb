import Foundation
import TestSupport
import Testing

@Suite("isobath animate")
struct AnimateTests {
    private let folder = TemporaryFolder()
    private let portrait = TestImages.path("portrait.heic")

    @Test("A GIF has as many frames as seconds times rate", arguments: ["wiggle", "orbit", "dolly", "focus"])
    func gif(move: String) throws {
        let output = folder.file("a.gif")
        let run = try Tool.run(
            """
            animate \(portrait) --move \(move) --size 96 --seconds 0.4 --frame-rate 10 -o \(output) --json
            """)
        #expect(try run.objects().first?.integer("frames") == 4)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: output)))
        #expect(Array(bytes.prefix(10)) == Array("GIF89a".utf8) + [96, 0, 72, 0] && bytes.last == 0x3B)
    }

    /// A circle begins at the right; left and right are a quarter of the time later.
    @Test(
        "The camera goes from side to side by the parallax that is given", .needsFFmpegProgram,
        arguments: [("wiggle", 1, 3, "3%", 0.03), ("wiggle", 1, 3, "2%", 0.02), ("orbit", 0, 2, "3%", 0.03)])
    func parallax(move: String, right: Int, left: Int, strength: String, share: Double) throws {
        try StripedWall.write(into: folder)
        try folder.run(
            """
            animate \(StripedWall.input) --move \(move) --strength \(strength) --seconds 1 --frame-rate 4 -o a.gif
            """)
        let made = try Tool.shell(
            "ffmpeg -v error -i a.gif -start_number 0 f-%d.png", [], folder: folder.path)
        try #require(made.status == 0, "\(made.messages)")
        // How far the square is to the right of the stripe.
        let pictures = try (0..<4).map { try RasterFile(folder.file("f-\($0).png")) }
        let columns = 0..<pictures[0].width
        let distances = pictures.map {
            StripedWall.center(0, columns, $0) - StripedWall.center(2, columns, $0)
        }
        // Objects at 2 m move left before those at 4 m, as the camera goes right; the picture is enlarged to hide its borders.
        let parallax = (distances[left] - distances[right]) / Double(columns.count)
        #expect(abs(parallax / share - 1) < 0.08, "\(distances)")
        let others = Set(0..<4).subtracting([left, right]).map { distances[$0] }
        #expect(
            others.allSatisfy { abs($0 - (distances[left] + distances[right]) / 2) < 0.7 }, "\(distances)")
    }

    /// x264 and x265 write other bytes with another number of threads.
    @Test(
        "A movie has the same bytes on one core and on two, and with --threads 1",
        .enabled(if: ProcessInfo.processInfo.processorCount > 1, "there is one core only"),
        arguments: [[], ["--threads", "1"]], ["mp4", "mkv", "webp", "apng", "gif"])
    func cores(flags: [String], format: String) throws {
        let script = #"taskset -c "$1" "$0" animate "$2" --seconds 1 --size 320 --quiet -o "$3" $4"#
        for cores in ["0", "0,1"] {
            let output = folder.file("\(cores).\(format)")
            let run = try Tool.shell(
                script, [cores, TestImages.path("portrait.jpg"), output, flags.joined(separator: " ")])
            #expect(run.status == 0, "\(run.messages)")
        }
        #expect(try folder.bytes(of: "0.\(format)") == folder.bytes(of: "0,1.\(format)"))
    }
}
