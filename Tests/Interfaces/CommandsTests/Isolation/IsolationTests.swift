import CSystemCalls
import CSystemShims
import Foundation
import TestSupport
import Testing

@Suite("--isolate")
struct IsolationTests {
    private let folder = TemporaryFolder()
    private let picture = TestImages.path("portrait.jpg")

    @Test("--isolate gives the same bytes and messages over several inputs")
    func same() throws {
        let pictures = ["portrait.heic", "plain.jpg", "absolute-depth.jpg"].map(TestImages.path)
        var runs: [Tool.Run] = []
        for (name, flags) in [("a", []), ("b", ["--isolate"])] {
            runs.append(
                try folder.run("extract -o \(folder.file(name + "/")) \(flags) \(pictures)", status: 3))
        }
        #expect(runs[0].messages == runs[1].messages.replacing(folder.file("b"), with: folder.file("a")))
        for name in ["portrait-disparity.png", "absolute-depth-depth.png"] {
            #expect(try folder.bytes(of: "a/\(name)") == folder.bytes(of: "b/\(name)"))
        }
    }

    @Test("--isolate passes standard input and output through")
    func streams() throws {
        let run = try Tool.run("extract --isolate - -o -", input: Data(try TestImages.bytes("portrait.jpg")))
        #expect(run.output == (try Tool.run("extract \(picture) -o -")).output)
    }

    @Test(
        "A path of an open file says why an isolated process cannot read it",
        arguments: ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/dev/fd/7"])
    func descriptors(path: String) throws {
        let run = try Tool.shell(
            #""$0" extract --isolate "$1" -o "$2" < "$3" 7< "$3""#, [path, folder.file("d.png"), picture])
        #expect(run.status == 1 && folder.contents == [])
        #expect(
            run.messages
                == "isobath: \(path): error: an isolated process does not have this open file; name the file itself, or - for standard input\n"
        )
        let other = try Tool.shell(
            #""$0" composite --isolate "$3" -b "$1" -o "$2" < "$3" 7< "$3""#,
            [path, folder.file("d.png"), picture])
        #expect(other.messages == run.messages)
    }

    /// The isolated process waits on standard input, where the test has time to end it as a crash would.
    @Test(
        "A crash with --isolate fails one input, and the run continues", arguments: ["SEGV", "ABRT", "KILL"])
    func crash(signal: String) throws {
        // A sanitizer would handle the signal before it ends the process.
        let script = """
            export ASAN_OPTIONS=handle_segv=0:handle_abort=0
            mkfifo "$1/never"; sleep 100 > "$1/never" & holder=$!
            "$0" extract --isolate --jobs 1 - "$2" -o "$1/out/" < "$1/never" & tool=$!
            for turn in $(seq 400); do
                isolated=$(cat /proc/$tool/task/*/children)
                [ -n "$isolated" ] && grep -q isobath-isolated "/proc/${isolated% }/cmdline" && break; sleep 0.05
            done
            sleep 0.2; kill -\(signal) $isolated; wait $tool; status=$?; kill $holder; exit $status
            """
        let run = try Tool.shell(script, [folder.path, picture])
        #expect(run.status == 1)
        let words =
            signal == "KILL"
            ? "the isolated process was killed (SIGKILL), perhaps by a system out of memory"
            : "the decoder crashed, or ran out of memory (SIG\(signal)); --limit memory-bytes=N allows more"
        #expect(run.messages.contains("isobath: standard input: error: \(words)\n"))
        #expect(FileManager.default.fileExists(atPath: folder.file("out/portrait-disparity.png")))
    }

    /// How much memory suffices depends on the machine, but there must never be a wait for memory.
    @Test(
        "Too little memory with --isolate gives a one-line error without waiting",
        arguments: [0, 20, 30, 40, 50, 64, 80])
    func memory(megabytes: Int) throws {
        for verb in ["blur", "extract"] {
            let arguments = [
                verb, "--isolate", TestImages.path("portrait.heic"), "-o", folder.file("\(verb).png"),
                "--quiet",
                "--limit", "memory-bytes=\(megabytes)000000",
            ]
            let run = try Tool.run(arguments)
            #expect(run.status == 0 || run.status == 1)
            #expect(run.messages.split(separator: "\n").count == Int(run.status), "\(run.messages)")
            #expect(!run.messages.contains("--limit seconds"))
        }
    }

    @Test("A limit of open files that prevents an isolated process is reported")
    func openFiles() throws {
        let run = try Tool.shell(#"ulimit -n 10; exec "$0" extract --isolate "$1" -o -"#, [picture])
        #expect(run.status == 1)
        #expect(
            run.messages
                == "isobath: \(picture): error: no isolated process could be started: Too many open files\n"
        )
    }

    /// Dispatch also opens files, and traps if it cannot.
    @Test("A few open files suffice for several inputs, or give an error that names them", arguments: 5...9)
    func fewOpenFiles(count: Int) throws {
        let script = #"n=$1; shift; ulimit -n $n; exec "$0" extract --jobs 2 -o . "$@""#
        let pictures = [picture, TestImages.path("portrait.heic").replacing(".heic", with: "-rotated.heic")]
        let run = try Tool.shell(script, ["\(count)"] + pictures, folder: folder.path)
        #expect(run.status == 0 || run.status == 1 && run.messages.contains("Too many open files"))
        #expect(run.status == 1 || folder.contents.count == 2)
        #expect(count < 8 || run.status == 0, "\(run.messages)")
    }

    @Test("An isolated process that takes too long is ended, and the run continues")
    func hang() throws {
        let script = """
            mkfifo "$1/never"; sleep 100 > "$1/never" & holder=$!
            "$0" extract --isolate --jobs 1 --limit seconds=$3 - "$2" -o "$1/out/" < "$1/never"
            status=$?; kill $holder; exit $status
            """
        // The picture must be finished within that time as well.
        let seconds = Tool.isSanitized ? 15 : 3
        let run = try Tool.shell(script, [folder.path, picture, "\(seconds)"])
        #expect(run.status == 1)
        #expect(
            run.messages.contains(
                "isobath: standard input: error: it took more than \(seconds) s; --limit seconds=N allows more\n"
            ))
        #expect(FileManager.default.fileExists(atPath: folder.file("out/portrait-disparity.png")))
    }

