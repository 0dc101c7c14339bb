import TestSupport
import Testing

@testable import Commands

@Suite("The first word of a command line")
struct FirstWordTests {
    private let folder = TemporaryFolder()

    @Test(
        "A misspelled subcommand, or another word for it, is reported with its name, whatever follows",
        arguments: [
            ("extrct", "extract"), ("extarct", "extract"), ("inof", "info"), ("blurr", "blur"),
            ("compsite", "composite"), ("cluod", "cloud"), ("mesh", "cloud"), ("cutout", "composite"),
            ("list", "info"),
        ])
    func misspelled(word: String, name: String) {
        for rest in [[], ["photo.heic"], ["photo.heic", "-o", "x.png", "--no-such-flag"]] {
            #expect(
                FirstWord.problem(in: [word] + rest)
                    == "there is no subcommand '\(word)'; did you mean '\(name)'?")
        }
    }

    @Test("A file as the first word is answered with an example")
    func file() throws {
        try folder.write(text: "", to: "picture")
        for name in ["photo.heic", "a/b", "picture"] {
            let run = try folder.run("\(name) --json", status: 64)
            #expect(
                run.messages
                    == "isobath: error: say what to do with '\(name)', for example: isobath info \(name)\n")
        }
    }

    @Test("A subcommand is one even beside a file of its name")
    func sameName() throws {
        try folder.write(text: "", to: "info")
        try folder.run("info {portrait.heic}")
    }
}
