import Isobath
import TestSupport
import Testing

@Suite("Test images of vendor trailers and stereo pairs")
struct VendorImageTests {
    private let folder = TemporaryFolder()

    @Test(
        "Dark samples are near: the face has a larger disparity than the wall",
        arguments: TestImageTests.vendors.dropLast())
    func polarity(name: String) throws {
        let map = try DepthScene(storedIn: TestImages.path(name)).disparity()
        #expect([map.width, map.height] == [192, 144])
        #expect(map.scale.accuracy == .unknown)
        // Pixels of TestImages/README.md: face, wall, sky.
        let values = [(87, 54), (30, 60), (10, 10)].map { map.reciprocalMeters[$0.1 * 192 + $0.0] }
        #expect(values[0] > values[1] && values[1] > values[2])
    }

    @Test("The original is written in color", arguments: ["samsung-dualshot.jpg", "huawei-edof.jpg"])
    func original(name: String) throws {
        try folder.run("extract {\(name)} --plane original -o p.png")
        let written = try RasterFile(folder.file("p.png"), headerOnly: true)
        #expect([written.width, written.height, written.channels] == [480, 360, 3])
    }

    @Test("An unsupported compression is reported as an error, not as missing depth")
    func unsupported() throws {
        try folder.run("extract {oppo.jpg} -o p.png", status: 1, says: "Zstandard")
    }

    @Test(
        "Left and right eye are identified, with baseline and field of view", arguments: TestImageTests.pairs)
    func stereo(name: String) throws {
        let record = try #require(try Tool.run("info --json {\(name)}").objects().first)
        let expected = try TestImages.expected(name).object("stereo")
        let found = record.object("stereo")
        #expect(found.text("source") == expected.text("source"))
        for field in ["baseline", "horizontalFieldOfView"] {
            #expect((found.number(field) == nil) == (expected.number(field) == nil))
            // Focal lengths are stored in 30 bits.
            #expect(abs((found.number(field) ?? 0) - (expected.number(field) ?? 0)) < 1e-6)
        }
        let text = try Tool.run("info {\(name)}").text
        #expect(text.contains("left ") && text.contains("right "))
    }

    @Test(
        "Each eye's picture is written upright with its profile", arguments: TestImageTests.pairs,
        ["left", "right"])
    func views(name: String, eye: String) throws {
        try folder.run("extract {\(name)} --plane \(eye) -o p.png")
        let written = try RasterFile(folder.file("p.png"))
        #expect([written.width, written.height, written.channels] == [480, 360, 3])
        let views = try TestImages.expected(name).object("stereo").object("views")
        for probe in views.objects(eye) {
            let place = probe.numbers("upright").map { Int($0) }
            let differences = zipEqual(written.pixel(place[0], place[1]), probe.numbers("rgb")).map {
                abs($0 - $1)
            }
            #expect(
                (differences.max() ?? 999) <= views.number("tolerance") ?? 0,
                "\(name) \(eye) \(probe.text("name") ?? "") \(differences)")
        }
    }

    @Test("Only the extension .jps, in any case, makes a pair")
    func name() throws {
        for (name, isPair) in [("a.JPS", true), ("a.jpg", false)] {
            let path = try folder.write(TestImages.bytes("stereo-crosseyed.jps"), to: name)
            let record = try #require(try Tool.run("info --json \(path)").objects().first)
            #expect(record.isNull("stereo") != isPair)
        }
    }

    @Test(
        "Extracting an eye of a photo that is not a pair ends with status 3",
        arguments: ["plain.jpg", "plain.heic"])
    func noPair(name: String) throws {
        try folder.run(
            "extract {\(name)} --plane left -o p.png", status: 3,
            says: "no left picture; the file is not a stereo pair")
        #expect(folder.contents == [])
    }
}
