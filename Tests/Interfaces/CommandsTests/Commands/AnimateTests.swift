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
