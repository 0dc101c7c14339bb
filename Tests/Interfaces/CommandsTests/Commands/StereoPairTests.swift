import Isobath
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
            "extract", TestImages.path(name), "--plane", "all", "-o", folder.path,
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
            "extract", TestImages.path("leia-lif.jpg"), "--plane", "all", "-o", folder.path,
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
            text.contains(
                "disparity can be computed from the pair, in 1/m, relative: extract --depth-from stereo"))
        let json = try Tool.run(["info", "--json", path]).text.filter { !$0.isWhitespace }
        #expect(json.contains(#""computable":{"quantity":"disparity","accuracy":"relative"}"#))
        let lif = try Tool.run(["info", TestImages.path("leia-lif.jpg")]).text
        #expect(!lif.contains("can be computed"))
    }

    @Test("extract --depth-from stereo of a photo that is not a pair ends with status 3")
    func noPair() throws {
        let folder = try TemporaryFolder()
        let picture = TestImages.path("portrait.heic")
        let run = try Tool.run(["extract", picture, "--depth-from", "stereo", "-o", folder.file("d.png")])
        #expect(run.status == 3)
        #expect(run.messages == "isobath: \(picture): error: no stereo pair; the file is not a stereo pair\n")
        #expect(folder.contents == [])
    }

    @Test(
        "--from stereo computes disparity and confidence, and no other plane",
        arguments: ["matte", "all", "photo"])
    func otherPlanes(plane: String) throws {
        let picture = TestImages.path("stereo.mpo")
        let run = try Tool.run([
            "extract", picture, "--depth-from", "stereo", "--plane", plane, "-o", "/tmp",
        ])
        #expect(run.status == 64)
    }

    /// The right picture is made of the left one by the disparity plane of `portrait.heic`, moved by half pixels. Of a grid of points,
    /// half must agree within 5 %: at 0.24 1/m that is half a pixel of 9.4.
    @Test("Computed disparity of a spatial photo is in 1/m, upright, with a record and a camera")
    func metric() throws {
        let folder = try TemporaryFolder()
        let path = TestImages.path("spatial.heic")
        let run = try Tool.run([
            "extract", path, "--depth-from", "stereo", "--json", "-o", folder.file("computed.exr"),
        ])
        #expect(run.status == 0, "\(run.messages)")
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
        let folder = try TemporaryFolder()
        let path = TestImages.path("stereo-crosseyed.jps")
        let run = try Tool.run([
            "extract", path, "--depth-from", "stereo", "--plane", "confidence", "-o", folder.file("c.png"),
        ])
        #expect(run.status == 0)
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
        let folder = try TemporaryFolder()
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
                let run = try Tool.run(
                    [command[0], path] + command[1...].dropLast() + [folder.file(command.last ?? ""), "-f"])
                #expect(run.status == 0, "\(run.messages)")
                #expect(run.messages.contains(doubt) == isDoubted, "\(run.messages)")
            }
        }
    }

    @Test("--no-rectify leaves rows as they are, and is refused where nothing is matched")
    func noRectify() throws {
        let folder = try TemporaryFolder()
        let picture = TestImages.path("spatial.heic")
        let run = try Tool.run(["cloud", picture, "--no-rectify", "-o", folder.file("a.ply")])
        #expect(run.status == 0, "\(run.messages)")
        for (arguments, message) in [
            (["blur", TestImages.path("portrait.heic"), "--no-rectify"], "this is a photo"),
            (["cloud", picture, "--no-rectify", "--depth-from", "file"], "with --depth-from file"),
            (["extract", picture, "--no-rectify"], "without --depth-from stereo"),
            (["blur", TestImages.path("leia-lif.jpg"), "--no-rectify"], "is stored, and not computed"),
        ] {
            let run = try Tool.run(arguments + ["-o", folder.file("b.png")])
            #expect(run.status == 64 && run.messages.contains(message), "\(run.messages)")
        }
    }

    @Test("A scene of a pair without depth has what extract --depth-from stereo computes")
    func scene() throws {
        let folder = try TemporaryFolder()
        let path = TestImages.path("stereo.mpo")
        let written = try Tool.run(["extract", path, "--depth-from", "stereo", "-o", folder.file("d.exr")])
        #expect(written.status == 0, "\(written.messages)")
        let computed = try DepthScene(contentsOf: folder.file("d.exr")).disparity().reciprocalMeters
        let found = try DepthScene(contentsOf: path).disparity().reciprocalMeters
        #expect(zipEqual(computed, found).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN })
        for command in [["blur", "-o", "b.png"], ["composite", "-b", "white", "-o", "c.png"]] {
            let run = try Tool.run(
                [command[0], path] + command.dropFirst().dropLast() + [folder.file(command.last ?? "")])
            #expect(run.status == 0, "\(run.messages)")
            #expect((run.messages + run.text).contains("computed from the stereo pair"))
        }
    }

    /// Twice the baseline is twice as far, to the sample.
    @Test("A focal length and a baseline give a pair a unit, where what is farthest is at infinity")
    func given() throws {
        let folder = try TemporaryFolder()
        let path = TestImages.path("stereo-crosseyed.jps")
        let refused = try Tool.run(["cloud", path, "-o", folder.file("c.ply")])
        #expect(refused.status == 1)
        #expect(refused.messages.contains("or with --baseline, gives a stereo pair a unit"))
        func depth(_ baseline: String) throws -> [Float] {
            let run = try Tool.run([
                "extract", path, "--depth-from", "stereo", "--camera", "500", "--baseline", baseline, "--as",
                "depth", "-o",
                folder.file("d.exr"), "-f",
            ])
            #expect(run.status == 0, "\(run.messages)")
            #expect(run.messages.contains("what is farthest is taken to be at infinity"))
            return try DepthScene(contentsOf: folder.file("d.exr")).depth().meters
        }
        let (near, far) = (try depth("0.1"), try depth("0.2"))
        #expect(near.contains { $0.isFinite })
        for (one, two) in zipEqual(near, far) where one.isFinite { #expect(abs(two / one - 2) < 1e-5) }
        let cloud = try Tool.run([
            "cloud", path, "--camera", "500", "--baseline", "0.1", "-o", folder.file("c.ply"),
        ])
        #expect(cloud.status == 0, "\(cloud.messages)")
    }
}
