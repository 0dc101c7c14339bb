import Foundation
import TestSupport
import Testing

/// The processes of every run are counted, and a run that starts too many is ended: see ``ProcessGroup``.
@Suite("Number of isolated processes")
struct IsolatedProcessCountTests {
    /// The arguments of each subcommand besides its inputs. The picture is in the folder.
    static let subcommands = [
        ["info"], ["extract", "-o", "out/"],
        ["composite", "--color", "picture", "--background", "none", "-o", "out.png"],
        ["blur", "--color", "picture", "-o", "out.jpg"],
        ["composite", "--color", "picture", "--layer", "picture", "--layer-distance", "3", "-o", "out.jpg"],
        ["cloud", "-o", "out.ply"],
    ]

    /// A depth raster of 24 × 18 samples, as PFM: 1 to 2 m.
    private static let raster: [UInt8] = {
        Array("Pf\n24 18\n-1.0\n".utf8) + littleEndian((0..<24 * 18).map { 1 + Float($0) / 432 })
    }()

    /// A folder with copies of the raster, `depth` among them, and a picture of its shape.
    private func folder(with names: [String]) throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        for name in names + ["depth"] { try folder.write(Self.raster, to: name) }
        let colors = (0..<3 * 48 * 36).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try folder.write(Array("P6 48 36 255\n".utf8) + colors, to: "picture")
        return folder
    }

    /// The tool and one isolated process; the shell that starts the tool becomes the tool.
    private func expectOne(_ run: ProcessGroup.Run, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(!run.wasEnded && run.left == 0, "\(run)", sourceLocation: sourceLocation)
        #expect(run.most <= 2, "\(run.run.messages)", sourceLocation: sourceLocation)
        #expect(run.run.status == 0, "\(run.run.messages)", sourceLocation: sourceLocation)
    }

    @Test("One input takes one isolated process, with and without --", arguments: subcommands, [[], ["--"]])
    func one(subcommand: [String], separator: [String]) throws {
        let folder = try folder(with: [])
        expectOne(
            try ProcessGroup.run(subcommand + ["--isolate"] + separator + ["depth"], folder: folder.path))
    }

    @Test(
        "File names that look like flags are read as file names", arguments: subcommands,
        ["--is-worker", "--isolate", "isobath-isolated", "-x.heic", "--help"])
    func names(subcommand: [String], name: String) throws {
        let folder = try folder(with: [name])
        expectOne(try ProcessGroup.run(subcommand + ["--isolate", "--", name], folder: folder.path))
    }

    @Test("- is standard input, and ./- and ./-- are files", arguments: subcommands, ["-", "./-", "./--"])
    func dashes(subcommand: [String], name: String) throws {
        let folder = try folder(with: ["-", "--"])
        let input = Data(Self.raster)
        expectOne(
            try ProcessGroup.run(subcommand + ["--isolate", "--", name], input: input, folder: folder.path))
    }

    @Test(
        "--jobs sets the number of isolated processes", arguments: [subcommands[0], subcommands[1]],
        [1, 2])
    func jobs(subcommand: [String], jobs: Int) throws {
        let names = ["a.jpg", "b.jpg", "--is-worker.jpg", "d.jpg", "e.jpg", "--.jpg"]
        let folder = try folder(with: names)
        try folder.write(Data(names.joined(separator: "\0").utf8), to: "names")
        for inputs in [["--files0-from", "names"], ["--"] + names] {
            let flags = ["--isolate", "--force", "--jobs", "\(jobs)"].filter {
                subcommand[0] != "info" || $0 != "--force"
            }
            let run = try ProcessGroup.run(subcommand + flags + inputs, folder: folder.path)
            #expect(!run.wasEnded && run.left == 0 && run.most <= jobs + 1, "\(run)")
            #expect(run.run.status == 0)
            #expect(run.run.messages.contains("6 inputs: 6 read"))
        }
    }

    @Test(
        "A process named as isolated but without a request ends with an error",
        arguments: ["", "3</dev/null 4</dev/null 5<depth", "5<>depth"])
    func name(redirections: String) throws {
        let folder = try folder(with: [])
        let script = #"exec bash -c 'exec -a isobath-isolated "$0" info depth' "$0" \#(redirections)"#
        let run = try ProcessGroup.shell(script, [], folder: folder.path)
        #expect(run.run.messages == "isobath: error: isolated processes are started by isobath only\n")
        #expect(run.run.status == 1 && run.most <= 1 && run.run.output.isEmpty)
    }

    /// The loader uses the first file with the library's name, even if it is not a library.
    @Test("Without libseccomp, an isolated process ends with an error before it reads anything")
    func missingFilter() throws {
        let folder = try folder(with: [])
        try folder.write([], to: "libseccomp.so.2")
        let script = #"export LD_LIBRARY_PATH="$PWD:$LD_LIBRARY_PATH"; exec "$0" info --isolate depth"#
        let run = try ProcessGroup.shell(script, [], folder: folder.path)
        #expect(run.run.messages.contains("isolated processes need libseccomp, which cannot be loaded"))
        #expect(run.run.status == 1 && run.most <= 2 && run.left == 0 && run.run.output.isEmpty)
    }

    @Test(
        "Isolated processes end with the process that started them, and with its group",
        arguments: [false, true])
    func ending(wholeGroup: Bool) throws {
        let names = (0..<100).map { "\($0).heic" }
        let folder = TemporaryFolder()
        // Each takes tens of milliseconds, so there is time to end them midway.
        for name in names { try folder.write(TestImages.bytes("portrait.heic"), to: name) }
        var isKilled = false
        let run = try ProcessGroup.run(
            [
                "extract", "--isolate", "--jobs", "2", "--plane", "all", "--upsample", "-o",
                "out/",
            ]
                + names, folder: folder.path
        ) { group, count in
            guard !isKilled, count == 3 else { return }
            usleep(20_000)
            isKilled = true
            kill(wholeGroup ? -group : group, SIGKILL)
        }
        #expect(isKilled && run.run.status == 128 + Int(SIGKILL))
        #expect(run.most <= 3)
        // The kernel ends them when their parent ends, shortly before or after it can be waited for.
        #expect(run.left <= 2)
    }

    @Test("Files written by killed processes are complete and counted")
    func killed() throws {
        let names = (0..<40).map { "\($0).heic" }
        let folder = TemporaryFolder()
        for name in names { try folder.write(TestImages.bytes("portrait.heic"), to: name) }
        var turn = 0
        let run = try ProcessGroup.run(
            ["extract", "--isolate", "--jobs", "2", "--plane", "all", "-o", "out/"] + names,
            folder: folder.path
        ) { group, _ in
            turn += 1
            guard turn % 4 == 0 else { return }
            for process in ProcessGroup.members(of: group) where process != group { kill(process, SIGKILL) }
        }
        #expect(!run.wasEnded && run.left == 0)
        let files = try folder.contents(of: "out")
        #expect(!files.contains { $0.hasPrefix(".") })
        let summary = try #require(run.run.messages.split(separator: "\n").last)
        let written = summary.firstMatch(of: /([0-9]+) written/).flatMap { Int($0.1) } ?? 0
        #expect(written == files.count, "\(summary)")
        #expect(run.run.status == 1)
    }

    @Test("An isolated process has no capabilities and cannot start programs")
    func rights() throws {
        let script = """
            mkfifo never; sleep 100 > never & holder=$!
            "$0" extract --isolate - -o d.png < never & tool=$!
            for turn in $(seq 400); do
                isolated=$(cat /proc/$tool/task/*/children)
                [ -n "$isolated" ] && grep -q "^Seccomp:.2" "/proc/${isolated% }/status" && break; sleep 0.05
            done
            grep -E "^(NoNewPrivs|Seccomp|CapEff|CapPrm|CapBnd):" "/proc/${isolated% }/status"
            tr '\\0' ' ' < /proc/${isolated% }/cmdline; echo
            kill $isolated; wait $tool; kill $holder
            """
        let folder = try folder(with: [])
        let run = try ProcessGroup.shell(script, [], folder: folder.path).run
        let lines = run.text.split(separator: "\n")
        let none = String(repeating: "0", count: 16)
        #expect(lines.contains("CapPrm:\t\(none)") && lines.contains("CapEff:\t\(none)"))
        if getuid() == 0 { #expect(lines.contains("CapBnd:\t\(none)")) }
        #expect(lines.contains("NoNewPrivs:\t1") && lines.contains("Seccomp:\t2"))
        #expect(lines.last == "isobath-isolated ")
    }
}
