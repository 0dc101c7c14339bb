import Foundation
import Glibc
import TestSupport
import Testing

/// Runs that write each kind of file, by name.
private let runs: [(name: String, arguments: [String])] =
    ["png", "tiff", "exr", "pfm", "npy"].map { ("a.\($0)", ["extract"]) }
    + [
        ("a.tiff", ["extract", "--plane", "photo"]),
        ("a.jpg", ["composite", "--no-refine", "--background", "white"]),
    ]
    + ["ply", "pcd", "obj", "glb", "las"].map { ("a.\($0)", ["cloud", "--stride", "2"]) }
    + [("a.ply", ["cloud", "--mesh"])]

@Suite("Outputs that cannot be completed are not written")
struct OutputFaultTests {
    private let folder = TemporaryFolder()
    private let picture = TestImages.path("portrait.jpg")

    /// Runs the tool in a script, where `$1` is the picture and `$2` a folder. The run must end with 1, print `words`
    /// at the end of its last line, and leave nothing in the folder but `left`.
    private func expectFailure(
        _ script: String, _ words: String, in folder: TemporaryFolder, left: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let run = try Tool.shell(script + #"; status=$?; ls -A "$2"; exit $status"#, [picture, folder.path])
        #expect(run.status == 1, sourceLocation: sourceLocation)
        let last = run.messages.split(separator: "\n").last ?? ""
        #expect(
            last.hasPrefix("isobath: \(folder.path)/") && last.hasSuffix(words),
            "\(script): \(run.messages)", sourceLocation: sourceLocation)
        #expect(
            run.text.split(separator: "\n").map(String.init) == left, "\(script)",
            sourceLocation: sourceLocation)
    }

    private func command(_ run: (name: String, arguments: [String])) -> String {
        #""$0" \#(run.arguments.joined(separator: " ")) "$1" -o "$2/\#(run.name)""#
    }

    @Test(
        "A full disk fails every format and leaves nothing",
        .needsMounts)
    func full() throws {
        let fill = #"head -c 8m /dev/zero 2>/dev/null > "$2/fill" || true"#
        let commands = runs.map { #"\#(command($0)); [ $? -eq 1 ] || echo "\#($0) passed""# }
        let script =
            #"unshare -rm sh -c 'mount -t tmpfs -o size=8m none "$2" && "# + fill + "\n"
            + commands.joined(separator: "\n") + #"; ls -A "$2"' "$0" "$@""#
        let run = try Tool.shell(script, [picture, folder.path])
        #expect(run.text == "fill\n")
        let lines = run.messages.split(separator: "\n").filter { !$0.contains(": note: ") }
        #expect(
            lines.map(String.init)
                == runs.map {
                    "isobath: \(folder.file($0.name)): error: cannot be written: No space left on device"
                }
        )
    }

    @Test("A file beyond the size limit is an error, not a signal")
    func fileSize() throws {
        for run in runs where ["a.png", "a.exr", "a.jpg", "a.las"].contains(run.name) {
            try expectFailure("ulimit -f 1; " + command(run), "cannot be written: File too large", in: folder)
        }
    }

    /// The picture comes through a pipe that holds less than its first part, so that the tool has already checked
    /// the output when that part is written.
    private func meanwhile(_ event: String, _ arguments: String) -> String {
        #"{ head -c 100000 "$1"; \#(event); tail -c +100001 "$1"; } | "$0" \#(arguments)"#
    }

    @Test("An output that appears during the run is not replaced")
    func appearing() throws {
        for (name, arguments) in [
            ("a.png", "extract"), ("a.ply", "cloud"),
            ("a.mtl", "cloud --mesh --stride 4"),
            ("a.obj", "cloud --mesh --stride 4"), ("a-texture.jpg", "cloud --mesh --stride 4"),
        ] {
            let output = arguments.contains("mesh") ? "a.obj" : name
            try expectFailure(
                meanwhile(#"echo mine > "$2/\#(name)""#, #"\#(arguments) - -o "$2/\#(output)""#),
                "\(name): error: the file exists; --force replaces it", in: folder, left: [name])
            #expect(try folder.bytes(of: name) == Array("mine\n".utf8))
            try folder.remove(name)
        }
    }

    @Test("An output folder that disappears during the run is an error")
    func vanishing() throws {
        for (event, words) in [("", "No such file or directory"), (#"; : > "$2/sub""#, "Not a directory")] {
            for arguments in [
                #"extract - -o "$2/sub/a.png""#, #"cloud --mesh --stride 4 - --force -o "$2/sub/a.obj""#,
            ] {
                try folder.folder("sub")
                try expectFailure(
                    meanwhile(#"rmdir "$2/sub"\#(event)"#, arguments), words, in: folder,
                    left: event.isEmpty ? [] : ["sub"])
                try? FileManager.default.removeItem(atPath: folder.file("sub"))
            }
        }
    }

    @Test("Files that belong together are written together or not at all", arguments: [[], ["--force"]])
    func together(flags: [String]) throws {
        for (place, arguments, output) in [
            ("a.mtl", ["cloud", "--mesh", "--stride", "4"], "a.obj"),
            ("a-texture.jpg", ["cloud", "--mesh", "--stride", "4"], "a.obj"),
        ] {
            // A folder is in the way, which --force does not replace either.
            try folder.folder(place)
            if !flags.isEmpty { try folder.write(text: "old", to: output) }
            let run = try folder.run("\(arguments) \(flags) \(picture) -o \(output)", status: 1)
            #expect(
                run.messages.split(separator: "\n").last?.hasPrefix("isobath: \(place): ") == true)
            #expect(folder.contents == (flags.isEmpty ? [place] : [place, output].sorted()))
            if !flags.isEmpty { #expect(try folder.bytes(of: output) == Array("old".utf8)) }
            for name in folder.contents { try folder.remove(name) }
        }
    }

    @Test("A folder behind a link is written to, and one behind a dangling link is not created")
    func linkedFolders() throws {
        try folder.folder("real")
        for (name, target) in [("good", "real"), ("bad", "none")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(name), withDestinationPath: target)
        }
        try folder.run("extract \(picture) -o good/")
        #expect(FileManager.default.fileExists(atPath: folder.file("real/portrait-disparity.png")))
        let run = try folder.run("extract \(picture) -o bad/", status: 1)
        #expect(run.messages == "isobath: bad/: error: it is not a folder\n")
        #expect(folder.contents == ["bad", "good", "real"])
    }

    @Test("A pipe that is no longer read ends a run quietly")
    func brokenPipe() throws {
        for arguments in [
            "extract --plane photo --quiet", "cloud --mesh --stride 4 --quiet",
            "info --json",
        ] {
            let output = arguments.hasPrefix("info") ? "" : "-o -"
            // Enough inputs that the pipe cannot hold all lines of info.
            let inputs = arguments.hasPrefix("info") ? "$(yes \"$1\" | head -n 300)" : "\"$1\""
            let script = #"{ "$0" \#(arguments) \#(inputs) \#(output); echo $? > "$2/status"; } | head -c 1"#
            let run = try Tool.shell(script, [picture, folder.path])
            #expect(run.messages.isEmpty && run.output.count == 1)
            #expect(try folder.bytes(of: "status") == Array("0\n".utf8))
        }
    }

    @Test("A standard output that is closed, full or a terminal is an error")
    func deaf() throws {
        let closed = "isobath: standard output: error: cannot be written: Bad file descriptor\n"
        let full = "isobath: standard output: error: cannot be written: No space left on device\n"
        for (redirection, words) in [(">&-", closed), (">/dev/full", full)] {
            let results = [#"extract "$1" -o -"#, #"info "$1""#, #"cloud "$1" -o - --quiet"#]
            let texts = [
                "help", "--help", "-h", "--version", "help extract", "extract --help", "extract --version",
                "help limits", "help --help", "--help-hidden", "--generate-completion-script bash",
                "--generate-completion-script=zsh", "--experimental-dump-help", "info --formats",
                "info --formats --json",
            ]
            for command in results + texts {
                let run = try Tool.shell(#""$0" \#(command) \#(redirection)"#, [picture])
                #expect(run.status == 1, "\(command)")
                #expect(run.messages == words, "\(command)")
            }
        }
        let run = try Tool.shell(
            #"export tool="$0" picture="$1"; script -qec '"$tool" extract "$picture" -o -' /dev/null"#,
            [picture])
        #expect(run.status == 1)
        #expect(
            run.text
                == "isobath: standard output: error: it is a terminal; send it to a program or a file\r\n")
    }

    @Test("A closed or full standard error does not prevent results")
    func mute() throws {
        for (index, redirection) in ["2>&-", "2>/dev/full"].enumerated() {
            let run = try Tool.shell(
                #""$0" extract "$1" -o "$2/\#(index).png" \#(redirection)"#, [picture, folder.path])
            #expect(run.status == 0)
            #expect(try RasterFile(folder.file("\(index).png")).width == 192)
        }
    }
}

@Suite("Outputs on unusual file systems", .needsFaults)
struct OddFileSystemTests {
    private let folder = TemporaryFolder()

    /// Runs the tool with system calls failing, in a folder, with `--quiet` and a picture.
    private func run(_ injections: [String], _ arguments: [String], in folder: TemporaryFolder) throws
        -> Tool.Run
    {
        let flags = injections.map { "-e inject=\($0)" }.joined(separator: " ")
        return try Tool.shell(
            #"exec \#(SystemTools.strace) -f -qq -o /dev/null \#(flags) "$0" "$@""#,
            arguments + ["--quiet", TestImages.path("portrait.jpg")], folder: folder.path)
    }

    /// Simulates a file system without unnamed files, such as FAT and NFS.
    private let named = "access:error=ENOENT"

    @Test(
        "Outputs are complete without unnamed files, hard links or exclusive renames",
        arguments: [[], ["linkat:error=EPERM"], ["renameat2:error=EINVAL"]])
    func limited(injections: [String]) throws {
        let (set, all) = (
            ["cloud", "--mesh", "--stride", "4", "-o", "a.obj"], ["a-texture.jpg", "a.mtl", "a.obj"]
        )
        #expect(try run([named] + injections, set, in: folder).status == 0)
        #expect(folder.contents == all)
        let bytes = try folder.bytes(of: "a.obj")
        try folder.write(text: "mine", to: "a.obj")
        #expect(try run([named] + injections, set, in: folder).status == 1)
        #expect(try folder.bytes(of: "a.obj") == Array("mine".utf8))
        #expect(try run([named] + injections, set + ["--force"], in: folder).status == 0)
        #expect(try folder.bytes(of: "a.obj") == bytes)
        #expect(folder.contents == all)
    }

    @Test("Without any way to keep existing files safe, only --force writes")
    func none() throws {
        let calls = [named, "linkat:error=EPERM", "renameat2:error=EINVAL"]
        let run = try run(calls, ["extract", "-o", "a.png"], in: folder)
        #expect(run.status == 1)
        #expect(
            run.messages
                == "isobath: a.png: error: the file system cannot add a file without the risk of replacing another; "
                + "--force takes it\n")
        #expect(folder.contents == [])
        #expect(try self.run(calls, ["extract", "-o", "a.png", "--force"], in: folder).status == 0)
        #expect(folder.contents == ["a.png"])
    }

    @Test(
        "A disk quota is reported wherever it is hit",
        arguments: [
            "write:error=EDQUOT", "linkat:error=EDQUOT:when=1", "linkat:error=EDQUOT:when=2",
            "linkat:error=EDQUOT:when=3",
        ],
        [[], ["--force"]])
    func quota(injection: String, flags: [String]) throws {
        let old = flags.isEmpty ? [] : ["a-texture.jpg", "a.mtl", "a.obj"]
        for name in old { try folder.write(text: "old", to: name) }
        // Messages are also output, so they are missing if writing fails.
        let run = try run(
            [injection], ["cloud", "--mesh", "--stride", "4", "-o", "a.obj"] + flags, in: folder)
        #expect(run.status == 1)
        #expect(
            run.messages.hasSuffix("cannot be written: Disk quota exceeded\n") || injection.hasPrefix("write")
        )
        #expect(folder.contents == old)
        for name in old { #expect(try folder.bytes(of: name) == Array("old".utf8)) }
    }

    @Test(
        "Errors that a network file system reports only on close are detected",
        arguments: ["png", "tiff", "npy", "ply"])
    func close(format: String) throws {
        let arguments = [format == "ply" ? "cloud" : "extract", "-o", "a.\(format)"]
        // Calls of close by the writing thread before the file gets its name; a failure of the last must be noticed.
        let strace = "\(SystemTools.strace) -f -o trace -e trace=close,linkat"
        let script = #"\#(strace) "$0" "$@" && rm a.* && cat trace"#
        let trace = try Tool.shell(
            script, arguments + ["--quiet", TestImages.path("portrait.jpg")], folder: folder.path)
        let lines = trace.text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
        let link = try #require(lines.firstIndex { $0[1].contains("linkat(") })
        let count = lines[..<link].count { $0[0] == lines[link][0] && $0[1].contains("close(") }
        try folder.remove("trace")
        let last = format == "png" || format == "tiff" ? count - 1 : count
        for place in last...count {
            let run = try run(["close:error=EDQUOT:when=\(place)"], arguments, in: folder)
            #expect(run.status == 1)
            #expect(run.messages == "isobath: a.\(format): error: cannot be written: Disk quota exceeded\n")
            #expect(folder.contents == [])
        }
    }
}
