import Foundation
import TestSupport
import Testing

/// The tool with networks that the tests write.
@Suite("Networks on the command line", .needsNetworks)
struct NetworkTests {
    let folder: TemporaryFolder
    private let photo = TestImages.path("portrait.heic")
    private let plain = TestImages.path("plain.jpg")

    init() throws {
        folder = TemporaryFolder()
        try folder.write(OnnxFile.affineDisparity(a: 2, b: 0.001, c: 0.5).bytes, to: "depth.onnx")
        var matte = OnnxFile()
        matte.input("x", [1, 3, 32, 32])
        matte.node("ReduceMean", ["x"], ["y"], ["axes": .integers([1])])
        matte.output("y", [1, 1, 32, 32])
        matte.metadata("isobath.profile", #"{"meaning": "matte", "size": 32}"#)
        try folder.write(matte.bytes, to: "matte.onnx")
        try folder.write(
            OnnxFile.constantAnswers(
                profile: "yolo-end-to-end",
                [("output0", [16, 24, 48, 40, 0.9, 1, 4, 40, 15, 51, 0.8, 0, 0, 0, 0, 0, 0, 0], [1, 3, 6])]
            ).bytes, to: "boxes.onnx")
    }

    private func path(_ name: String) -> String { folder.file(name) }

    @Test("Affine disparity is written without a unit, and depth of it is refused with advice")
    func affine() throws {
        try Tool.run(
            "extract \(plain) --model \(path("depth.onnx")) -o \(path("d.png"))", says: "affine",
            "its scale and shift are unknown")
        let record = try #require(try RasterFile(path("d.png")).record)
        #expect(record["accuracy"] as? String == "affine")
        #expect(record["unit"] is NSNull)
        try Tool.run(
            "cloud \(plain) -o \(path("refused.ply")) --model \(path("depth.onnx"))", status: 1,
            says: "--anchor twice or --align")
        #expect(!folder.contents.contains("refused.ply"))
    }

    /// A network that reports the lower edge as near for every picture.
    private func slope(_ name: String) throws -> String {
        try folder.write(OnnxFile.affineDisparity(a: 0, b: 0.01, c: 0.5).bytes, to: name)
        return path(name)
    }

    @Test("Two anchors, in shares or pixels, make a cloud", arguments: [[], ["--isolate"]])
    func anchors(isolation: [String]) throws {
        let network = try slope("slope.onnx")
        for anchors in [["0.5,0.95=1.5", "0.5,0.02=9"], ["480px,684px=1.5", "480px,14px=9"]] {
            try Tool.run(
                """
                cloud \(photo) --model \(network) -o \(path("cloud.ply")) --force \(isolation)
                \(anchors.flatMap { ["--anchor", $0] })
                """, says: "aligned to 2 anchors")
        }
        try Tool.run(
            """
            cloud \(photo) --model \(network) --anchor 0.5,0.95=9 --anchor 0.5,0.02=1.5 -o \(path("r.ply"))
            """, status: 1, says: "behind the farther one")
        try Tool.run(
            "extract \(photo) --model \(network) --anchor 0.5,0.95=1.5 -o \(path("e.exr")) \(isolation)",
            status: 1, says: "takes two anchors of different distance")
        #expect(!FileManager.default.fileExists(atPath: path("e.exr")))
    }

    @Test("A network that takes too long is stopped, isolated or not", arguments: [[], ["--isolate"]])
    func tooSlow(isolation: [String]) throws {
        // 3,000 products of 1024 × 1024: minutes.
        var file = OnnxFile()
        file.input("x", [1, 3, 32, 32])
        file.node("ReduceMean", ["x"], ["p"], ["axes": .integers([1])])
        file.node("ReduceMean", ["p"], ["one"], ["axes": .integers([2, 3])])
        file.constant("shape", integers: [1, 1, 1024, 1024], shape: [4])
        file.constant("small", [1.0 / 1024], shape: [1])
        file.node("Mul", ["one", "small"], ["scaled"])
        file.node("Expand", ["scaled", "shape"], ["y0"])
        for step in 0..<3000 { file.node("MatMul", ["y\(step)", "y0"], ["y\(step + 1)"]) }
        file.node("ReduceMean", ["y3000"], ["mean"])
        file.node("Add", ["p", "mean"], ["out"])
        file.output("out", [1, 1, 32, 32])
        try folder.write(file.bytes, to: "slow.onnx")
        let start = ContinuousClock.now
        let run = try Tool.run(
            """
            extract \(plain) --plane matte --model \(path("slow.onnx")) --model-profile selfie --limit
            seconds=2 -o \(path("s.png")) \(isolation)
            """, status: 1, says: "more than 2 s", "--limit seconds=N allows more")
        #expect(start.duration(to: .now) < .seconds(60), "\(run.messages)")
        #expect(!FileManager.default.fileExists(atPath: path("s.png")))
    }

    @Test(
        "Depth is aligned to the stored plane unless --no-align says otherwise, and to another file with --align"
    )
    func stored() throws {
        try Data(OnnxFile.affineDisparity(a: -1, b: 0.002, c: 2).bytes).write(
            to: URL(filePath: path("other.onnx")))
        let run = try Tool.run([
            "extract", photo, "--model", path("other.onnx"), "--json", "-o", path("a.tiff"),
        ])
        // Dark and low is near in this network's answer, as the figure and the floor are in the scene.
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.messages.contains("aligned to the stored depth: the median residual is"))
        #expect(run.text.contains(#""accuracy": "relative""#))
        // High is near: the backdrop of 20 m before the floor.
        try folder.write(OnnxFile.affineDisparity(a: 0, b: -0.01, c: 20).bytes, to: "reversed.onnx")
        try Tool.run(
            "extract \(photo) --model \(path("reversed.onnx")) -o \(path("r.tiff"))", status: 1,
            says: "it is far where the known distances are near")
        try Tool.run(
            "extract \(photo) --model \(path("other.onnx")) --no-align -o \(path("b.tiff")) --force",
            says: "affine")
        try Tool.run(
            """
            extract \(photo) --model \(path("other.onnx")) --align \(path("none.tiff")) -o \(path("c.tiff"))
            """, status: 1, says: "none.tiff: error: cannot be read")
    }

