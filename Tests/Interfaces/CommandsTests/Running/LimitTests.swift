import DepthTypes
import Foundation
import Isobath
import PhotoBuilders
import PhotoWriting
import RecordingWriting
import TestSupport
import Testing

@Suite("--limit NAME=N")
struct LimitTests {
    private let folder = TemporaryFolder()

    /// A run that exceeds a limit: the limit's value, the file, and the plane to extract.
    private struct Case {
        var value: Int
        var file: String
        /// A plane to extract; `nil` for `info`.
        var plane: String?
        /// A network that computes the plane.
        var model: String?

        init(_ value: Int, _ file: String, plane: String? = nil, model: String? = nil) {
            (self.value, self.file, self.plane, self.model) = (value, file, plane, model)
        }
    }

    /// Every limit has cases: a new limit without cases does not compile.
    private static func cases(of name: DecodingLimits.Name, _ folder: TemporaryFolder) throws -> [Case] {
        switch name {
        case .inputBytes: [Case(1000, "portrait.jpg"), Case(90_000, "portrait.jpg", plane: "photo")]
        case .unpackedBytes: [Case(500, try bag(folder)), Case(1000, "depth.dng", plane: "all")]
        case .nameBytes: [Case(3, try bag(folder))]
        case .memoryBytes:
            [
                "portrait.jpg", "portrait.heic", "depth.avif", "depth.jxl", "depth.dng",
                "lossless-jpeg-depth.heic", "pair_depth.png", "huawei-edof.jpg",
            ].map { Case(10_000, $0, plane: "all") }
        // Time is limited only in isolated processes: see IsolationTests.
        case .seconds: []
        case .pixels:
            ["portrait.heic", "portrait.jpg", "depth.dng", "depth.jxl", "pair_depth.png"].map {
                Case(1000, $0)
            }
        case .codedBytes:
            [Case(100, "portrait.heic"), Case(100, "depth.jxl"), Case(100, "portrait.jpg", plane: "photo")]
        case .metadataBytes:
            [
                Case(100, "portrait.heic"), Case(100, "leia-lif.jpg"), Case(20, "oppo.jpg"),
                Case(50, "samsung-dualshot.jpg"), Case(100, "portrait.jpg", plane: "photo"),
                Case(100, try tiff(folder)),
            ]
        case .xmpBytes: ["portrait.heic", "portrait.jpg", "gdepth-lens-blur.jpg"].map { Case(100, $0) }
        case .xmlDepth: [Case(2, "portrait.jpg")]
        case .xmlNodes: [Case(5, "portrait.heic")]
        case .base64Bytes: ["gdepth-lens-blur.jpg", "xdm.jpg", "gdepth-portrait.jpg"].map { Case(100, $0) }
        case .items: [Case(5, "portrait.heic"), Case(0, try archive(folder))]
        case .properties: [Case(3, "portrait.heic")]
        case .extents: [Case(0, "portrait.heic")]
        case .references: [Case(3, "portrait.heic")]
        case .nesting:
            [Case(0, "portrait.heic"), Case(0, "leia-lif.jpg"), Case(0, "portrait.heic", plane: "photo")]
        case .tiles: [Case(2, "portrait.heic", plane: "photo"), Case(0, "depth.dng")]
        case .segments:
            [
                Case(2, "portrait.jpg"), Case(1, "pair_depth.png"),
                Case(1, try units(folder), plane: "disparity"),
            ]
        case .scans: [Case(20, try scans(folder), plane: "photo")]
        case .images: ["portrait.jpg", "portrait.heic", "depth.jxl", "depth.dng"].map { Case(0, $0) }
        case .directoryEntries: ["portrait.jpg", "portrait.heic", "depth.dng"].map { Case(1, $0) }
        case .modelBytes, .tensorBytes:
            [Case(1000, "plain.jpg", plane: "disparity", model: try network(folder))]
        case .frames: [Case(2, try recording(folder))]
        case .trailerEntries:
            ["samsung-dualshot.jpg", "samsung.heic", "leia-lif.jpg", "oppo.jpg"].map { Case(0, $0) }
        }
    }

    /// A network of more than 1,000 bytes.
    private static func network(_ folder: TemporaryFolder) throws -> String {
        var file = OnnxFile.affineDisparity(a: 1, b: 0, c: 0)
        file.metadata("notes", String(repeating: "-", count: 1000))
        return try folder.write(file.bytes, to: "network.onnx")
    }

    @Test("Structures may not be nested deeper than the stack allows, whatever the limit")
    func deepest() throws {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let path = try folder.write(text: "{\"a\": \(deep)}", to: "camera.json")
        func run(_ limit: String) throws -> Tool.Run {
            try folder.run(
                "cloud {pair_depth.png} --scale 1 --camera \(path) -o c.ply --limit nesting=\(limit)",
                status: nil)
        }
        #expect(try run("256").status == 1)
        let tooDeep = try run("257")
        let message = "--limit nesting is '257'; it must be a whole number from 0 to 256"
        #expect(tooDeep.status == 64 && tooDeep.messages.contains(message))
    }

