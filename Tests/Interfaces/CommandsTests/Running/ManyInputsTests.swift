import TestSupport
import Testing

/// `composite`, `blur`, `occlude` and `cloud` take many files, as `extract` does.
@Suite("Subcommands with many inputs")
struct ManyInputsTests {
    private let folder = TemporaryFolder()
    private static let verbs: [(arguments: [String], ending: String, schema: String)] = [
        (["composite", "--background", "#336699"], "-composite.jpg", "isobath.picture/1"),
        (["composite", "--background", "none"], "-composite.png", "isobath.picture/1"),
        (["composite", "--background", "none", "--format", "tiff"], "-composite.tiff", "isobath.picture/1"),
        (["blur"], "-blur.jpg", "isobath.picture/1"),
        (["blur", "--format", "jpg"], "-blur.jpg", "isobath.picture/1"),
        (
            ["composite", "--layer", TestImages.path("plain.jpg"), "--layer-distance", "2"], "-composite.jpg",
            "isobath.picture/1"
        ),
        (["cloud"], ".ply", "isobath.cloud/1"),
        (["cloud", "--format", "obj"], ".obj", "isobath.cloud/1"),
    ]

    @Test("Files are named after their inputs, and each input has a line of JSON", arguments: verbs)
    func names(arguments: [String], ending: String, schema: String) throws {
        let inputs = ["portrait.heic", "plain.jpg", "depth.dng"].map(TestImages.path)
        let run = try Tool.run(
            arguments + inputs + ["-o", folder.file("out/deep/"), "--json", "--jobs", "2"])
        let lines = try run.objects()
        #expect(lines.map { $0["schema"] as? String } == [schema, schema, schema])
        #expect(lines.map { $0["input"] as? String } == inputs)
        #expect(lines.map { $0["subcommand"] as? String } == [String?](repeating: arguments[0], count: 3))
        let outputs = lines.map {
            ($0["outputs"] as? [[String: Any]] ?? []).compactMap { $0["path"] as? String }
        }
        #expect(outputs[0] == [folder.file("out/deep/portrait\(ending)")] && outputs[1] == [])
        let errors = lines.map {
            ($0["errors"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
        }
        #expect(errors[0] == [] && errors[1] == ["no-plane"])
        #expect(run.status == (errors[2].contains { $0 != "no-plane" } ? 1 : 3))
        #expect(
            run.messages.hasSuffix(
                errors[2].isEmpty || errors[2] == ["no-plane"] ? "0 failed\n" : "1 failed\n"))
    }

    @Test("One file for several inputs, and names that disagree, are errors of usage")
    func usage() throws {
        let inputs = ["portrait.heic", "portrait.jpg"].map(TestImages.path)
        for verb in [["blur"], ["cloud"], ["composite", "-b", "white"]] {
            try Tool.run("\(verb) \(inputs) -o x.png", status: 64)
            try Tool.run("\(verb) -o x.png", status: 64)
            try Tool.run("\(verb) \(inputs[0]) -o - --json", status: 64)
        }
        try Tool.run("blur \(inputs[0]) -o x.png --format tiff", status: 64)
        try Tool.run("cloud \(inputs[0]) -o x.ply --format las", status: 64)
        try Tool.run("composite -b none \(inputs[0]) -o x/ --format jpeg", status: 64)
    }

    @Test(
        "Of two inputs whose files would have one name, the second gets another, in isolated processes, too",
        arguments: [[], ["--isolate"]])
    func clash(flags: [String]) throws {
        let script = """
            find "$1" -name 'portrait.heic' -print0 > names; printf '%s\\0' "$1/portrait.jpg" >> names; shift
            "$0" blur "$@" --files0-from names -o out/
            """
        let run = try Tool.shell(script, [TestImages.path("")] + flags, folder: folder.path)
        #expect(run.status == 0)
        #expect(
            run.messages.contains("/portrait.jpg: note: its outputs are named 'portrait-jpg…'"),
            "\(run.messages)")
        #expect(run.messages.contains("→ out/portrait-jpg-blur.jpg\n"), "\(run.messages)")
        let again = try Tool.shell(
            #"shift; "$0" blur "$@" --files0-from names -o out/ --skip-existing"#,
            [TestImages.path("")] + flags, folder: folder.path)
        #expect(
            again.messages.contains("already exists and was kept: out/portrait-blur.jpg"), "\(again.messages)"
        )
        #expect(
            again.messages.contains("already exists and was kept: out/portrait-jpg-blur.jpg"),
            "\(again.messages)")
        #expect(again.messages.hasSuffix("2 inputs: 2 read, 2 skipped, 0 failed\n"), "\(again.messages)")
    }

    @Test("The sharp original is blurred, and colors a cloud, unless the photo is asked for")
    func original() throws {
        let photo = TestImages.path("gdepth-lens-blur.jpg")
        var files: [[UInt8]] = []
        for (index, flags) in [[], ["--picture", "original"], ["--picture", "photo"]].enumerated() {
            let run = try folder.run("blur \(photo) \(flags) -o \(index).png")
            #expect(run.messages.contains("unblurred original") == (index < 2), "\(run.messages)")
            files.append(try folder.bytes(of: "\(index).png"))
            let cloud = try folder.run("cloud \(photo) \(flags) --json -o \(index).ply")
            #expect(try cloud.objects()[0]["colorsFrom"] as? String == (index < 2 ? "original" : "photo"))
        }
        #expect(files[0] == files[1] && files[0] != files[2])
        // A picture without an original has nothing to choose from.
        let plain = TestImages.path("portrait.heic")
        try folder.run("blur \(plain) --picture original -o x.png", status: 3)
        try folder.run("blur \(plain) --picture photo -o x.png")
        try folder.run("blur \(plain) --picture neither -o y.png", status: 64)
    }
}
