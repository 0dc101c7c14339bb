import Isobath
import TestSupport
import Testing

@Suite("Stereo pairs")
struct StereoPairTests {
    private let folder = TemporaryFolder()

    @Test(
        "extract --plane all writes both eyes of a pair without planes",
        arguments: ["stereo.mpo", "stereo-crosseyed.jps", "stereo-marked.jpg", "spatial.heic"])
    func bothEyes(name: String) throws {
        try Tool.run("extract {\(name)} --plane all -o \(folder.path)")
        let stem = String(name.prefix { $0 != "." })
        #expect(folder.contents == ["\(stem)-left.png", "\(stem)-right.png"])
        for eye in ["left", "right"] {
            try folder.run("extract {\(name)} --plane \(eye) -o \(eye).png")
            #expect(try folder.bytes(of: "\(stem)-\(eye).png") == folder.bytes(of: "\(eye).png"))
        }
    }

    @Test("extract --plane all writes the planes of a pair, too")
    func planesAndEyes() throws {
        try Tool.run("extract {leia-lif.jpg} --plane all -o \(folder.path)")
        #expect(
            folder.contents.contains("leia-lif-left.png") && folder.contents.contains("leia-lif-right.png"))
        #expect(folder.contents.contains("leia-lif-disparity.png"))
    }

    @Test("info says that disparity can be computed where there is none, and of what accuracy")
    func info() throws {
        let path = TestImages.path("spatial.heic")
        let text = try Tool.run("info \(path)").text
        #expect(
            text.contains(
                "disparity can be computed from the pair, in 1/m, relative: extract --depth-from stereo"))
        let json = try Tool.run("info --json \(path)").text.filter { !$0.isWhitespace }
        #expect(json.contains(#""computable":{"quantity":"disparity","accuracy":"relative"}"#))
        let lif = try Tool.run("info {leia-lif.jpg}").text
        #expect(!lif.contains("can be computed"))
    }

    @Test("extract --depth-from stereo of a photo that is not a pair ends with status 3")
    func noPair() throws {
        let picture = TestImages.path("portrait.heic")
        let run = try folder.run("extract \(picture) --depth-from stereo -o d.png", status: 3)
        #expect(run.messages == "isobath: \(picture): error: no stereo pair; the file is not a stereo pair\n")
        #expect(folder.contents == [])
    }

    /// The right picture is made of the left one by the disparity plane of `portrait.heic`, moved by half pixels. Of a grid of points,
    /// half must agree within 5 %: at 0.24 1/m that is half a pixel of 9.4.
    @Test("Computed disparity of a spatial photo is in 1/m, upright, with a record and a camera")
    func metric() throws {
        let path = TestImages.path("spatial.heic")
        let run = try folder.run("extract \(path) --depth-from stereo --json -o computed.exr")
        #expect((run.messages + run.text).contains("computed from the stereo pair"))
        #expect(run.text.contains("\"stereo-pair\"") && run.text.contains("\"relative\""))
        let computed = try DepthScene(contentsOf: folder.file("computed.exr")).disparity()
        let stored = try DepthScene(contentsOf: TestImages.path("portrait.heic")).disparity()
        #expect([computed.width, computed.height] == [480, 360])
        #expect(computed.scale == .relative)
        var errors: [Float] = []
        for y in stride(from: 15, to: 360, by: 30) {
            for x in stride(from: 15, to: 480, by: 30) {
                let value = computed.reciprocalMeters[y * 480 + x]
                guard value == value else { continue }
                let truth = stored.reciprocalMeters[
                    y * stored.height / 360 * stored.width + x * stored.width / 480]
                if truth > 0.2 { errors.append(abs(value / truth - 1)) }
            }
        }
        #expect(errors.count > 60)
        #expect(errors.sorted()[errors.count / 2] <= 0.05)
    }

    @Test("Without a baseline, computed disparity has no unit, and there is no depth")
    func affine() throws {
        let path = TestImages.path("stereo-crosseyed.jps")
        try folder.run("extract \(path) --depth-from stereo --plane confidence -o c.png")
        #expect(try RasterFile(folder.file("c.png")).bitDepth == 8)
        let depth = try Tool.run([
            "extract", path, "--depth-from", "stereo", "--as", "depth", "-o", folder.file("d.exr"),
        ])
        #expect(depth.status != 0)
        #expect(depth.messages.contains("scale and shift of this depth map are unknown"))
        #expect(folder.contents == ["c.png"])
    }

    @Test("A pair whose eyes are exchanged in the file is doubted with every verb, and the right one is not")
    func exchangedEyes() throws {
        var bytes = try TestImages.bytes("stereo-marked.jpg")
        let pattern = Array("_JPSJPS_".utf8)
        let mark = try #require(bytes.indices.first { bytes[$0...].starts(with: pattern) })
        // Bit 2 of the second byte of the descriptor: the left picture is first.
        try #require(bytes[mark + 11] == 4)
        bytes[mark + 11] = 0
        let exchanged = try folder.write(bytes, to: "exchanged.jpg")
        let doubt =
            "the top of the picture comes out nearer than its bottom, so the file may have the left eye"
        for (path, isDoubted) in [(exchanged, true), (TestImages.path("stereo-marked.jpg"), false)] {
            for command in [["extract", "--depth-from", "stereo", "-o", "d.exr"], ["blur", "-o", "b.png"]] {
                let run = try folder.run(
                    """
                    \(command[0]) \(path) \(command[1...].dropLast()) \(folder.file(command.last ?? "")) -f
                    """)
                #expect(run.messages.contains(doubt) == isDoubted, "\(run.messages)")
            }
        }
    }

    @Test("--no-rectify leaves rows as they are, and is refused where nothing is matched")
    func noRectify() throws {
        let picture = TestImages.path("spatial.heic")
        try folder.run("cloud \(picture) --no-rectify -o a.ply")
        for (arguments, message) in [
            (["blur", TestImages.path("portrait.heic"), "--no-rectify"], "this is a photo"),
            (["cloud", picture, "--no-rectify", "--depth-from", "file"], "with --depth-from file"),
            (["extract", picture, "--no-rectify"], "without --depth-from stereo"),
            (["blur", TestImages.path("leia-lif.jpg"), "--no-rectify"], "is stored, and not computed"),
        ] {
            try folder.run("\(arguments) -o b.png", status: 64, says: message)
        }
    }

    /// Twice the baseline is twice as far, to the sample.
    @Test("A focal length and a baseline give a pair a unit, where what is farthest is at infinity")
    func given() throws {
        let path = TestImages.path("stereo-crosseyed.jps")
        try folder.run(
            "cloud \(path) -o c.ply", status: 1, says: "or with --baseline, gives a stereo pair a unit")
        func depth(_ baseline: String) throws -> [Float] {
            try folder.run(
                """
                extract \(path) --depth-from stereo --camera 500 --baseline \(baseline) --as depth -o d.exr
                -f
                """, says: "what is farthest is taken to be at infinity")
            return try DepthScene(contentsOf: folder.file("d.exr")).depth().meters
        }
        let (near, far) = (try depth("0.1"), try depth("0.2"))
        #expect(near.contains { $0.isFinite })
        for (one, two) in zipEqual(near, far) where one.isFinite { #expect(abs(two / one - 2) < 1e-5) }
        try folder.run("cloud \(path) --camera 500 --baseline 0.1 -o c.ply")
    }
}
