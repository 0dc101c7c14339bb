import Isobath
import TestSupport
import Testing

@Suite("Test images of vendor trailers and stereo pairs")
struct VendorImageTests {
    private static let vendors = [
        "samsung-dualshot.jpg", "samsung-singleshot.jpg", "samsung.heic", "huawei-edof.jpg",
        "xiaomi-pmpd.jpg",
        "vivo.jpg", "oppo.jpg",
    ]
    private static let pairs = [
        "stereo.mpo", "stereo-marked.jpg", "stereo-crosseyed.jps", "leia-lif.jpg", "spatial.heic",
        "spatial-uuid.heic",
    ]

    @Test("info of a vendor's photo or a stereo pair equals expected.json", arguments: vendors + pairs)
    func info(name: String) throws {
        let record = try #require(try Tool.run(["info", "--json", TestImages.path(name)]).objects().first)
        let expected = try TestImages.expected(name)
        for field in ["width", "height", "orientation"] {
            #expect(record.number(field) == expected.number(field))
        }
        #expect(record.text("container") == expected.text("container"))
        let planes = (record.objects("planes"), expected.objects("planes"))
        #expect(planes.0.count == planes.1.count)
        for (found, plane) in zipEqual(planes.0, planes.1) {
            for field in ["kind", "source", "type", "accuracy"] {
                #expect(found.text(field) == plane.text(field))
            }
            for field in ["width", "height", "bitDepth"] {
                #expect(found.number(field) == plane.number(field))
            }
            for field in ["minimum", "maximum", "unit"] { #expect(found.isNull(field)) }
            #expect(found["experimental"] as? Bool == plane["experimental"] as? Bool)
        }
        #expect(record.objects("trailers").map { $0.text("type") ?? "" } == expected.texts("trailers"))
        #expect(record.texts("warnings").count == (name == "oppo.jpg" ? 1 : 0))
    }

    @Test(
        "Every plane of a vendor's photo has its samples, stored and upright",
        arguments: vendors + ["leia-lif.jpg"])
    func codes(name: String) throws {
        let photo = try DepthPhoto(contentsOf: TestImages.path(name))
        for (plane, expected) in zipEqual(photo.planes, try TestImages.expected(name).objects("planes")) {
            for (frame, field) in [(PixelOrientation.stored, "stored"), (.upright, "upright")] {
                let codes = try photo.codes(of: plane, frame: frame)
                guard case .uint8(let samples) = codes.codes else {
                    Issue.record("8 bits are expected")
                    continue
                }
                for pixel in expected.objects("pixels") {
                    let place = pixel.numbers(field).map { Int($0) }
                    let difference = abs(
                        Int(samples[place[1] * codes.width + place[0]]) - (pixel.integer("code") ?? 999))
                    #expect(difference <= pixel.integer("tolerance") ?? 0, "\(name) \(place)")
                }
            }
        }
    }

    @Test(
        "Dark samples are near: the face has a larger disparity than the wall", arguments: vendors.dropLast())
    func polarity(name: String) throws {
        let map = try DepthScene(storedIn: TestImages.path(name)).disparity()
        #expect([map.width, map.height] == [192, 144])
        #expect(map.scale.accuracy == .unknown)
        // Pixels of TestImages/README.md: face, wall, sky.
        let values = [(87, 54), (30, 60), (10, 10)].map { map.reciprocalMeters[$0.1 * 192 + $0.0] }
        #expect(values[0] > values[1] && values[1] > values[2])
    }

    @Test("extract writes 257 times an 8-bit sample", arguments: ["samsung-dualshot.jpg", "huawei-edof.jpg"])
    func extract(name: String) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(["extract", TestImages.path(name), "-o", folder.file("p.png")])
        #expect(run.status == 0)
        let written = try RasterFile(folder.file("p.png"))
        let plane = try #require(
            try TestImages.expected(name).objects("planes").first { $0.text("kind") == "disparity" })
        for pixel in plane.objects("pixels") {
            let place = pixel.numbers("upright").map { Int($0) }
            #expect(written[place[0], place[1]] == (pixel.number("code") ?? -1) * 257)
        }
    }

    @Test("The original is written in color", arguments: ["samsung-dualshot.jpg", "huawei-edof.jpg"])
    func original(name: String) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run([
            "extract", TestImages.path(name), "--plane", "original", "-o", folder.file("p.png"),
        ])
        #expect(run.status == 0)
        let written = try RasterFile(folder.file("p.png"), headerOnly: true)
        #expect([written.width, written.height, written.channels] == [480, 360, 3])
    }

    @Test("An unsupported compression is reported as an error, not as missing depth")
    func unsupported() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(["extract", TestImages.path("oppo.jpg"), "-o", folder.file("p.png")])
        #expect(run.status == 1)
        #expect(run.messages.contains("Zstandard"))
    }

    @Test("Left and right eye are identified, with baseline and field of view", arguments: pairs)
    func stereo(name: String) throws {
        let record = try #require(try Tool.run(["info", "--json", TestImages.path(name)]).objects().first)
        let expected = try TestImages.expected(name).object("stereo")
        let found = record.object("stereo")
        #expect(found.text("source") == expected.text("source"))
        for field in ["baseline", "horizontalFieldOfView"] {
            #expect((found.number(field) == nil) == (expected.number(field) == nil))
            // Focal lengths are stored in 30 bits.
            #expect(abs((found.number(field) ?? 0) - (expected.number(field) ?? 0)) < 1e-6)
        }
        let text = try Tool.run(["info", TestImages.path(name)]).text
        #expect(text.contains("left ") && text.contains("right "))
    }

    @Test("Each eye's picture is written upright with its profile", arguments: pairs, ["left", "right"])
    func views(name: String, eye: String) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(["extract", TestImages.path(name), "--plane", eye, "-o", folder.file("p.png")])
        #expect(run.status == 0)
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
        let folder = try TemporaryFolder()
        for (name, isPair) in [("a.JPS", true), ("a.jpg", false)] {
            let path = try folder.write(try TestImages.bytes("stereo-crosseyed.jps"), to: name)
            let record = try #require(try Tool.run(["info", "--json", path]).objects().first)
            #expect(record.isNull("stereo") != isPair)
        }
    }

    @Test(
        "Extracting an eye of a photo that is not a pair ends with status 3",
        arguments: ["plain.jpg", "plain.heic"])
    func noPair(name: String) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run([
            "extract", TestImages.path(name), "--plane", "left", "-o", folder.file("p.png"),
        ])
        #expect(run.status == 3)
        #expect(run.messages.contains("no left picture; the file is not a stereo pair"))
        #expect(folder.contents == [])
    }
}
