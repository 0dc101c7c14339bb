internal import ArgumentParser
import Isobath
import TestSupport
import Testing

@testable import Commands

@Suite("Wrong usage")
struct UsageTests {
    private let folder = TemporaryFolder()

    /// What the tool says of wrong arguments before anything is read; `nil` if it takes them.
    private func refusal(of command: String) throws -> String? {
        let words = command.split(separator: " ").map(String.init)
        let verb = try #require(
            FlagEffectTests.declarations.first { $0.configuration.commandName == words.first })
        let arguments = Array(words.dropFirst())
        do {
            _ = try VerbArguments(verb: verb, words: arguments).job()
            return nil
        } catch {
            #expect(verb.exitCode(for: error) == .validationFailure)
            let message = verb.message(for: error).split(separator: "\n").first.map(String.init) ?? ""
            return UsageMessage(verb).text(for: message, arguments)
        }
    }

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
        let message = try #require(try refusal(of: command + number))
        let flag = try #require(command.split(separator: " ").last?.split(separator: "=").first)
        #expect(message.hasPrefix("\(flag) is "), "\(message)")
    }

    /// Commands whose arguments are wrong alone or together. `Golden/messages.txt` has more of them, with the answers.
    private static let wrong = """
        animate x.heic --move orbit -o a.jpg
        animate x.heic --seconds nan -o a.gif
        animate x.heic --strength 0 -o a.gif
        animate x.heic -o a.txt
        cloud
        cloud x.heic -o - --dequantize --no-dequantize
        cloud x.heic -o - --json
        cloud x.heic -o c
        cloud x.heic -o c.e57
        cloud x.heic -o c.glb --axes opencv
        cloud x.heic -o c.glb --splats --axes opencv
        cloud x.heic -o c.las --ascii
        cloud x.heic -o c.las --mesh
        cloud x.heic -o c.las --splats
        cloud x.heic -o c.pcd --mesh
        cloud x.heic -o c.ply --axes blender
        cloud x.heic -o c.ply --back-layer
        cloud x.heic -o c.ply --camera 0
        cloud x.heic -o c.ply --far -1
        cloud x.heic -o c.ply --far inf
        cloud x.heic -o c.ply --max-points 0
        cloud x.heic -o c.ply --mesh --max-points 5
        cloud x.heic -o c.ply --mesh --remove-outliers
        cloud x.heic -o c.ply --near 2 --far 1
        cloud x.heic -o c.ply --near 2 --far 2
        cloud x.heic -o c.ply --resolution large
        cloud x.heic -o c.ply --splats --ascii
        cloud x.heic -o c.ply --splats --axes opengl
        cloud x.heic -o c.ply --splats --mesh
        cloud x.heic -o c.ply --splats --normals
        cloud x.heic -o c.ply --stride -2
        cloud x.heic -o c.ply --stride 0
        cloud x.heic -o c.ply --voxel 0
        cloud x.heic -o c.ply --voxel nan
        cloud x.heic -o c.usdz --splats
        cloud x.heic -o c.xyz
        composite x.jpg --background #12 -o o.png
        composite x.jpg --background none -o o.jpg
        composite x.jpg --background white --focus 2,0 -o o.png
        composite x.jpg --background white --matte hair --far 2 -o o.png
        composite x.jpg --background white --near 3 --far 2 -o o.png
        composite x.jpg --background white --quality 0 -o o.png
        composite x.jpg --background white -o o-%d-%d.png
        composite x.jpg --background white -o o.gif
        composite x.jpg --near 10% --softness 0.1 -o o.png
        composite x.jpg --softness 0.1 -o o.png
        composite x.jpg --upsample -o o.png
        composite x.y4m -o b.txt
        convert x.heic --to gdepth --orientation 6 -o x.jpg
        convert x.jpg
        convert x.jpg --to gdepth -o a.png
        convert x.jpg --to gif -o a.gif
        convert x.jpg --to pair -o -
        detect x.mp4 --model a.onnx --start 2 --end 1
        embed x.jpg --depth y.heic -o o
        embed x.jpg --depth y.heic -o o.png
        extract - -o - --raw gray16le,4x3
        extract - -o - --raw rgb24
        extract - -o - --raw rgb24,4x
        extract - -o - --raw rgb24,4x3,a.raw
        extract - -o - --raw-depth gray16le,0x3
        extract - -o b.webp --codec h264
        extract x.heic --colormap rainbow -o a.png
        extract x.heic --colormap turbo --format tiff -o a/
        extract x.heic --colormap turbo --values millimeters -o a.png
        extract x.heic --min-confidence -1 -o a.png
        extract x.heic --plane gain-map --upsample -o a.png
        extract x.heic --plane matte --dequantize -o a.png
        extract x.heic --plane photo --upsample -o a.png
        extract x.heic --size 80
        extract x.heic --size 80 --plane left
        extract x.heic --size 80 --plane matte
        extract x.mpo --depth-from stereo --plane all -o a/
        extract x.mpo --depth-from stereo --plane matte -o a/
        extract x.mpo --depth-from stereo --plane photo -o a/
        extract x.y4m -o b.mp4 --start 2 --end 1
        follow x.mp4 --box 0,0,1,1 --model a.onnx -o t.csv
        follow x.mp4 --box 0,0,2,1 -o t.csv
        follow x.mp4 --class dog -o t.csv
        follow x.mp4 --point 0.5 -o t.csv
        follow x.mp4 --point 0.5,0.5 -o t.txt
        follow x.mp4 -o t.csv
        info x.heic --orientation 0
        info x.heic --orientation 9
        """

    @Test("Wrong arguments are refused before anything is read", arguments: wrong.split(separator: "\n"))
    func refused(command: Substring) throws { #expect(try refusal(of: String(command)) != nil) }

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
        try folder.write(TestImages.bytes("portrait.heic"), to: "a.heic")
        try folder.run("\(command.split(separator: " ").map(String.init))", status: 64, says: answer)
        #expect(folder.contents == ["a.heic"])
    }

    @Test("An f-number may be written as photographers write it")
    func fNumber() throws {
        for (name, number) in [("a.png", "f/1.4"), ("b.png", "1.4")] {
            try folder.run("blur {portrait.heic} --aperture \(number) -o \(name)")
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
        try folder.write(TestImages.bytes("portrait.heic"), to: name)
        for arguments in [["info", name], ["extract", "-o", "out/", name]] {
            let run = try folder.run(
                "\(arguments)", status: 64,
                says: "'\(name)' begins with a dash and is a file: give it after '--', or as './\(name)'")
            #expect(run.output.isEmpty, "\(run.messages)")
        }
        #expect(folder.contents == [name])
        for arguments in [["--", name], ["./" + name], ["--json", "--", name]] {
            try folder.run("info \(arguments)")
        }
    }

    @Test("The list of limits has each with its default")
    func limits() throws {
        let limits = try Tool.run("help limits")
        for name in DecodingLimits.Name.allCases {
            let line = limits.text.split(separator: "\n").first { $0.hasPrefix("  \(name.rawValue) ") }
            #expect(line?.contains(" \(name.defaultValue) ") == true, "\(name)")
        }
    }

    @Test("--version prints the version")
    func version() throws {
        let run = try Tool.run("--version")
        #expect(run.text.split(separator: ".").count == 3)
    }
}
