import Bytes
import Isobath
import PhotoFormats
import TestSupport
import Testing

@Suite("Test images in AVIF, DNG, JPEG XL and lossless JPEG, and pairs")
struct OtherFormatImageTests {
    private static let pictures = ["depth.avif", "lossless-jpeg-depth.heic", "depth.dng", "depth.jxl"]
    private static let ranged = ["lossless-jpeg-depth.heic", "depth.dng"]

    /// The flags that a picture needs.
    private static func reading(_ expected: [String: Any]) -> ReadingOptions {
        var reading = ReadingOptions()
        reading.layout = expected.text("layout").flatMap(PairLayout.init)
        return reading
    }

    @Test("info of every other format equals expected.json", arguments: pictures + ["side-by-side.jpg"])
    func info(name: String) throws {
        let expected = try TestImages.expected(name)
        let layout = expected.text("layout").map { ["--layout", $0] } ?? []
        let record = try #require(
            try Tool.run(["info", "--json", TestImages.path(name)] + layout).objects().first)
        for field in ["width", "height", "orientation"] {
            #expect(record.number(field) == expected.number(field))
        }
        #expect(record.text("container") == expected.text("container"))
        #expect(record.texts("warnings").count == expected.integer("warnings"))
        let planes = (record.objects("planes"), expected.objects("planes"))
        #expect(planes.0.count == planes.1.count)
        for (found, plane) in zipEqual(planes.0, planes.1) {
            for field in ["kind", "source", "type", "codec", "accuracy", "unit"] {
                #expect(found.text(field) == plane.text(field), "\(field)")
            }
            for field in ["width", "height", "minimum", "maximum"] {
                #expect(found.number(field) == plane.number(field), "\(field)")
            }
            // Pairs are described before their pictures are read.
            if name != "side-by-side.jpg" { #expect(found.number("bitDepth") == plane.number("bitDepth")) }
        }
    }