    @Test(
        "A limit error names the limit, its value, the requested value and the flag",
        arguments: DecodingLimits.Name.allCases
    )
    func message(name: DecodingLimits.Name) throws {
        for met in try Self.cases(of: name, folder) {
            let path = met.file.hasPrefix("/") ? met.file : TestImages.path(met.file)
            let output = TemporaryFolder()
            let work =
                met.plane.map { ["extract", "--plane", $0, "-o", output.path] }
                ?? ["info", "--json"]
            let model = met.model.map { ["--model", $0] } ?? []
            let run = try Tool.run(work + model + ["--limit", "\(name.rawValue)=\(met.value)", path])
            let words = "\(name.noun) exceed the limit of \(met.value)"
            let found = run.text + run.messages
            #expect(found.contains(words), "\(met.file): \(found)")
            #expect(found.contains("; raise it with --limit \(name.rawValue)=N"))
            let place = try #require(found.range(of: words)?.lowerBound)
            let asked = found[..<place].split(separator: " ").last.flatMap { text in
                Int(text.filter(\.isNumber))
            }
            #expect(try #require(asked) > met.value)
            if met.plane != nil { #expect(run.status == 1 && (met.plane == "all" || output.contents == [])) }
        }
    }

    @Test("info reports a limit error with its own code")
    func code() throws {
        let run = try Tool.run("info --json --limit items=5 {portrait.heic}", status: 1)
        #expect(try run.objects().first?.object("error").text("code") == "limit-exceeded")
    }

    @Test("Standard input is limited, since it is held in memory")
    func standardInput() throws {
        let input = Data(try TestImages.bytes("portrait.jpg"))
        try Tool.run(
            "info --limit input-bytes=1000 -", input: input, status: 1, says: "exceed the limit of 1000")
        try Tool.run("info --limit input-bytes=\(input.count) -", input: input)
    }

    @Test(
        "A limit without a name, a value or a meaning, and one that is given twice, are refused by name",
        arguments: [
            (["pixels"], "--limit is 'pixels'; it must be NAME=N, such as pixels=20000000"),
            (["pixel=1"], "there is no limit 'pixel'; 'isobath help limits' lists all"),
            (
                ["pixels=-1"],
                "--limit pixels is '-1'; it must be a whole number from 0 to 9223372036854775807"
            ),
            (["pixels=1e6"], "--limit pixels is '1e6'"), (["pixels="], "--limit pixels is ''"),
            (["pixels=1", "pixels=1"], "--limit pixels is given twice"),
        ])
    func refused(limits: [String], message: String) throws {
        try Tool.run("info x.heic \(limits.flatMap { ["--limit", $0] })", status: 64, says: message)
    }

    @Test(
        "Every subcommand accepts every limit",
        arguments: ["info", "extract", "composite", "blur", "cloud"])
    func flags(verb: String) throws {
        let flags = DecodingLimits.Name.allCases.flatMap { ["--limit", "\($0.rawValue)=\($0.defaultValue)"] }
        let work: [String] =
            switch verb {
            case "info": []
            case "composite": ["--background", "white", "-o", folder.file("p.png")]
            case "cloud": ["-o", folder.file("p.ply")]
            default: ["-o", folder.file("p.png")]
            }
        // The usage is valid, but the file does not exist.
        try folder.run("\(verb) missing.heic \(work) \(flags)", status: 1, says: "No such file")
    }
}

extension LimitTests {
    /// A progressive JPEG image of one gray block, coded in 1 + 24 scans: each has one bit.
    private static func scans(_ folder: TemporaryFolder) throws -> String {
        func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [0xFF, marker, 0, UInt8(payload.count + 2)] + payload
        }
        // A table with one code, 0: no difference for DC, end of block for AC (ITU-T T.81 §C).
        let table: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0]
        var bytes: [UInt8] = [0xFF, 0xD8]
        bytes += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        bytes += segment(0xC2, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
        bytes += segment(0xC4, [0x00] + table) + segment(0xC4, [0x10] + table)
        bytes += segment(0xDA, [1, 1, 0, 0, 0, 0]) + [0x7F]
        for coefficient in 1...24 {
            bytes += segment(0xDA, [1, 1, 0, UInt8(coefficient), UInt8(coefficient), 0]) + [0x7F]
        }
        return try folder.write(bytes + [0xFF, 0xD9], to: "scans.jpg")
    }

    /// A depth plane in two NAL units: its slice and an unused message.
    private static func units(_ folder: TemporaryFolder) throws -> String {
        var coded = try CodedPlane.hevc(.disparity)
        coded.nalUnits += [0, 0, 0, 4, 0x4E, 0x01, 0x05, 0x80]
        var file = DepthFile()
        file.plane = DepthFile.item(coded, [try file.planeType()])
        return try folder.write(try file.heic(), to: "units.heic")
    }

    private static func tiff(_ folder: TemporaryFolder) throws -> String {
        let path = folder.file("plane.tiff")
        try Tool.run("extract {portrait.jpg} -o \(path)")
        return path
    }

    /// A ZIP archive without members.
    private static func archive(_ folder: TemporaryFolder) throws -> String {
        let member = Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 26)
        let end = Array("PK\u{5}\u{6}".utf8) + [0, 0, 0, 0, 1, 0, 1, 0] + [UInt8](repeating: 0, count: 10)
        return try folder.write(member + end, to: "empty.npz")
    }

    /// A bag of ROS 1 with a topic, and a chunk of more than 1,000 bytes.
    private static func bag(_ folder: TemporaryFolder) throws -> String {
        let pixels = [UInt8](repeating: 1, count: 1000)
        let image = RecordedMessage.image(
            "/depth", "16UC1", PixelSize(width: 25, height: 20), pixels, time: 1)
        return try folder.write(BagWriter([image]).rosBag(.lz4), to: "a.bag")
    }

    /// A recording of three frames.
    private static func recording(_ folder: TemporaryFolder) throws -> String {
        let frame = #"{"file_path": "a.png"}"#
        return try folder.write(
            Array(#"{"frames": [\#(frame), \#(frame), \#(frame)]}"#.utf8), to: "transforms.json")
    }
}
