import Foundation
import TestSupport
import Testing

@Suite("Many inputs")
struct BatchTests {
    private let folder = TemporaryFolder()
    private let pictures = ["portrait.heic", "plain.jpg", "absolute-depth.jpg"].map(TestImages.path)

    /// The first input waits for standard input for a second, and the others finish at once.
    @Test(
        "Inputs are reported in their order for any number of jobs",
        arguments: ["--jobs=1", "--jobs=2", "--isolate"])
    func order(flag: String) throws {
        let script = """
            first=$1; flag=$2; folder=$3; shift 3
            (sleep 1; cat "$first") | "$0" extract "$flag" - "$@" -o "$folder/out/"
            """
        let run = try Tool.shell(script, [pictures[0], flag, folder.path] + pictures.dropFirst())
        let places = run.messages.split(separator: "\n").map { $0.split(separator: ":")[1].trimming(" ") }
        #expect(places == ["standard input", pictures[1], pictures[2], "3 inputs"])
        #expect(run.status == 3)
    }

    @Test("Several inputs end with a summary of what was read, written, skipped and failed")
    func summary() throws {
        try Data("no photo".utf8).write(to: URL(filePath: folder.file("text")))
        let arguments = ["extract", "-o", folder.file("out/"), folder.file("text")] + pictures
        let summaries = try (0..<2).map { _ in
            try Tool.run("\(arguments) --skip-existing", status: 1).messages.split(separator: "\n").last
        }
        #expect(
            summaries == [
                "isobath: 4 inputs: 3 read, 2 written, 1 without the plane, 1 failed",
                "isobath: 4 inputs: 3 read, 2 skipped, 1 without the plane, 1 failed",
            ])
    }

    @Test("A single input and --quiet print no summary")
    func noSummary() throws {
        let one = try folder.run("extract \(pictures[0]) -o d.png")
        #expect(!one.messages.contains("inputs"))
        let quiet = try Tool.run("extract -q -o \(folder.path) \(pictures[0]) \(pictures[2])")
        #expect(quiet.messages == "")
    }

    @Test(
        "Each input gets a line of JSON with its outputs and errors",
        arguments: [[], ["--isolate"]])
    func json(flags: [String]) throws {
        try Data("no photo".utf8).write(to: URL(filePath: folder.file("text")))
        let arguments =
            ["extract", "--json", "-o", folder.path, folder.file("text")] + pictures
        let lines = try Tool.run("\(arguments) \(flags)", status: 1).objects()
        #expect(lines.map { $0.text("path") } == [folder.file("text")] + pictures)
        #expect(lines.allSatisfy { $0.text("schema") == "isobath.extract/1" })
        #expect(
            lines.map { $0.objects("errors").map { $0.text("code") } } == [
                ["unrecognized"], [], ["no-plane"], [],
            ])
        #expect(
            lines.map { $0.objects("outputs").map { $0.text("path") } } == [
                [], [folder.file("portrait-disparity.png")], [], [folder.file("absolute-depth-depth.png")],
            ])
        let plane = lines[1].objects("outputs")[0].object("plane")
        #expect(plane.text("quantity") == "disparity" && plane.text("unit") == "1/m")
        let again = try Tool.run("\(arguments) \(flags) --skip-existing", status: 1).objects()
        #expect(again[1].objects("outputs")[0]["skipped"] as? Bool == true)
    }

    @Test("Inputs can come from a list of names or from standard input", arguments: ["-", "names"])
    func names(source: String) throws {
        let name = "new\nline.jpg"
        try Data(try TestImages.bytes("portrait.jpg")).write(to: URL(filePath: folder.file(name)))
        let names = Data(([pictures[0], folder.file(name)].joined(separator: "\0") + "\0").utf8)
        try names.write(to: URL(filePath: folder.file("names")))
        let run = try folder.run("info --json --files0-from \(source)", input: names)
        #expect(try run.objects().map { $0.text("path") } == [pictures[0], folder.file(name)])
    }

    @Test("Invalid lists of names are refused")
    func badNames() throws {
        let cases: [(bytes: String, flags: [String], message: String, status: Int)] = [
            ("a\0\0b\0", [], "isobath: standard input: error: a name in the list is empty\n", 1),
            (
                "a\0-\0", [],
                "isobath: standard input: error: the names come from standard input, so it cannot be an input as well\n",
                1
            ),
            ("a\0", [pictures[0]], "--files0-from names all inputs, and", 64),
        ]
        for (bytes, flags, message, status) in cases {
            try folder.run(
                "extract --files0-from - -o out/ \(flags)", input: Data(bytes.utf8), status: status,
                says: message)
        }
        let missing = try folder.run("info --files0-from missing", status: 1)
        #expect(
            missing.messages
                == "isobath: missing: error: cannot be read: No such file or directory\n")
        try Tool.run("info", status: 64)
    }

    @Test(
        "An input whose outputs would have another's names gets others, and says so",
        arguments: [[], ["--isolate"]])
    func sameNames(flags: [String]) throws {
        let names = ["a/p.jpg", "b/p.jpg", "c/q.jpg"].map(folder.file)
        for name in names {
            let place = URL(filePath: name).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data(TestImages.bytes("portrait.jpg")).write(to: URL(filePath: name))
        }
        let run = try folder.run("extract --json -o out/ \(flags) \(names)")
        let remark =
            "its outputs are named 'b-p…', because '\(names[0])' has outputs of the same name; -o DIR/ separates them"
        #expect(run.messages.contains("isobath: \(names[1]): note: \(remark)\n"))
        let records = try run.objects()
        #expect(records.map { $0.text("path") } == names)
        #expect(
            records.map { $0.objects("outputs").first?.text("path") }
                == ["p", "b-p", "q"].map { "out/\($0)-disparity.png" })
        #expect((records[1]["remarks"] as? [String])?.contains(remark) == true)
        let outputs = try folder.contents(of: "out")
        #expect(outputs.sorted() == ["b-p-disparity.png", "p-disparity.png", "q-disparity.png"])
    }

    @Test("--skip-existing keeps existing files and writes missing ones")
    func skipExisting() throws {
        let place = folder.file("portrait-disparity.png")
        try Data("mine".utf8).write(to: URL(filePath: place))
        let arguments = ["extract", "--plane", "all", "-o", folder.path, pictures[0]]
        try Tool.run("\(arguments)", status: 1)
        try Tool.run("\(arguments) --skip-existing")
        #expect(try folder.bytes(of: "portrait-disparity.png") == Array("mine".utf8))
        #expect(folder.contents.contains("portrait-matte.png"))
        try Tool.run("\(arguments) --skip-existing --force", status: 64)
    }

    @Test(
        "--skip-existing keeps the existing output of every subcommand",
        arguments: [
            ["composite", "--background", "none", "-o", "out.png"], ["blur", "-o", "out.jpg"],
            ["composite", "--layer", TestImages.path("plain.jpg"), "--layer-distance", "3", "-o", "out.jpg"],
            ["cloud", "-o", "out.ply"],
        ])
    func skipExisting(verb: [String]) throws {
        let output = folder.file(verb[verb.count - 1])
        try Data("mine".utf8).write(to: URL(filePath: output))
        let arguments = verb + [pictures[0]]
        try folder.run("\(arguments)", status: 1)
        let run = try folder.run("\(arguments) --skip-existing")
        #expect(
            run.messages
                == "isobath: \(pictures[0]): note: already exists and was kept: \(verb[verb.count - 1])\n")
        #expect(try Data(contentsOf: URL(filePath: output)) == Data("mine".utf8))
    }

    /// `script` gives the tool a terminal; standard output is a file.
    @Test(
        "A terminal shows the rate and the remaining time",
        .needsTerminal)
    func progress() throws {
        let script = """
            script -qec "mkfifo '$2/in'; (sleep 2; cat '$1') > '$2/in' & '$0' info - '$1' '$1' > '$2/out' < '$2/in'" /dev/null
            """
        let run = try Tool.shell(script, [pictures[0], folder.path])
        #expect(run.text.contains(/\r[123] of 3, [0-9.]+ a second, [0-9]+ s left/))
        #expect(run.text.contains("\r\u{1B}[Kisobath: 3 inputs: 3 read, 0 failed"))
        let silent = try Tool.run("info \(pictures)")
        #expect(!silent.messages.contains("a second") && !silent.text.contains("a second"))
    }

    @Test("A warning that holds for several inputs is printed once, and their number at the end")
    func repeatedWarnings() throws {
        for name in ["a.jpg", "b.jpg", "c.jpg"] {
            try folder.write(TestImages.bytes("oppo.jpg"), to: name)
        }
        let run = try Tool.run(
            ["extract", "a.jpg", "b.jpg", "c.jpg", "--plane", "photo", "-o", "out/"], folder: folder.path)
        let warnings = run.messages.split(separator: "\n").filter { $0.contains("warning: the Zstandard") }
        #expect(run.status == 0 && warnings.count == 2, "\(run.messages)")
        #expect(warnings.last?.hasSuffix("(2 more inputs)") == true, "\(run.messages)")
    }
}

extension StringProtocol {
    fileprivate func trimming(_ characters: String) -> String {
        trimmingCharacters(in: CharacterSet(charactersIn: characters))
    }
}
