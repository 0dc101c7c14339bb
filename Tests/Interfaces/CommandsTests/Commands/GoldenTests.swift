import Foundation
import TestSupport
import Testing

/// Text that is compared with files. With `ISOBATH_RECORD=1`, the tests write the files again and then fail on
/// purpose.
@Suite("Help and messages")
struct GoldenTests {
    private static let folder = repositoryRoot + "/Tests/Interfaces/CommandsTests/Golden/"
    private static let isRecording = ProcessInfo.processInfo.environment["ISOBATH_RECORD"] != nil

    static func compare(_ text: String, with name: String) throws {
        let path = folder + name
        if isRecording {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            Issue.record("\(name) is recorded anew")
            return
        }
        let expected = try String(contentsOfFile: path, encoding: .utf8)
        let (lines, others) = (text.split(separator: "\n"), expected.split(separator: "\n"))
        let difference = zip(lines, others).first { $0 != $1 }
        #expect(
            text == expected,
            "\(name), first difference: \(difference.map { "\($0)\nwas: \($1)" } ?? "its end")")
    }

    static let verbs = [
        "info", "extract", "composite", "blur", "cloud", "embed", "convert", "view", "animate", "follow",
        "detect", "worker",
    ]

    @Test("The complete help of each subcommand is as recorded", arguments: verbs)
    func help(verb: String) throws {
        let run = try Tool.run("\(verb) --help")
        #expect(run.messages.isEmpty, "\(run.messages)")
        try Self.compare(run.text, with: "help-\(verb).txt")
    }

    @Test(
        "The short help of each subcommand is as recorded, and fits 70 lines of 80 characters",
        arguments: verbs)
    func shortHelp(verb: String) throws {
        let run = try Tool.run("help \(verb)")
        #expect(run.messages.isEmpty, "\(run.messages)")
        try Self.compare(run.text, with: "short-\(verb).txt")
        let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 70 && lines.allSatisfy { $0.count <= 80 })
        #expect(try Tool.run("\(verb) photo.jpg -h").text == run.text)
    }

    @Test(
        "The help of the tool and of topics is as recorded; each flag is in one of them or in the short help")
    func generalHelp() throws {
        let run = try Tool.run("--help")
        #expect(try Tool.run("help").text == run.text)
        try Self.compare(run.text, with: "help.txt")
        var topics = ""
        for topic in ["input", "frames", "depth", "batches", "networks", "limits"] {
            let run = try Tool.run("help \(topic)")
            try Self.compare(run.text, with: "topic-\(topic).txt")
            topics += run.text
        }
        for verb in Self.verbs {
            func flags(_ text: String) -> Set<Substring> {
                Set(text.matches(of: /--[a-z][a-z0-9-]*/).map(\.output))
            }
            let complete = try Tool.run("\(verb) --help").text.split(separator: "USAGE:").last ?? ""
            let missing = try flags(String(complete)).subtracting(
                flags(topics + Tool.run("\(verb) -h").text))
            #expect(missing.subtracting(["--version"]).isEmpty, "\(verb): \(missing)")
        }
    }

    @Test("Each flag is in the help of its subcommands with the same words", arguments: verbs)
    func sameWords(verb: String) throws {
        func entries(_ verb: String) throws -> [String: String] {
            let text = try String(contentsOfFile: Self.folder + "help-\(verb).txt", encoding: .utf8)
            var (entries, name): ([String: String], String?) = ([:], nil)
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if let match = line.wholeMatch(of: /\ \ (-[a-z], )?(--[a-z0-9-]+).*/) {
                    name = String(match.output.2)
                } else if !line.hasPrefix("   ") {
                    name = nil
                }
                if let name { entries[name, default: ""] += line }
            }
            return entries
        }
        let own = try entries(verb)
        #expect(own.count > 2)
        for other in Self.verbs where other != verb && verb != "worker" && other != "worker" {
            for (name, words) in try entries(other) where own[name] != nil && !Self.ownWords.contains(name) {
                #expect(own[name] == words, "\(name) in \(verb) and \(other)")
            }
        }
    }

    /// Flags that have one name and values of their own in several subcommands: `--matte` puts one in, or chooses the subject.
    private static let ownWords: Set = ["--matte", "--focus"]

    @Test("Each command is answered as recorded")
    func messages() throws {
        let folder = TemporaryFolder()
        try folder.write(TestImages.bytes("portrait.heic"), to: "photo.heic")
        try folder.write(TestImages.bytes("plain.jpg"), to: "plain.jpg")
        try folder.write(text: "", to: "empty.jpg")
        try folder.write(text: "hello, this is not a photo\n", to: "text.txt")
        let room = TemporaryFolder()
        try RecordingTests.write(room)
        try FileManager.default.copyItem(atPath: room.path, toPath: folder.file("room"))
        let text = try String(contentsOfFile: Self.folder + "messages.txt", encoding: .utf8)
        let commands = text.split(separator: "\n").filter { $0.hasPrefix("$ ") }.map { $0.dropFirst(2) }
        #expect(commands.count > 60)
        var answers = ""
        for command in commands {
            let run = try Tool.shell(#"isobath() { "$0" "$@"; }; \#(command)"#, [], folder: folder.path)
            var output = run.text + run.messages
            // The help and long results have files and tests of their own.
            let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
            if lines.count > 10 { output = lines.prefix(3).joined(separator: "\n") + "\n…\n" }
            answers += "$ \(command)\n\(output)[\(run.status)]\n\n"
        }
        try Self.compare(answers, with: "messages.txt")
    }
}
