import TestSupport
import Testing

@Suite("The first word of a command line")
struct FirstWordTests {
    @Test(
        "A misspelled subcommand, or another word for it, is reported with its name, whatever follows",
        arguments: [
            ("extrct", "extract"), ("extarct", "extract"), ("inof", "info"), ("blurr", "blur"),
            ("compsite", "composite"), ("cluod", "cloud"), ("mesh", "cloud"), ("cutout", "composite"),
            ("list", "info"),
        ])
    func misspelled(word: String, name: String) throws {
        for rest in [[], ["photo.heic"], ["photo.heic", "-o", "x.png", "--no-such-flag"]] {
            let run = try Tool.run([word] + rest)
            #expect(run.status == 64)
            #expect(
                run.messages == "isobath: error: there is no subcommand '\(word)'; did you mean '\(name)'?\n")
        }
    }

    @Test("A word that resembles nothing leads to the help")
    func unknown() throws {
        let run = try Tool.run(["photograph"])
        #expect(run.status == 64)
        #expect(run.messages == "isobath: error: there is no subcommand 'photograph'; see 'isobath --help'\n")
    }

    @Test("A file as the first word is answered with an example")
    func file() throws {
        let folder = try TemporaryFolder()
        try folder.write("".utf8, to: "picture")
        for name in ["photo.heic", "a/b", "picture"] {
            let run = try Tool.run([name, "--json"], folder: folder.path)
            #expect(run.status == 64)
            #expect(
                run.messages
                    == "isobath: error: say what to do with '\(name)', for example: isobath info \(name)\n")
        }
    }

    @Test("A subcommand is one even beside a file of its name")
    func sameName() throws {
        let folder = try TemporaryFolder()
        try folder.write("".utf8, to: "info")
        #expect(try Tool.run(["info", TestImages.path("portrait.heic")], folder: folder.path).status == 0)
    }

    @Test("Help on a misspelled subcommand is wrong usage, and on a real one is not")
    func help() throws {
        let wrong = try Tool.run(["help", "extarct"])
        #expect(wrong.status == 64)
        #expect(wrong.messages == "isobath: error: there is no help on 'extarct'; did you mean 'extract'?\n")
        #expect(try Tool.run(["help", "extract"]).status == 0)
        #expect(try Tool.run(["help"]).status == 0)
    }
}
