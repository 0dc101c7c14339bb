import Foundation
import TestSupport
import Testing

@Suite("Data sets on the command line")
struct DataSetTests {
    private func room() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        let room = TemporaryFolder()
        try RecordingTests.write(room)
        try FileManager.default.copyItem(atPath: room.path, toPath: folder.file("room"))
        return folder
    }

    private static let files = [
        "calibration.txt", "depth", "depth.txt", "depth/000000.png", "depth/000001.png", "depth/000002.png",
        "depth/000003.png", "groundtruth.txt",
    ]

    @Test("-o names the folder of a data set, which appears complete", arguments: [[], ["--isolate"]])
    func folder(more: [String]) throws {
        let folder = try room()
        try folder.run("convert room --to tum -o set/ \(more)", says: "4 frames, 0 with a picture → set/")
        let found = try FileManager.default.subpathsOfDirectory(atPath: folder.file("set")).sorted()
        #expect(found == Self.files)
        #expect(folder.contents.sorted() == ["room", "set"])
    }

    @Test("An existing folder stays, unless --force replaces a data set")
    func existing() throws {
        let folder = try room()
        func run(_ more: [String]) throws -> Tool.Run {
            try folder.run("convert room --to tum -o set \(more)", status: nil)
        }
        #expect(try run([]).status == 0)
        let again = try run([])
        #expect(again.status == 1 && again.messages.contains("--force"))
        #expect(try run(["--skip-existing"]).status == 0)
        #expect(try run(["--force", "--every", "2"]).status == 0)
        let depth = try FileManager.default.contentsOfDirectory(atPath: folder.file("set/depth")).sorted()
        #expect(depth == ["000000.png", "000002.png"])
        #expect(folder.contents.sorted() == ["room", "set"])
        try folder.write([1], to: "set/letter.txt")
        let refused = try run(["--force"])
        #expect(refused.status == 1 && refused.messages.contains("letter.txt"))
    }

    @Test("A data set never replaces its recording")
    func input() throws {
        let folder = try room()
        try folder.run("convert room --to tum -o set")
        for input in ["set", "set/depth/000000.png"] {
            try folder.run(
                "convert \(input) --scale 5000 --camera 40 --to tum -o set --force", status: 1,
                says: "would replace an input")
        }
    }

    @Test("Several recordings get folders named after them")
    func several() throws {
        let folder = try room()
        try FileManager.default.copyItem(atPath: folder.file("room"), toPath: folder.file("hall"))
        try folder.run("convert room hall --to tum -o sets/ --max-frames 1")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("sets")).sorted()
        #expect(names == ["hall-tum", "room-tum"])
        let depth = try FileManager.default.contentsOfDirectory(atPath: folder.file("sets/hall-tum/depth"))
        #expect(depth == ["000002.png"])
    }

    @Test("A photo is a data set of one frame, whose camera is the world")
    func photo() throws {
        let folder = TemporaryFolder()
        let run = try folder.run("convert {absolute-depth.heic} --to nerfstudio -o one --json")
        let record = try #require(try run.objects().first)
        #expect(record["frames"] as? Int == 1 && record["poses"] as? Int == 1)
        let object = try JSONSerialization.jsonObject(with: Data(try folder.bytes(of: "one/transforms.json")))
        let json = try #require(object as? [String: Any])
        let frame = try #require((json["frames"] as? [[String: Any]])?.first)
        let matrix = frame["transform_matrix"] as? [[Double]]
        #expect(matrix == [[1, 0, 0, 0], [0, -1, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1]])
        let picture = try RasterFile(folder.file("one/images/000000.jpg"))
        #expect(picture.width == json["w"] as? Int && picture.height == json["h"] as? Int)
        let depth = try RasterFile(folder.file("one/depths/000000.png"))
        #expect(depth.bitDepth == 16)
    }

    @Test(
        "What has no effect or cannot be is refused",
        arguments: [
            (["room", "--to", "tum", "-o", "-"], 64, "a data set is a folder"),
            (["room", "--to", "colmap", "--format", "png", "-o", "set"], 64, "--format has no effect"),
            (["room", "--to", "tum", "--max-frames", "0", "-o", "set"], 64, "1 or more"),
            (
                ["room", "--to", "gdepth", "--max-frames", "2", "-o", "a.jpg"], 64,
                "--max-frames has no effect"
            ),
            (["room", "room", "--to", "tum", "-o", "set"], 64, "-o DIR/"),
            (["room", "--to", "nerfstudio", "-o", "set"], 1, "--to tum holds depth alone"),
            (["room", "--to", "tum", "-o", "missing/set"], 1, "missing/set"),
        ] as [([String], Int, String)])
    func refusals(arguments: [String], status: Int, message: String) throws {
        let folder = try room()
        try folder.run("convert \(arguments)", status: status, says: message)
        #expect(folder.contents == ["room"])
    }
}
