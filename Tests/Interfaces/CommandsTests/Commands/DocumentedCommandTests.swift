import DepthTypes
import Foundation
import RecordingWriting
import TestSupport
import Testing

/// Runs every command as the documents show it, in a folder with files of the names that they use. The
/// processes of each are counted, and a command that starts too many is ended: see ``ProcessGroup``.
@Suite("Documented commands", .serialized)
struct DocumentedCommandTests {
    /// The README, SECURITY.md, and all articles.
    static let documents: [Document] = {
        let catalog = "Sources/Interfaces/Isobath/Documentation.docc"
        let files = try? FileManager.default.contentsOfDirectory(atPath: repositoryRoot + "/" + catalog)
        let articles = (files ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "\(catalog)/\($0)" }
        return (["README.md", "SECURITY.md"] + articles).map(Document.init)
    }()

    /// Files that the documents name, which the shell creates from our pictures; `$0` is the tool, `$1` the pictures'
    /// folder.
    private static let files = """
        set -e
        ln -s "$1" TestImages; mkdir bin masks numbers Photos Tools; ln -s "$0" bin/isobath; ln -s "$0" Tools/isobath
        cp "$1/portrait.heic" portrait.heic; cp "$1/portrait.heic" upload.heic; cp "$1/absolute-depth.heic" room.heic
        cp "$1/portrait.heic" Photos; mkdir more; cp "$1/spatial.heic" more
        "$0" extract "$1/spatial.heic" --plane left -o im0.png --quiet; "$0" extract "$1/spatial.heic" --plane right -o im1.png --quiet
        cp "$1/plain.jpg" photo.jpg; cp "$1/portrait.heic" photo.heic; cp "$1/plain.jpg" beach.jpg; for n in 0001 0002; do cp "$1/plain.jpg" sea-$n.jpg; done
        isobath() { "$0" "$@" --quiet --force; }
        isobath extract room.heic --values millimeters -o scan.png; cp scan.png frame.png; cp "$1/absolute-depth.jpg" frame.jpg
        isobath extract room.heic -o scan.tiff; isobath extract room.heic --as disparity -o disp0.pfm
        isobath composite portrait.heic --no-refine --background none -o robot.png; cp robot.png subject.png
        isobath composite portrait.heic --no-refine --background white -o edited.jpg
        printf 'cam0=[240 0 96; 0 240 72; 0 0 1]\\ncam1=[240 0 96; 0 240 72; 0 0 1]\\ndoffs=0\\nbaseline=193\\nwidth=192\\nheight=144\\nndisp=64\\n' > calib.txt
        cp portrait.heic IMG_0001.HEIC; cp "$1/portrait.jpg" IMG_0001.JPG; isobath extract portrait.heic -o map.png
        printf '{"verb": "info", "path": "portrait.heic"}\\n' > requests.jsonl
        isobath animate portrait.heic --size 320 --seconds 0.2 -o sea.mp4; cp sea.mp4 clip.mp4
        mkdir -p recording/color recording/depth
        printf '{"width": 960, "height": 720, "intrinsic_matrix": [1200, 0, 0, 0, 1200, 0, 480, 360, 1]}' > recording/camera_intrinsic.json
        for n in 0 1 2 3; do cp "$1/plain.jpg" recording/color/00000$n.jpg; cp scan.png recording/depth/00000$n.png
        printf "$n $n $((n + 1))\\n1 0 0 0\\n0 1 0 0\\n0 0 1 0\\n0 0 0 1\\n" >> recording/trajectory.log; done
        isobath extract recording --plane photo -o color.y4m
        isobath extract recording --values millimeters --format gray16le -o - > depth.raw
        for n in 0000 0001; do cp scan.png numbers/depth-$n.png; cp "$1/plain.jpg" numbers/rgb-$n.png; done
        cp depth.raw nyu.pgm; head -c 614400 /dev/zero | tr '\\0' '\\3' >> nyu.pgm
        mkdir room; printf '240 0 96\\n0 240 72\\n0 0 1\\n' > room/camera-intrinsics.txt
        for n in 000000 000001; do cp scan.png room/frame-$n.depth.png
        printf '1 0 0 0\\n0 1 0 0\\n0 0 1 0\\n0 0 0 1\\n' > room/frame-$n.pose.txt; done
        """

    /// Stand-ins for programs that commands name: they give a movie, take one, are a camera, and start a container.
    private static let programs = [
        "ffmpeg": "exec cat color.y4m",
        "ffplay": "exec cat > /dev/null",
        "python": #"head -c 921600 /dev/zero; head -c 614400 /dev/zero | tr '\0' '\3' >&3"#,
        "docker": #"until [ "${1:-isobath}" = isobath ]; do shift; done; shift; exec isobath "$@""#,
    ]

