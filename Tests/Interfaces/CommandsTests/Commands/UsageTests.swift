import Isobath
import TestSupport
import Testing

@Suite("Wrong usage")
struct UsageTests {
    /// Swift parses each of these as a number.
    private static let numbers = ["0x10", "0x1p-3", "inf", "infinity", "nan", "1e999"]

    @Test(
        "Numbers that are not decimal and finite are refused by the name of their flag", arguments: numbers,
        [
            "extract x.png -o d.exr --scale=", "extract x.png -o d.exr --camera=",
            "extract x.png -o d.exr --baseline=", "extract x.png -o d.exr --camera=3,",
            "blur x.heic -o o.jpg --aperture=", "blur x.heic -o o.jpg --focus-distance=",
            "blur x.heic -o o.jpg --focus=0.5,", "composite x.heic -o o.png --background red --far=",
            "composite x.heic -o o.png --far 3 --softness=",
            "composite x.heic -o o.png --layer y.png --layer-distance=",
            "composite x.heic -o o.png --near=1% --far=", "cloud x.heic -o c.ply --voxel=",
            "cloud x.heic -o c.ply --near=",
        ])
    func number(number: String, command: String) throws {
        let arguments = (command + number).split(separator: " ").map(String.init)
        let run = try Tool.run(arguments)
        #expect(run.status == 64, "\(run.messages)")
        let flag = try #require(arguments.last?.split(separator: "=").first)
        #expect(run.messages.hasPrefix("isobath: error: \(flag) is "), "\(run.messages)")
    }

    @Test(
        "An unknown flag is reported first, before its value and what is missing",
        arguments: [["extract"], ["composite", "--background", "white"], ["convert"], ["detect"]])
    func unknown(subcommand: [String]) throws {
        let run = try Tool.run(subcommand + ["x.heic", "-o", "d.png", "--limits", "1000"])
        #expect(run.status == 64)
        let help = "see 'isobath help \(subcommand[0])'"
        #expect(run.messages == "isobath: error: there is no flag --limits; did you mean --limit?; \(help)\n")
    }

    @Test(
        "What people try first is answered with what works",
        arguments: [
            ("composite a.heic --bg white", "there is no flag --bg; did you mean --background?"),
            ("blur a.heic --f-number 1.4", "there is no flag --f-number; did you mean --aperture?"),
            ("extract a.heic --max-depth 3", "there is no flag --max-depth; did you mean --far?"),
            ("cloud a.heic --voxel 1cm", "--voxel is '1cm'; write meters as a number, such as 2.5"),
            ("extract a.heic --every 0.5", "--every is '0.5'; write a whole number"),
            ("extract a.heic depth.png", "'depth.png' does not exist; to write it, give -o depth.png"),
            ("extract a.heic -o out", "'out/' names a folder"),
        ])
    func firstTries(command: String, answer: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(try TestImages.bytes("portrait.heic"), to: "a.heic")
        let run = try Tool.run(command.split(separator: " ").map(String.init), folder: folder.path)
        #expect(run.status == 64 && run.messages.contains(answer), "\(run.messages)")
        #expect(folder.contents == ["a.heic"])
    }

    @Test("An f-number may be written as photographers write it")
    func fNumber() throws {
        let folder = try TemporaryFolder()
        for (name, number) in [("a.png", "f/1.4"), ("b.png", "1.4")] {
            let run = try Tool.run(
                ["blur", TestImages.path("portrait.heic"), "--aperture", number, "-o", name],
                folder: folder.path)
            #expect(run.status == 0, "\(run.messages)")
        }
        #expect(try folder.bytes(of: "a.png") == folder.bytes(of: "b.png"))
    }

    @Test(
        "Bash completes kinds of planes, and what help is about",
        arguments: [
            (["help", "fr"], ["frames"]), (["help", "e"], ["extract", "embed"]),
            (["extract", "--plane", "s"], ["skin", "sky"]), (["embed", "--remove", "h"], ["hair"]),
        ])
    func completion(words: [String], wanted: [String]) throws {
        let script = #"""
            exec bash -c 'source <("$0" --generate-completion-script bash)
            COMP_WORDS=(isobath "$@") COMP_CWORD=$# COMP_LINE="isobath $*"
            COMP_POINT=${#COMP_LINE}
            _isobath isobath "${@: -1}" "${@: -2:1}"
            printf "%s " "${COMPREPLY[@]}"' "$0" "$@"
            """#
        let run = try Tool.shell(script, words)
        #expect(run.text.split(separator: " ").map(String.init) == wanted, "\(run.text) \(run.messages)")
    }

    @Test(
        "A file whose name begins with a dash is not taken for flags",
        arguments: ["-x.heic", "-h.heic", "--a.heic"])
    func dash(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(try TestImages.bytes("portrait.heic"), to: name)
        for arguments in [["info", name], ["extract", "-o", "out/", name]] {
            let run = try Tool.run(arguments, folder: folder.path)
            #expect(run.status == 64 && run.output.isEmpty)
            #expect(
                run.messages.contains(
                    "'\(name)' begins with a dash and is a file: give it after '--', or as './\(name)'"))
        }
        #expect(folder.contents == [name])
        for arguments in [["--", name], ["./" + name], ["--json", "--", name]] {
            #expect(try Tool.run(["info"] + arguments, folder: folder.path).status == 0)
        }
    }

    @Test("The list of limits has each with its default")
    func limits() throws {
        let limits = try Tool.run(["help", "limits"])
        #expect(limits.status == 0)
        for name in DecodingLimits.Name.allCases {
            let line = limits.text.split(separator: "\n").first { $0.hasPrefix("  \(name.rawValue) ") }
            #expect(line?.contains(" \(name.defaultValue) ") == true, "\(name)")
        }
    }

    @Test("--version prints the version")
    func version() throws {
        let run = try Tool.run(["--version"])
        #expect(run.status == 0)
        #expect(run.text.split(separator: ".").count == 3)
    }
}
