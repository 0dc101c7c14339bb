internal import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import Commands

/// Runs each subcommand on each kind of input with each of its flags, and compares with the run without the flag.
///
/// The result is a table in `Golden/effects-VERB.txt`: `+` the flag changes outputs or messages, `.` it is refused by
/// name with status 64, `!` it requires data that this input lacks, which is an error, `=` it is accepted and changes
/// nothing here.
@Suite("Flags and their effects")
struct FlagEffectTests {
    private static let kinds: [(name: String, kind: InputKinds)] = [
        ("photo", .photo), ("raster", .raster), ("pair", .pair), ("recording", .recording), ("movie", .movie),
        ("stream", .stream), ("frame", .frame),
    ]

    /// Flags for several inputs, for outputs, and for the destination of results. Separate tests cover them.
    private static let others: Set = [
        "output", "format", "force", "skip-existing", "json", "formats", "jobs",
        "files0-from", "recursive", "threads", "isolate", "limit", "quiet",
        "in-place",
        "model", "model-profile", "anchor", "align", "no-align", "class", "min-score",
        "movie", "trajectory", "help", "version", "depth", "background", "to",
    ]

    /// A value for each flag that requires one, with the other flags that it needs.
    private static let values: [String: [String]] = [
        "plane": ["photo"], "as": ["depth"], "values": ["preview"], "colormap": ["magma"], "quality": ["50"],
        "max-frames": ["2"], "scale-model": ["room"], "start": ["0.1"], "end": ["0.2"], "every": ["2"],
        "near": ["1.9"],
        "far": ["2.5"],
        "codec": ["ffv1"], "depth-from": ["stereo"],
        "min-confidence": ["1"],
        "frame": ["5"], "topic": ["/depth"], "scale": ["500"],
        "range": ["0.5,4"],
        "camera": ["300,10,10"], "quantity": ["disparity"],
        "color": ["plain.jpg"], "right": ["plain.jpg"],
        "baseline": ["0.2", "--camera", "300"],
        "no-data": ["2000"], "channel": ["Z"], "layout": ["right"],
        "orientation": ["6"],
        "raw": ["nv12,160x120"], "raw-depth": ["gray16le,160x120,depth.raw"],
        "frame-rate": ["10"], "matte": ["depth"], "fit": ["stretch"],
        "layer": ["plain.jpg", "--layer-distance", "2.5"],
        "layer-distance": ["3", "--layer", "plain.jpg"],
        "layer-position": ["0.2,0.2", "--layer", "plain.jpg", "--layer-distance", "2.5"],
        "layer-width": ["0.3", "--layer", "plain.jpg", "--layer-distance", "2.5"],
        "softness": ["0.4", "--far", "2.5"], "focus": ["0.3,0.5"], "focus-distance": ["3"],
        "aperture": ["1.2"],
        "picture": ["photo"], "voxel": ["0.1"], "stride": ["3"], "max-points": ["50"], "axes": ["opencv"],
        "back-layer": ["--mesh"], "max-error": ["0.1", "--mesh"], "max-triangles": ["20", "--mesh"],
        "pose-convention": ["camera-to-world-opengl"], "poses": ["poses.txt"],
        "remove": ["matte"], "bits": ["16"], "size": ["80"], "frames": ["2"],
        "move": ["dolly"], "strength": ["9%"], "seconds": ["0.4"], "box": ["0.3,0.3,0.3,0.3"],
        "point": ["0.4,0.4"],
    ]

    static let verbs = [
        "info", "extract", "composite", "blur", "cloud", "embed", "convert", "view", "animate", "follow",
    ]