    /// The folder that each command gets a copy of.
    private static func prepared() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        let setup = try Tool.shell(files, [repositoryRoot + "/TestImages"], folder: folder.path)
        try #require(setup.status == 0, "\(setup.messages)")
        for (name, script) in programs {
            let path = try folder.write(text: "#!/bin/sh\n\(script)\n", to: "bin/" + name)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        try folder.write(bag.mcap(), to: "drive.mcap")
        for name in ["photos", "sparse"] { try folder.folder(name) }
        try RoomModel.writePhoto(0, to: "photos/IMG_0.jpg", in: folder)
        for (name, bytes) in RoomModel(["IMG_0.jpg"]).model.texts {
            try folder.write(bytes, to: "sparse/\(name)")
        }
        for name in ["depth", "depth-anything-v2-small"] {
            try folder.write(OnnxFile.affineDisparity(a: 2, b: 0.001, c: 0.5).bytes, to: name + ".onnx")
        }
        for name in ["selfie", "selfie_segmentation", "u2netp"] {
            try folder.write(matte.bytes, to: name + ".onnx")
        }
        try folder.write(objects.bytes, to: "yolo.onnx")
        try folder.write(
            Array(#"{"like": "yolo-end-to-end", "labels": ["person", "car"]}"#.utf8), to: "coco.json")
        return folder
    }

    /// Depth of a wall that is 1.5 m away, on the topic that an article names.
    private static var bag: BagWriter {
        let size = PixelSize(width: 64, height: 48)
        let pixels = [[UInt8]](repeating: [0xDC, 0x05], count: size.width * size.height)
        var bag = BagWriter([.camera("/camera/depth/camera_info", 60, size)])
        for index in 0..<3 {
            let time = 100 + Double(index) / 30
            bag.add(
                .image(
                    "/camera/depth/image_rect_raw", "16UC1", size, Array(pixels.joined()), time: time,
                    at: time))
        }
        return bag
    }

    /// A network whose matte is the brightness.
    private static var matte: OnnxFile {
        var file = OnnxFile()
        file.input("x", [1, 3, 32, 32])
        file.node("ReduceMean", ["x"], ["y"], ["axes": .integers([1])])
        file.output("y", [1, 1, 32, 32])
        file.metadata("isobath.profile", #"{"meaning": "matte", "size": 32}"#)
        return file
    }

    /// A network that finds a person in every picture.
    private static var objects: OnnxFile {
        let profile = #"{"like": "yolo-end-to-end", "labels": ["person", "car"]}"#
        let box: [Float] = [16, 24, 48, 40, 0.9, 0]
        return .constantAnswers(profile: profile, [("output0", box, [1, 1, 6])])
    }

    /// Commands that install or build; `Tools/package --test`, `Tools/wheel --test` and CI do so.
    private static let installers: Set<Substring> = [
        "sudo", "apt", "apt-get", "pip", "pipx", "uv", "uvx", "python3", "skopeo", "podman", "tar", "cc",
        "git", "swift",
        "cmake", ".", "Tools/install", "Tools/library", "Tools/package", "Tools/test", "Tools/wheel",
    ]

    /// Whether a test can run the command here.
    private static func isRunnable(_ command: String) -> Bool {
        guard let program = command.split(separator: " ").first, !installers.contains(program) else {
            return false
        }
        return OnnxRuntimeLibrary.isAvailable || !command.contains(".onnx")
    }

    @Test("Every block of code is in a language that tests run, compile or read", arguments: documents)
    func languages(document: Document) throws {
        for block in try document.blocks() {
            switch block.language {
            case "console":
                #expect(block.lines.contains { $0.hasPrefix("$ ") }, "\(block)")
            case "sh": break
            case "swift", "python", "c": break  // Tools/Examples/run, and Tests/PythonTests/test_documents.py
            case "json":
                // One value, or one in each line.
                let values = [block.lines.joined(separator: "\n")]
                let isJSON = { (text: String) in
                    (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
                }
                #expect(values.allSatisfy(isJSON) || block.lines.allSatisfy(isJSON), "\(block)")
            case "text":
                // Messages and drawings. A command belongs into a console.
                for line in block.lines {
                    let isCommand = line.hasPrefix("$ ") || line.hasPrefix("isobath ")
                    #expect(!isCommand && !line.contains("| isobath"), "\(line)")
                }
            default: Issue.record("\(document): a block of code in the language '\(block.language)'")
            }
        }
    }

    @Test(
        "Every documented command succeeds and starts few processes",
        arguments: documents.filter { ((try? $0.commands()) ?? []).contains(where: isRunnable) })
    func run(document: Document) throws {
        let prepared = try Self.prepared()
        for command in try document.commands() where Self.isRunnable(command) {
            // If the program after the pipe is missing, the part before it is run.
            let part =
                command.contains("| jq ") && !FileManager.default.fileExists(atPath: "/usr/bin/jq")
                ? String(command.prefix { $0 != "|" }) : command
            // Each command runs in a separate folder; files that wildcards must not match exist only if the command
            // names them.
            let folder = TemporaryFolder()
            let copy =
                "cp -a '\(prepared.path)/.' . && \(part.contains("spatial.heic") ? "cp more/* ." : "true")"
            let run = try ProcessGroup.shell(
                "\(copy) && export PATH=$PWD/bin:$PATH HOME=$PWD; \(part)", [], folder: folder.path,
                seconds: 200)
            #expect(run.run.status == 0, "\(command): \(run.run.messages)")
            // The tool, an isolated process per core, and the shell with the other programs of the line.
            let others = 3 * part.count { $0 == "|" } + (part.hasPrefix("mkfifo") ? 3 : 0)
            #expect(!run.wasEnded && run.left == 0 && run.most <= 3 + others, "\(command): \(run.most)")
        }
    }
}
