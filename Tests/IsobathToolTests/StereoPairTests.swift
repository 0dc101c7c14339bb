import TestSupport
import Testing

@Suite("Stereo pairs")
struct StereoPairTests {
    @Test(
        "extract --plane all writes both eyes of a pair without planes",
        arguments: ["stereo.mpo", "stereo-crosseyed.jps", "stereo-marked.jpg", "spatial.heic"])
    func bothEyes(name: String) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run([
            "extract", TestImages.path(name), "--plane", "all", "--output-directory", folder.path,
        ])
        #expect(run.status == 0, "\(run.messages)")
        let stem = String(name.prefix { $0 != "." })
        #expect(folder.contents == ["\(stem)-left.png", "\(stem)-right.png"])
        for eye in ["left", "right"] {
            _ = try Tool.run([
                "extract", TestImages.path(name), "--plane", eye, "-o", folder.file("\(eye).png"),
            ])
            #expect(try folder.bytes(of: "\(stem)-\(eye).png") == folder.bytes(of: "\(eye).png"))
        }
    }

    @Test("extract --plane all writes the planes of a pair, too")
    func planesAndEyes() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run([
            "extract", TestImages.path("leia-lif.jpg"), "--plane", "all", "--output-directory", folder.path,
        ])
        #expect(run.status == 0)
        #expect(
            folder.contents.contains("leia-lif-left.png") && folder.contents.contains("leia-lif-right.png"))
        #expect(folder.contents.contains("leia-lif-disparity.png"))
    }

    @Test("info says that disparity can be computed where there is none, and of what accuracy")
    func info() throws {
        let path = TestImages.path("spatial.heic")
        let text = try Tool.run(["info", path]).text
        #expect(
            text.contains("disparity can be computed from the pair, in 1/m, inexact: extract --from stereo"))
        let json = try Tool.run(["info", "--json", path]).text
        #expect(
            json.contains(#""computable":{"quantity":"disparity","accuracy":"relative"}"#)
                || json.contains("computable"))
        let lif = try Tool.run(["info", TestImages.path("leia-lif.jpg")]).text
        #expect(!lif.contains("can be computed"))
    }

    @Test("extract --from stereo of a photo that is not a pair ends with status 3")
    func noPair() throws {
        let folder = try TemporaryFolder()
        let picture = TestImages.path("portrait.heic")
        let run = try Tool.run(["extract", picture, "--from", "stereo", "-o", folder.file("d.png")])
        #expect(run.status == 3)
        #expect(run.messages == "isobath: \(picture): no stereo pair; the file is not a stereo pair\n")
        #expect(folder.contents == [])
    }

    @Test(
        "--from stereo computes disparity and confidence, and no other plane",
        arguments: ["matte", "all", "photo"])
    func otherPlanes(plane: String) throws {
        let picture = TestImages.path("stereo.mpo")
        let run = try Tool.run([
            "extract", picture, "--from", "stereo", "--plane", plane, "--output-directory", "/tmp",
        ])
        #expect(run.status == 64)
    }
}
