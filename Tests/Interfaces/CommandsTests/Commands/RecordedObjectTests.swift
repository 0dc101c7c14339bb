import Foundation
import TestSupport
import Testing

/// Objects that a network finds in the frames of a recording. The network returns the square of the first frame for
/// every picture.
@Suite("Objects in recordings", .needsNetworks)
struct RecordedObjectTests {
    let folder: TemporaryFolder

    init() throws {
        folder = TemporaryFolder()
        try SquareScene.write(into: folder)
        // 160 × 120 is 64 × 48 below 8 rows in the network's input: the square from 30 to 90 is at 12…36 and 20…44.
        try folder.write(
            OnnxFile.constantAnswers(
                profile: #"{"like": "yolo-end-to-end", "labels": ["wall", "square"]}"#,
                [
                    (
                        "output0",
                        [12, 20, 36, 44, 0.9, 1, 40, 10, 60, 30, 0.95, 0] + [Float](repeating: 0, count: 6),
                        [1, 3, 6]
                    )
                ]
            ).bytes, to: "boxes.onnx")
    }

    private static let detect = [
        "detect", "rec", "--scale", "1000", "--model", "boxes.onnx",
    ]

    @Test(
        "Each frame of a recording is a line, with its time and the distance of what is in it",
        arguments: [[], ["--isolate"]])
    func lines(flags: [String]) throws {
        let run = try folder.run("\(Self.detect) --json --every 3 \(flags)")
        let lines = try run.objects()
        #expect(lines.count == 5)
        #expect(
            lines.map { $0.text("schema") } == Array(repeating: "isobath.detect.frame/1", count: 4) + [
                "isobath.detect/1"
            ])
        #expect(lines.prefix(4).map { $0.integer("frame") } == [0, 3, 6, 9])
        #expect(abs((lines[1].number("time") ?? 0) - 0.1) < 1e-5)
        #expect(lines[4].integer("frames") == 4)
        let found = try #require(lines[0].objects("detections").last)
        #expect(found.text("label") == "square")
        #expect(found["box"] as? [String: Int] == ["x": 30, "y": 30, "width": 60, "height": 60])
        #expect(found.number("distance") == 2)
        let text = try folder.run("\(Self.detect) --end 0.05")
        #expect(text.text.split(separator: "\n").count == 4)
        #expect(text.text.contains("rec: 0.033333 s: square 0.9, 60 × 60 px at 30,30, 2 m away"))
    }

    @Test("Boxes are drawn into numbered frames, which are not replaced unasked; a picture is refused")
    func drawing() throws {
        let arguments = Self.detect + ["--end", "0.05", "-o", "boxes/f-%02d.png"]
        try folder.run("\(arguments)")
        let drawn = try RasterFile(folder.file("boxes/f-00.png"))
        #expect(drawn.pixel(30, 60) == [0, 0, 0] && drawn.pixel(31, 60) == [255, 221, 0])
        try folder.run("\(arguments)", status: 1)
        try folder.run("\(arguments) --force")
        try folder.run("\(Self.detect) -o a.jpg", status: 1, says: "this is a recording")
    }

    /// The scene's pictures as a y4m stream.
    private func stream() throws -> Data {
        let flags = SquareScene.flags + ["--plane", "photo", "-o", "-"]
        return try folder.run("extract scene.raw \(flags)").output
    }

    private static let network = ["--model", "boxes.onnx", "--json"]

    @Test(
        "Frames of a stream are searched as they come: y4m, or samples without a header and their depth",
        arguments: [[], ["--isolate"]])
    func pipes(flags: [String]) throws {
        let arguments = Self.network + flags
        let run = try folder.run("detect - \(arguments)", input: stream())
        let lines = try run.objects()
        #expect(lines.count == 13 && lines[12].integer("frames") == 12)
        let found = try #require(lines[11].objects("detections").last)
        #expect(found.text("label") == "square" && found.number("distance") == nil)
        let raw = try folder.run("detect - \(arguments) \(SquareScene.flags)", input: SquareScene.interleaved)
        let last = try #require(raw.objects().dropLast().last)
        #expect(last.integer("frame") == 11)
        #expect(try #require(last.objects("detections").last).number("distance") == 2)
    }

    @Test("A y4m file is a stream, and a photo from standard input still a photo")
    func files() throws {
        try folder.write(stream(), to: "scene.y4m")
        let run = try folder.run("detect scene.y4m \(Self.network)")
        #expect(try run.objects().count == 13, "\(run.messages)")
        let picture = try folder.bytes(of: "rec/color/000001.png")
        let photo = try folder.run("detect - \(Self.network)", input: Data(picture))
        #expect(try photo.objects().map { $0.text("schema") } == ["isobath.detect/1"])
        try folder.run("detect - \(Self.network)", input: Data("YUV4".utf8), status: 1)
    }

    @Test("An object is followed from where a network finds it first", arguments: [[], ["--isolate"]])
    func follow(flags: [String]) throws {
        try folder.run("follow rec --scale 1000 --model boxes.onnx --class Square -o t.csv \(flags)")
        let lines = try folder.text(of: "t.csv").split(separator: "\n")
        #expect(lines.count == 13)
        let first = lines[1].split(separator: ",", omittingEmptySubsequences: false)
        #expect(first[2..<6].elementsEqual(["30.0", "30.0", "60.0", "60.0"]))
        let last = try #require(lines.last).split(separator: ",", omittingEmptySubsequences: false)
        #expect(abs((Double(last[2]) ?? 0) - Double(SquareScene.left(11))) < 3)
        #expect(last[6] == "2.0" && last[9] == "found")
    }

    @Test(
        "What cannot be searched for is one error, and leaves nothing",
        arguments: [
            (["--class", "dog"], "knows no class 'dog'"),
            (["--min-score", "0.99"], "finds nothing in any frame"),
            (["--class", "7"], "finds no '7'"),
        ])
    func refusals(flags: [String], message: String) throws {
        try folder.run("follow rec --model boxes.onnx -o t.csv \(flags)", status: 1, says: message)
        #expect(!folder.contents.contains("t.csv"))
    }
}