    @Test("A network's matte replaces the stored one, isolated or not, and composite says so")
    func matte() throws {
        for isolation in [[], ["--isolate"]] {
            try Tool.run(
                """
                extract \(photo) --plane matte --model \(path("matte.onnx")) -o \(path("m.png")) --force
                \(isolation)
                """, says: "in place of the stored one")
            // 32 × 32 in the shape of 960 × 720.
            let raster = try RasterFile(path("m.png"))
            #expect(raster.width == 43 && raster.height == 32)
            try Tool.run(
                """
                composite \(photo) --background white --model \(path("matte.onnx")) -o \(path("c.jpg"))
                --force \(isolation)
                """, says: "the matte is computed by a network")
        }
        try Tool.run(
            "extract \(photo) --plane matte --upsample --model \(path("matte.onnx")) -o \(path("u.png"))")
        #expect(try RasterFile(path("u.png")).width == 960)
        try Tool.run(
            "extract \(photo) --plane disparity --model \(path("matte.onnx")) -o \(path("w.png"))", status: 1,
            says: "gives a matte and nothing else")
    }

    @Test("detect says what, where, how far and how large, and draws it")
    func detect() throws {
        try folder.write(
            Array(#"{"like": "yolo-end-to-end", "labels": ["cat", "dog"]}"#.utf8), to: "profile.json")
        let run = try Tool.run(
            """
            detect \(photo) --model \(path("boxes.onnx")) --model-profile \(path("profile.json")) --json -o
            \(path("boxes.png"))
            """)
        let object = try #require(try run.objects().first)
        #expect(object["schema"] as? String == "isobath.detect/1")
        let detections = try #require(object["detections"] as? [[String: Any]])
        #expect(detections.count == 2)
        let found = try #require(detections.first)
        #expect(found["label"] as? String == "dog")
        // The letterbox of 64 has 960 × 720 as 64 × 48 below 8 rows: x 16…48 and y 24…40 are 240…720 and 240…480.
        #expect(found["box"] as? [String: Int] == ["x": 240, "y": 240, "width": 480, "height": 240])
        #expect(found["accuracy"] as? String == "relative")
        // The figure is a card at 1.5 m with a bulge of up to 0.09 m (TestImages/README.md).
        #expect((1.41...1.5).contains(found["distance"] as? Double ?? 0))
        // x 60…225 and y 480…645 show nothing but the front of the box at 2.8 m: code 119 of 0…255 between 0.049988 and
        // 0.708984 1/m. Its side is 165 pixels, and the focal length 1200.
        let front = try #require(detections.last)
        #expect(front["label"] as? String == "cat")
        #expect(front["box"] as? [String: Int] == ["x": 60, "y": 480, "width": 165, "height": 165])
        let distance = 1 / (0.049988 + 119 * (0.708984 - 0.049988) / 255)
        #expect(abs((front["distance"] as? Double ?? 0) - distance) < 1e-5)
        let size = try #require(front["size"] as? [String: Double])
        for side in ["width", "height"] { #expect(abs((size[side] ?? 0) - 165 / 1200 * distance) < 1e-5) }
        let drawn = try RasterFile(path("boxes.png"))
        #expect(drawn.pixel(240, 300) == [0, 0, 0] && drawn.pixel(243, 300) == [255, 221, 0])
        let none = try Tool.run(
            "detect \(plain) --model \(path("boxes.onnx")) --min-score 0.95", says: "nothing found")
        #expect(none.text.isEmpty, "\(none.messages)")
    }

    @Test("The library is looked for where it is said to be, and an error says what helps")
    func runtime() throws {
        let run = try Tool.shell(
            #"ISOBATH_ONNXRUNTIME=/nonexistent.so "$0" "$@""#,
            ["extract", plain, "--model", path("depth.onnx"), "-o", path("n.png")])
        #expect(run.status == 1)
        #expect(run.messages.contains("ONNX Runtime cannot be loaded: /nonexistent.so"))
        #expect(run.messages.contains("Tools/install --models"))
    }

    @Test("A network that needs too much memory fails in its isolated process")
    func memory() throws {
        var file = OnnxFile()
        file.input("x", [1, 3, 32, 32])
        file.constant("shape", integers: [1, 1, 32768, 32768], shape: [4])
        file.node("ConstantOfShape", ["shape"], ["huge"])
        file.node("ReduceMean", ["huge"], ["mean"])
        file.node("ReduceMean", ["x"], ["plane"], ["axes": .integers([1])])
        file.node("Add", ["plane", "mean"], ["y"])
        file.output("y", [1, 1, 32, 32])
        try folder.write(file.bytes, to: "huge.onnx")
        let run = try Tool.run(
            """
            extract \(plain) --plane matte --model \(path("huge.onnx")) --model-profile selfie --isolate
            --limit memory-bytes=2000000000 -o \(path("h.png"))
            """, status: 1)
        #expect(run.messages.split(separator: "\n").count == 1, "\(run.messages)")
        #expect(!FileManager.default.fileExists(atPath: path("h.png")))
    }

    @Test("Nothing is read or written outside, and no socket is opened", .needsFaults)
    func telemetry() throws {
        let log = path("trace.txt")
        let home = path("home")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let run = try Tool.shell(
            "HOME=\"$1\" \(SystemTools.strace) -f -qq -e trace=network,openat,creat,mkdir,unlink -o \"$2\" \"$0\" extract "
                + "\"$3\" --model \"$4\" -o \"$5\"",
            [home, log, plain, path("depth.onnx"), path("t.png")])
        #expect(run.status == 0, "\(run.messages)")
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(!lines.contains { $0.contains("socket(") || $0.contains("connect(") })
        let written = lines.filter {
            $0.contains("O_CREAT") || $0.contains("O_WRONLY") || $0.contains("mkdir(")
        }
        #expect(
            written.allSatisfy {
                $0.contains("t.png") || $0.contains(folder.path) || $0.contains("O_TMPFILE")
            })
        #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
    }

    @Test("model shows what a network takes and gives, in lines and in JSON")
    func model() throws {
        let run = try Tool.run("info \(path("depth.onnx"))")
        #expect(run.text.contains("  input    pixel_values: float32 1 × 3 × height × width\n"))
        #expect(
            run.text.contains(
                "  profile  depth-anything, from its metadata: disparity, no unit, affine: scale and shift are unknown\n"
            )
        )
        let object = try #require(try Tool.run("info --json \(path("depth.onnx"))").objects().first)
        #expect(object["schema"] as? String == "isobath.model/1")
        #expect(object["meaning"] as? String == "affine-disparity")
        let folder = TemporaryFolder()
        try Tool.run(
            "info \(try folder.write(TestImages.bytes("plain.jpg"), to: "x.onnx"))", status: 1,
            says: "this is not an ONNX file")
    }
}