    @Test(
        "Memory beyond the limit fails the input and does not crash the run",
        .disabled(if: Tool.isSanitized, "a sanitizer reserves terabytes"))
    func memory() throws {
        try folder.run(
            "extract --isolate --limit memory-bytes=20000000 \(picture) -o d.png", status: 1,
            says: "isobath: \(picture): error: ")
        #expect(folder.contents == [])
    }

    @Test(
        "--isolate gives the same results for every subcommand",
        arguments: [
            ["info", "--json"], ["composite", "--background", "none", "-o", "out.png"],
            ["blur", "-o", "out.jpg"],
            ["composite", "--layer", TestImages.path("plain.jpg"), "--layer-distance", "3", "-o", "out.jpg"],
            ["cloud", "--json", "--mesh", "-o", "out.obj"],
            ["extract", "-q", "--plane=all", "-o", "."],
            ["embed", "--depth", TestImages.path("absolute-depth.heic"), "--replace", "-o", "out.jpg"],
            ["convert", "--to", "gdepth", "--bits=16", "-o", "out.jpg"],
            ["convert", "--to", "pair", "-o", "./"], ["view", "--size", "200", "-o", "out.html"],
            ["animate", "--size", "64", "--seconds", "0.3", "-o", "out.gif"],
        ])
    func verbs(arguments: [String]) throws {
        let (one, other) = (TemporaryFolder(), TemporaryFolder())
        let plain = try Tool.run(arguments + [picture], folder: one.path)
        let isolated = try other.run("\(arguments) \(picture) --isolate")
        #expect(plain.status == 0, "\(isolated.messages)")
        #expect(plain.output == isolated.output && plain.messages == isolated.messages)
        #expect(one.contents == other.contents)
        for name in one.contents { #expect(try one.bytes(of: name) == other.bytes(of: name)) }
    }

    @Test("--isolate gives the same results for recordings, for an album, and for one of several inputs")
    func otherInputs() throws {
        let cases = [
            ["follow", "rec", "--point", "0.5,0.5"], ["extract", "rec", "--every", "2", "-o", "f-%02d.png"],
            ["convert", "rec", "--to", "tum", "-o", "set"], ["view", "album", "-o", "pages/"],
            ["blur", "album/a.jpg", "album/b.jpg", "--frame", "0", "--aperture", "2", "-o", "."],
        ]
        for arguments in cases {
            var runs: [Tool.Run] = []
            var files: [[String: Data]] = []
            for flags in [[], ["--isolate"]] {
                let folder = TemporaryFolder()
                try SquareScene.write(into: folder)
                for name in ["a", "b"] {
                    try folder.write(TestImages.bytes("portrait.jpg"), to: "album/\(name).jpg")
                }
                runs.append(try folder.run("\(arguments) \(flags)"))
                let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                files.append(
                    try Dictionary(
                        uniqueKeysWithValues: names.filter { !isFolder(folder.file($0)) }
                            .map { ($0, try Data(contentsOf: URL(fileURLWithPath: folder.file($0)))) }))
            }
            #expect(runs[0].status == runs[1].status, "\(arguments): \(runs[1].messages)")
            #expect(runs[0].messages == runs[1].messages && files[0] == files[1], "\(arguments)")
        }
    }

    private func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    @Test("Numbers that are not finite, and names that look like flags or are not UTF-8, stay as they are")
    func unusualArguments() throws {
        let script = #"""
            mkdir -- --isolate; "$0" extract --quiet "$1" -o ./--isolate/--jobs.npy
            name=$(printf '\377')
            for flag in "" --isolate; do
                for value in nan inf -inf none 2; do
                    "$0" extract $flag --quiet --force --no-data $value "-o=--isolate/$name.tiff" -- --isolate/--jobs.npy
                    sha256sum -- --isolate/*.tiff
                done
                "$0" info $flag --quiet --recursive -- --isolate
                "$0" extract $flag --quiet -r -j 2 --force --output=--isolate/ -- --isolate
                ls -- --isolate; rm -- --isolate/*-depth.png
            done
            """#
        let run = try Tool.shell(script, [picture], folder: folder.path)
        #expect(run.status == 0 && run.messages == "", "\(run.messages)")
        let lines = run.text.split(separator: "\n")
        #expect(lines.count > 12 && lines.prefix(lines.count / 2) == lines.suffix(lines.count / 2))
    }

    @Test("Several isolated processes run side by side, and a hang fails one input")
    func several() throws {
        let script = """
            mkfifo "$1/never"; sleep 100 > "$1/never" & holder=$!
            "$0" extract --isolate --jobs 2 --limit seconds=4 -o "$1/out/" - "$2" "$3" < "$1/never" & tool=$!
            for turn in $(seq 400); do [ -e "$1/out/absolute-depth-depth.png" ] && break; sleep 0.05; done
            ps -o pid=,args= --ppid $tool | grep -c isobath-isolated
            wait $tool; status=$?; kill $holder; exit $status
            """
        let run = try Tool.shell(script, [folder.path, picture, TestImages.path("absolute-depth.heic")])
        #expect(run.text == "2\n")
        #expect(
            run.messages.contains(
                "isobath: standard input: error: it took more than 4 s; --limit seconds=N allows more\n"))
        #expect(run.messages.hasSuffix("isobath: 3 inputs: 2 read, 2 written, 1 failed\n"))
        #expect(run.status == 1)
    }

    @Test("An isolated process can write only below the output's folder")
    func writing() async throws {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            for name in ["in", "out"] {
                try folder.folder(name)
            }
            try folder.write([1], to: "in/photo")
            let answer = unsafe folder.file("out").withCString { path in
                var paths: [UnsafePointer<CChar>?] = unsafe [path]
                return unsafe isobath_restrict_writing(&paths, 1, 0)
            }
            // Without Landlock there is nothing to test.
            if answer == 1 { return }
            #expect(answer == 0)
            for name in ["in/photo", "in/new", "new", "out/../new"] {
                let descriptor = unsafe open(folder.file(name), O_WRONLY | O_CREAT, 0o600)
                #expect(descriptor < 0 && errno == EACCES)
            }
            let removed = unsafe unlink(folder.file("in/photo"))
            let cut = unsafe truncate(folder.file("in/photo"), 0)
            #expect(removed < 0 && cut < 0)
            #expect(try folder.bytes(of: "in/photo") == [1])
            // Outputs are created in this way: first without a name, then linked to it.
            let descriptor = unsafe isobath_open_unnamed(folder.file("out"), 0o600)
            let written = unsafe write(descriptor, "two", 3)
            let source = "/proc/self/fd/\(descriptor)"
            let linked = unsafe linkat(AT_FDCWD, source, AT_FDCWD, folder.file("out/a"), AT_SYMLINK_FOLLOW)
            let renamed = unsafe rename(folder.file("out/a"), folder.file("out/b"))
            #expect(written == 3 && linked == 0 && renamed == 0)
            #expect(try folder.bytes(of: "out/b") == Array("two".utf8))
        }
    }

    @Test("A process without privileges can start threads, but no programs, sockets or signals to others")
    func privileges() async {
        await #expect(processExitsWith: .success) {
            #expect(isobath_drop_privileges() == 0)
            var process: pid_t = 0
            var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
            #expect(unsafe posix_spawn(&process, "/bin/true", nil, nil, &arguments, environ) == ENOSYS)
            var thread = pthread_t()
            #expect(unsafe pthread_create(&thread, nil, { _ in nil }, nil) == 0)
            #expect(pthread_join(thread, nil) == 0)
        }
    }

    /// Each call is made on the process that runs the tests, and on a file elsewhere.
    @Test(
        "Every other call is refused: attributes of files, signals, limits, sockets, and what is newer",
        .disabled(if: Tool.isSanitized, "a sanitizer needs some of them"))
    func refusedCalls() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let file = try folder.write([1], to: "file")
            #expect(isobath_drop_privileges() == 0)
            var count: Int32 = 0
            let text = try unsafe #require(refused_calls_that_work(getppid(), file, &count))
            let accepted = unsafe String(cString: text)
            #expect(accepted.isEmpty, "\(accepted)")
            #expect(count > 180)
            let (modified, bytes) = (try FileManager.default.attributesOfItem(atPath: file), [UInt8](1...3))
            #expect(modified[.size] as? Int == 1)
            // What an output needs is allowed.
            let output = unsafe open(folder.file("new"), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
            #expect(unsafe write(output, bytes, 3) == 3)
            #expect(ftruncate(output, 2) == 0)
            #expect(unsafe rename(folder.file("new"), folder.file("output")) == 0)
            #expect(try folder.bytes(of: "output") == [1, 2])
        }
    }

    /// The isolated process waits on standard input meanwhile.
    @Test("An isolated process has few variables, hard limits, and no privileges")
    func process() throws {
        let script = """
            export SECRET_TOKEN=secret LC_TIME=C TZ=UTC LD_SECRET=1 ISOBATH_CASES=/cases JSIMD_FORCENONE=1
            mkfifo "$1/never"; sleep 100 > "$1/never" & holder=$!
            "$0" extract --isolate --limit seconds=50 - -o "$1/out/" < "$1/never" & tool=$!
            for turn in $(seq 400); do
                isolated=$(cat /proc/$tool/task/*/children); isolated=${isolated% }
                grep -q '^Seccomp:.*2' /proc/$isolated/status 2> /dev/null && break; sleep 0.05
            done
            sleep 0.2; tr '\\0' '\n' < /proc/$isolated/environ | cut -d = -f 1 | sort | tr '\n' ' '; echo
            cat /proc/$isolated/limits /proc/$isolated/status; kill $tool $holder; wait $tool; true
            """
        let lines = try Tool.shell(script, [folder.path]).text.split(separator: "\n").map(String.init)
        let variables = Set(try #require(lines.first).split(separator: " ").map(String.init))
        #expect(variables.isSuperset(of: ["LC_TIME", "TZ", "SWIFT_BACKTRACE"]))
        let others: Set = [
            "LANG", "LANGUAGE", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "ISOBATH_ONNXRUNTIME", "ASAN_OPTIONS",
        ]
        let unexpected = variables.subtracting(["LC_TIME", "TZ", "SWIFT_BACKTRACE"]).subtracting(others)
        #expect(unexpected.filter { !$0.hasPrefix("LC_") } == [])
        func line(_ start: String) -> [String] {
            lines.first { $0.hasPrefix(start) }?.dropFirst(start.count).split(whereSeparator: \.isWhitespace)
                .map(String.init)
                ?? []
        }
        #expect(line("Max core file size").prefix(2) == ["0", "0"])
        let seconds = line("Max cpu time")
        #expect(Int(seconds[1]) == Int(seconds[0]).map { $0 + 1 })
        if !Tool.isSanitized { #expect(line("Max address space").prefix(2) == ["8589934592", "8589934592"]) }
        #expect(line("Max file size").prefix(2) == ["8589934592", "8589934592"])
        #expect(line("CapEff:") == ["0000000000000000"] && line("NoNewPrivs:") == ["1"])
    }

    @Test(
        "Without Landlock, a note says so, once a run", .needsFaults,
        arguments: ["ENOSYS", "EOPNOTSUPP"])
    func withoutLandlock(code: String) throws {
        let script =
            #"\#(SystemTools.strace) -f -qq -o /dev/null -e inject=landlock_create_ruleset:error=$1 "$0" info --isolate "$2" "$3" $4"#
        let files = [picture, TestImages.path("plain.jpg")]
        let run = try Tool.shell(script, [code] + files + [""])
        #expect(run.status == 0)
        #expect(run.messages.components(separatedBy: "isobath: note: this kernel has no Landlock").count == 2)
        let quiet = try Tool.shell(script, [code] + files + ["--quiet"])
        #expect(quiet.messages == "")
        let usual = try Tool.run("info --isolate \(files)")
        #expect(!usual.messages.contains("Landlock") || isobath_can_restrict_writing() == 0)
    }

    /// Publishing takes longer than the limit.
    @Test(
        "A data set that takes too long leaves nothing", .needsFaults)
    func leftover() throws {
        let (room, folder) = (TemporaryFolder(), TemporaryFolder())
        try RecordingTests.write(room)
        let script =
            #"\#(SystemTools.strace) -f -qq -o /dev/null -e inject=renameat2:delay_enter=8000000 "$0" convert --isolate --limit seconds=2 --to tum -o "$1/set" "$2""#
        let run = try Tool.shell(script, [folder.path, room.path])
        #expect(run.status == 1 && run.messages.contains("it took more than 2 s"), "\(run.messages)")
        #expect(folder.contents == [])
    }
}