    @Test("Every plane of other formats has the scene's samples", arguments: pictures + ["side-by-side.jpg"])
    func codes(name: String) throws {
        let expected = try TestImages.expected(name)
        let photo = try #require(
            try DepthScene(storedIn: TestImages.path(name), reading: Self.reading(expected))
                .source as? DepthPhoto)
        for (plane, expected) in zipEqual(photo.planes, expected.objects("planes")) {
            let codes = try photo.codes(of: plane)
            #expect(codes.bitDepth == expected.integer("bitDepth"))
            for pixel in expected.objects("pixels") {
                let place = pixel.numbers("upright").map { Int($0) }
                let index = place[1] * codes.width + place[0]
                let found =
                    switch codes.codes {
                    case .uint8(let samples): Int(samples[index])
                    case .uint16(let samples): Int(samples[index])
                    }
                #expect(
                    abs(found - (pixel.integer("code") ?? -99999)) <= pixel.integer("tolerance") ?? 0,
                    "\(plane.kind) \(place)")
            }
        }
    }

    @Test("libjxl's messages about a damaged file become one line", arguments: [2000, 5000, 60_000])
    func words(place: Int) throws {
        var bytes = try TestImages.bytes("depth.jxl")
        bytes.replaceSubrange(place..<place + 64, with: [UInt8](repeating: 0xFF, count: 64))
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "damaged.jxl")
        let run = try Tool.run(["extract", path, "--plane", "photo", "-o", folder.file("p.png")])
        #expect(run.status == 1)
        let lines = run.messages.split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("isobath: \(path): error: damaged image data: ") == true)
    }

    @Test("16-bit samples map to meters over their full range", arguments: ranged)
    func values(name: String) throws {
        let depth = try DepthScene(storedIn: TestImages.path(name)).depth()
        let plane = try #require(try TestImages.expected(name).objects("planes").first)
        for pixel in plane.objects("pixels") {
            let place = pixel.numbers("upright").map { Int($0) }
            let meters = try #require(pixel.number("meters"))
            // Float32 of a range that ends at 20 m.
            #expect(abs(Double(depth.meters[place[1] * depth.width + place[0]]) / meters - 1) <= 2e-6)
        }
    }

    @Test("The extracted photo shows the scene", arguments: pictures + ["side-by-side.jpg", "pair.jpg"])
    func photo(name: String) throws {
        let folder = try TemporaryFolder()
        let layout = try TestImages.expected(name).text("layout").map { ["--layout", $0] } ?? []
        let run = try Tool.run(
            ["extract", TestImages.path(name), "--plane", "photo", "-o", folder.file("p.png")] + layout)
        #expect(run.status == 0, "\(run.messages)")
        let written = try RasterFile(folder.file("p.png"))
        #expect([written.width, written.height, written.channels] == [480, 360, 3])
        let probes = try TestImages.photoProbes()
        for probe in probes.objects("pixels") {
            let place = probe.numbers("upright").map { Int($0) / 2 }
            for (found, expected) in zipEqual(written.pixel(place[0], place[1]), probe.numbers("rgb")) {
                // The same tolerance as for the stereo pairs, which show the same photo at half the size.
                #expect(abs(found - expected) <= 14, "\(probe.text("name") ?? "")")
            }
        }
    }

    @Test("pair_depth.png is the depth of pair.jpg, sample for sample")
    func pair() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(["extract", TestImages.path("pair.jpg"), "-o", folder.file("p.png")])
        #expect(run.messages.contains("using pair_depth.png beside it"))
        let written = try RasterFile(folder.file("p.png"))
        let plane = try #require(try TestImages.expected("pair.jpg").objects("planes").first)
        // Code 0 is unknown; the record has the codes of the lowest and the highest of the others.
        let record = try #require(written.record)
        let (low, high) = (try #require(record.number("minimum")), try #require(record.number("maximum")))
        for pixel in plane.objects("pixels") {
            let place = pixel.numbers("upright").map { Int($0) }
            let (sample, code) = (written[place[0], place[1]], pixel.number("code") ?? -1)
            let value = sample == 0 ? 0 : low + (sample - 1) / 65534 * (high - low)
            #expect(abs(value - code) < 0.01)
        }
    }

    @Test("cloud uses the depth image beside a photo and reports it")
    func cloud() throws {
        let folder = try TemporaryFolder()
        let pair = TestImages.path("pair.jpg")
        let run = try Tool.run(["cloud", pair, "-o", folder.file("c.ply"), "--stride", "8"])
        #expect(run.status == 0, "\(run.messages)")
        #expect(run.messages.contains("using pair_depth.png beside it"))
    }

    @Test("--quantity says which shade is near, for every subcommand, and nothing is assumed then")
    func nearShade() throws {
        let folder = try TemporaryFolder()
        let pair = TestImages.path("pair.jpg")
        for command in [["extract"], ["cloud"], ["blur"], ["composite", "-b", "white"]] {
            let arguments =
                command + [pair, "-o", folder.file(command[0] == "cloud" ? "c.ply" : "c.png"), "-f"]
            let assumed = try Tool.run(arguments)
            #expect(assumed.status == 0, "\(assumed.messages)")
            #expect(
                assumed.messages.contains(
                    "assuming white = near, no unit; use --quantity depth if white = far"))
            for quantity in ["disparity", "depth"] {
                let told = try Tool.run(arguments + ["--quantity", quantity])
                #expect(told.status == 0, "\(told.messages)")
                #expect(!told.messages.contains("assuming white"))
                #expect(told.messages.contains("using pair_depth.png beside it"))
            }
        }
        // The same samples, once as disparity and once as depth.
        func preview(_ quantity: String) throws -> RasterFile {
            _ = try Tool.run([
                "extract", pair, "--quantity", quantity, "--as", quantity, "--values", "preview", "--no-data",
                "none", "-o", folder.file("p.png"), "-f",
            ])
            return try RasterFile(folder.file("p.png"))
        }
        let (white, black) = (try preview("disparity"), try preview("depth"))
        for (bright, dark) in zipEqual(white.samples, black.samples) {
            #expect(abs(bright + dark - 255) <= 1.5)
        }
    }

    @Test("A depth image whose ground is farther than its sky gets a hint, unless it was told")
    func doubt() throws {
        let folder = try TemporaryFolder()
        // Bright at the top: near, unless a flag declares otherwise.
        let rows = (0..<40).flatMap { row in [UInt8](repeating: UInt8(235 - row * 5), count: 20) }
        let map = try folder.write(Array("P5 20 40 255\n".utf8) + rows, to: "d.pgm")
        for command in ["extract", "cloud"] {
            let arguments = [command, map, "-o", folder.file(command == "cloud" ? "c.ply" : "c.png"), "-f"]
            let hint =
                "the top of the picture comes out nearer than its bottom, so near and far may be swapped"
            let run = try Tool.run(arguments)
            #expect(run.status == 0)
            #expect(run.messages.contains(hint), "\(run.messages)")
            for quantity in ["disparity", "depth"] {
                let told = try Tool.run(arguments + ["--quantity", quantity])
                #expect(!told.messages.contains("may be swapped"))
            }
        }
    }

    @Test("occlude refuses a depth map without a unit")
    func occlude() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run([
            "composite", TestImages.path("pair.jpg"), "--layer", TestImages.path("plain.jpg"),
            "--layer-distance",
            "2", "-o", folder.file("o.png"),
        ])
        #expect(run.status != 0)
        #expect(run.messages.contains("using pair_depth.png beside it"))
        #expect(run.messages.contains("this depth map has no unit"))
    }

    private static let commands = [
        ["cloud", "-o", "c.ply"], ["composite", "--background", "white", "-o", "c.png"],
        ["blur", "-o", "c.png"],
        ["composite", "--layer", "room.jpg", "--layer-distance", "2", "-o", "c.png"],
        ["extract", "-o", "c.png"],
    ]

    @Test(
        "A depth image of another aspect ratio than the photo beside it stops every subcommand",
        arguments: commands)
    func shape(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(try TestImages.bytes("pair.jpg"), to: "room.jpg")
        try folder.write(try TestImages.bytes("side-by-side.jpg"), to: "room_depth.jpg")
        let files = arguments.map { $0.contains(".") ? folder.file($0) : $0 }
        let run = try Tool.run([files[0], photo] + files[1...])
        #expect(run.status == 1)
        #expect(run.messages.contains("another shape"), "\(run.messages)")
    }

    @Test("A truncated file of another format gives complete planes or an error", arguments: pictures)
    func truncated(name: String) throws {
        let whole = try TestImages.bytes(name)
        let photo = try DepthPhoto(MemorySource(whole))
        let expected = try photo.codes(of: photo.describe().requirePlane(nil))
        for length in stride(from: 0, to: whole.count, by: whole.count / 13) {
            do {
                let part = try DepthPhoto(MemorySource(Array(whole.prefix(length))))
                #expect(try part.codes(of: part.describe().requirePlane(nil)) == expected, "\(length)")
            } catch {
                #expect(error is ContainerError || error is SceneError, "\(length): \(error)")
            }
        }
    }

    /// The seed makes a failure reproducible; the damage is at the beginning, where the structure is, and anywhere.
    @Test("A damaged file of another format is decoded or refused", arguments: pictures)
    func mutation(name: String) throws {
        let whole = try TestImages.bytes(name)
        var mutants = MutantCount()
        for seed in 0..<8 {
            var bytes = whole
            var random = SplitMix(seed: UInt64(seed))
            random.damage(&bytes, changes: seed)
            random.damage(&bytes, changes: 2 * seed, within: 1200)
            mutants.add {
                let photo = try DepthPhoto(MemorySource(bytes))
                let codes = photo.planes.map { plane in Result { try photo.codes(of: plane) } }
                for plane in codes { _ = try plane.get() }
            }
        }
        mutants.expectBoth()
    }
}
