import Foundation
import TestSupport
import Testing

/// Runs every command as the documents show it, in a folder with files of the names that they use. The
/// processes of each are counted, and a command that starts too many is ended: see ``ProcessGroup``.
@Suite("Documented commands", .serialized)
struct DocumentedCommandTests {
    /// The documents whose commands are run.
    static let documents =
        ["README.md", "SECURITY.md"]
        + [
            "DepthInTenMinutes", "PhonesAndFormats", "NumbersMean", "CutoutsAndBackgrounds",
            "CloudsInViewers",
            "RecordingsAndPipes", "MattesInEditors", "UntrustedInput", "GettingStarted", "CommandLine",
            "Batches",
            "Recordings", "Workers", "Pages", "Transcoding", "Formats",
        ].map { "Sources/Interfaces/Isobath/Documentation.docc/\($0).md" }

    /// Files that the documents name, which the shell creates from our pictures; `$0` is the tool, `$1` the pictures'
    /// folder.
    private static let files = """
        set -e
        ln -s "$1" TestImages; mkdir bin Photos Tools; ln -s "$0" bin/isobath; ln -s "$0" Tools/isobath
        cp "$1/portrait.heic" portrait.heic; cp "$1/portrait.heic" upload.heic; cp "$1/absolute-depth.heic" room.heic
        cp "$1/portrait.heic" Photos; mkdir more; cp "$1/spatial.heic" more
        "$0" extract "$1/spatial.heic" --plane left -o im0.png --quiet; "$0" extract "$1/spatial.heic" --plane right -o im1.png --quiet
        cp "$1/plain.jpg" beach.jpg; for n in 0001 0002; do cp "$1/plain.jpg" sea-$n.jpg; done
        isobath() { "$0" "$@" --quiet --force; }
        isobath extract room.heic --values millimeters -o scan.png; cp scan.png frame.png; cp "$1/absolute-depth.jpg" frame.jpg
        isobath extract room.heic -o scan.tiff; isobath extract room.heic --as disparity -o disp0.pfm
        isobath composite portrait.heic --no-refine --background none -o robot.png; cp robot.png subject.png
        isobath composite portrait.heic --no-refine --background white -o edited.jpg
        printf 'cam0=[240 0 96; 0 240 72; 0 0 1]\\ncam1=[240 0 96; 0 240 72; 0 0 1]\\ndoffs=0\\nbaseline=193\\nwidth=192\\nheight=144\\nndisp=64\\n' > calib.txt
        cp portrait.heic IMG_0001.HEIC; cp "$1/portrait.jpg" IMG_0001.JPG; isobath extract portrait.heic -o map.png
        printf '{"verb": "info", "path": "portrait.heic"}\\n' > requests.jsonl
        isobath animate portrait.heic --size 320 --seconds 0.2 -o sea.mp4
        mkdir -p recording/color recording/depth
        printf '{"width": 960, "height": 720, "intrinsic_matrix": [1200, 0, 0, 0, 1200, 0, 480, 360, 1]}' > recording/camera_intrinsic.json
        for n in 0 1 2 3; do cp "$1/plain.jpg" recording/color/00000$n.jpg; cp scan.png recording/depth/00000$n.png
        printf "$n $n $((n + 1))\\n1 0 0 0\\n0 1 0 0\\n0 0 1 0\\n0 0 0 1\\n" >> recording/trajectory.log; done
        isobath extract recording --plane photo -o color.y4m
        isobath extract recording --values millimeters --format gray16le -o - > depth.raw
        mkdir room; printf '240 0 96\\n0 240 72\\n0 0 1\\n' > room/camera-intrinsics.txt
        for n in 000000 000001; do cp scan.png room/frame-$n.depth.png
        printf '1 0 0 0\\n0 1 0 0\\n0 0 1 0\\n0 0 0 1\\n' > room/frame-$n.pose.txt; done
        """

    /// The commands of a document: lines that begin with `$ ` in blocks of a console, and all lines of shell scripts.
    static func commands(in document: String) throws -> [String] {
        let text = try String(contentsOfFile: repositoryRoot + "/" + document, encoding: .utf8)
        var language: Substring?
        var commands: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                language = language == nil ? line.dropFirst(3) : nil
            } else if language == "console", line.hasPrefix("$ ") {
                commands.append(String(line.dropFirst(2)))
            } else if language == "sh", !line.isEmpty {
                commands.append(String(line))
            }
        }
        // A test must not build or install; the first is the command that CI runs.
        return commands.filter {
            !$0.hasPrefix("Tools/test") && !$0.hasPrefix("swift ") && !$0.hasPrefix("git ")
        }
    }

    @Test("Every documented command succeeds and starts few processes", arguments: documents)
    func run(document: String) throws {
        let prepared = try TemporaryFolder()
        let setup = try Tool.shell(Self.files, [repositoryRoot + "/TestImages"], folder: prepared.path)
        try #require(setup.status == 0, "\(setup.messages)")
        let commands = try Self.commands(in: document)
        #expect(!commands.isEmpty)
        for command in commands {
            // If the program after the pipe is missing, the part before it is run.
            let part =
                command.contains("| jq ") && !FileManager.default.fileExists(atPath: "/usr/bin/jq")
                ? String(command.prefix { $0 != "|" }) : command
            // Each command runs in a separate folder; files that wildcards must not match exist only if the command
            // names them.
            let folder = try TemporaryFolder()
            let copy =
                "cp -a '\(prepared.path)/.' . && \(part.contains("spatial.heic") ? "cp more/* ." : "true")"
            let run = try ProcessGroup.shell(
                "\(copy) && export PATH=$PWD/bin:$PATH HOME=$PWD; \(part)", [], folder: folder.path,
                seconds: 200)
            #expect(run.run.status == 0, "\(command): \(run.run.messages)")
            // The tool, an isolated process per core, and the shell with the other programs of the line.
            let others = part.contains("|") ? 3 : 0
            #expect(!run.wasEnded && run.left == 0 && run.most <= 3 + others, "\(command): \(run.most)")
        }
    }
}
