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