    /// The folder of inputs, made once.
    private func inputs() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        for name in ["portrait.jpg", "plain.jpg", "spatial.heic", "absolute-depth.heic"] {
            try folder.write(TestImages.bytes(name), to: name)
        }
        try folder.write(SquareScene.depths, to: "depth.raw")
        let camera = "cam0=[240 0 96; 0 240 72; 0 0 1]\ncam1=[240 0 96; 0 240 72; 0 0 1]\ndoffs=0\n"
        try folder.write(
            Array((camera + "baseline=193\nwidth=192\nheight=144\nndisp=64\n").utf8), to: "calib.txt")
        let poses = (0..<4).map { "1 0 0 \(0.04 * Double($0)) 0 1 0 0 0 0 1 0\n" }.joined()
        try folder.write(text: poses, to: "poses.txt")
        try SquareScene.write(into: folder)
        let room = TemporaryFolder()
        try RecordingTests.write(room)
        try FileManager.default.copyItem(atPath: room.path, toPath: folder.file("room"))
        try SquareScene.writeHueMovie(into: folder)
        try folder.run("extract absolute-depth.heic --values millimeters -o scan.png --quiet")
        return folder
    }

    /// The input of a kind with the flags that it needs, and what the subcommand does with it.
    private func command(_ verb: String, on kind: InputKinds) -> [String] {
        let isStill = InputKinds.stills.contains(kind)
        let input: [String] =
            switch kind {
            case .photo: ["portrait.jpg"]
            case .raster:
                ["scan.png"] + (["info", "embed"].contains(verb) ? [] : ["--color", "portrait.jpg"])
            case .pair: ["spatial.heic"]
            case .recording: [verb == "cloud" ? "room" : "rec", "--scale", "1000"]
            case .movie: ["hues.mkv"]
            case .stream: ["scene.raw"] + SquareScene.flags
            default: ["rec", "--frame", "3", "--scale", "1000"]
            }
        return switch verb {
        case "info": ["info"] + input
        case "extract":
            ["extract"] + input + (kind == .pair ? ["--depth-from", "stereo"] : []) + [
                "-o", isStill ? "out/a.png" : "out/a.y4m",
            ]
        case "composite":
            ["composite"] + input
                + (isStill ? ["-b", "#208040", "-o", "out/a.png"] : ["-b", "#208040", "-o", "out/a.y4m"])
        case "cloud":
            ["cloud"] + input + ["-o", "out/a.ply"] + (kind == .recording ? ["--voxel", "0.05"] : [])
        case "embed": ["embed", "plain.jpg", "--depth"] + input + ["-o", "out/a.jpg"]
        case "convert":
            ["convert"] + input + [
                "--to", isStill ? "gdepth" : "rgbd", "-o", isStill ? "out/a.jpg" : "out/a.y4m",
            ]
        case "view": ["view"] + input + ["--size", "64", "-o", "out/a.html"]
        case "animate": ["animate"] + input + ["--size", "64", "--seconds", "0.3", "-o", "out/a.gif"]
        case "blur": ["blur"] + input + ["-o", isStill ? "out/a.jpg" : "out/a.y4m"]
        case "follow": ["follow"] + input + ["--point", "0.5,0.5", "-o", "out/a.csv"]
        default: [verb] + input + ["-o", "out/a.jpg"]
        }
    }

    /// The flags in the recorded help of a subcommand.
    private func flags(of verb: String) throws -> [(name: String, takesValue: Bool)] {
        let help = try String(
            contentsOfFile: repositoryRoot + "/Tests/Interfaces/CommandsTests/Golden/help-\(verb).txt",
            encoding: .utf8)
        return help.split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
            line.matches(of: /--([a-z0-9-]+)( <)?/).map { (String($0.output.1), $0.output.2 != nil) }
        }
    }

    static let declarations = IsobathCommand.configuration.subcommands
        .compactMap { $0 as? any Verb.Type }

    @Test("Every flag of every subcommand declares the kinds of inputs that it affects")
    func declaredKinds() {
        #expect(Self.declarations.count == 11)
        for verb in Self.declarations {
            let names = FlagList(of: verb).flags.map(\.name).filter { !["help", "version"].contains($0) }
            #expect(names.count > 20 && names.allSatisfy { verb.kinds(of: $0) != nil }, "\(verb)")
            #expect(verb.ownKinds.keys.allSatisfy(names.contains), "\(verb)")
        }
    }

    private func outcome(_ arguments: [String], in folder: borrowing TemporaryFolder) throws -> (
        Tool.Run, [Data]
    ) {
        try? FileManager.default.removeItem(atPath: folder.file("out"))
        try folder.folder("out")
        let run = try folder.run("\(arguments)", status: nil)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.file("out")).sorted()
        return (run, try names.map { try Data(folder.bytes(of: "out/" + $0)) })
    }

    @Test("Each flag has an effect on each kind of input or is refused by name", arguments: verbs)
    func effects(verb: String) throws {
        let folder = try inputs()
        let declared = try #require(Self.declarations.first { $0.configuration.commandName == verb })
        var rows: [String] = []
        var plain: [String: (Tool.Run, [Data])] = [:]
        for (name, kind) in Self.kinds { plain[name] = try outcome(command(verb, on: kind), in: folder) }
        for flag in try flags(of: verb) where !Self.others.contains(flag.name) {
            var given =
                flag.takesValue
                ? try #require(Self.values[flag.name], "--\(flag.name) has no value")
                : Self.values[flag.name] ?? []
            if verb == "extract", flag.name == "size" { given += ["--plane", "photo"] }
            var row = ""
            for (name, kind) in Self.kinds {
                guard let (run, files) = plain[name], run.status == 0 else {
                    row += " "
                    continue
                }
                var base = command(verb, on: kind)
                // A flag that the command has already is given another value.
                if let index = base.firstIndex(of: "--" + flag.name) {
                    base.removeSubrange(index...(flag.takesValue ? index + 1 : index))
                }
                let (other, written) = try outcome(base + ["--" + flag.name] + given, in: folder)
                let isRefused = other.messages.contains("--\(flag.name) has no effect")
                if isRefused {
                    #expect(other.status == 64 && written.isEmpty, "\(verb) \(name): \(other.messages)")
                }
                // A busy machine drops frames in real time.
                let isSame = written == files && other == run || flag.name == "real-time"
                row += isRefused ? "." : other.status != 0 ? "!" : isSame ? "=" : "+"
                // A flag such as --layout may make the input one of another kind.
                let hasEffect = declared.kinds(of: flag.name)?.contains(kind)
                #expect(
                    hasEffect == true || row.last != "=", "\(verb) --\(flag.name) changes nothing on \(name)")
            }
            rows.append("  " + ("--" + flag.name).padding(toLength: 22, withPad: " ", startingAt: 0) + row)
        }
        let text =
            "\(verb): " + Self.kinds.map(\.name).joined(separator: ", ") + "\n" + rows.joined(separator: "\n")
            + "\n"
        try GoldenTests.compare(text, with: "effects-\(verb).txt")
    }
}

extension Tool.Run {
    fileprivate static func == (a: Tool.Run, b: Tool.Run) -> Bool {
        a.status == b.status && a.output == b.output && a.messages == b.messages
    }
}
