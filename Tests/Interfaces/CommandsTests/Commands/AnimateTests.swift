import Foundation
import TestSupport
import Testing

@Suite("isobath animate")
struct AnimateTests {
    private let portrait = TestImages.path("portrait.heic")

    @Test("A GIF has as many frames as seconds times rate", arguments: ["wiggle", "orbit", "dolly", "focus"])
    func gif(move: String) throws {
        let folder = try TemporaryFolder()
        let output = folder.file("a.gif")
        let run = try Tool.run([
            "animate", portrait, "--move", move, "--size", "96", "--seconds", "0.4", "--frame-rate", "10",
            "-o",
            output,
            "--json",
        ])
        #expect(run.status == 0, Comment(rawValue: run.messages))
        #expect(try run.objects().first?.integer("frames") == 4)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: output)))
        #expect(Array(bytes.prefix(10)) == Array("GIF89a".utf8) + [96, 0, 72, 0] && bytes.last == 0x3B)
    }

    @Test("What does not go together is wrong usage; a photo without depth lacks the plane")
    func usage() throws {
        let folder = try TemporaryFolder()
        for arguments in [
            ["--move", "orbit", "-o", "a.jpg"], ["-o", "a.txt"],
            ["--strength", "0", "-o", "a.gif"], ["--seconds", "nan", "-o", "a.gif"],
        ] {
            #expect(
                try Tool.run(["animate", portrait] + arguments, folder: folder.path).status == 64,
                "\(arguments)")
        }
        let plain = try Tool.run(
            ["animate", TestImages.path("plain.jpg"), "-o", "a.gif"], folder: folder.path)
        #expect(plain.status == 3)
    }

    /// x264 and x265 write other bytes with another number of threads.
    @Test(
        "A movie has the same bytes on one core and on two, and with --threads 1",
        .enabled(if: ProcessInfo.processInfo.processorCount > 1, "there is one core only"),
        arguments: [[], ["--threads", "1"]], ["mp4", "mkv", "webp", "apng", "gif"])
    func cores(flags: [String], format: String) throws {
        let folder = try TemporaryFolder()
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
