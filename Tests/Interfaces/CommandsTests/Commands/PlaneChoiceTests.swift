import TestSupport
import Testing

@Suite("extract --plane")
struct PlaneChoiceTests {
    private let folder = TemporaryFolder()

    @Test(
        "Each kind of plane is written with its samples",
        arguments: ["disparity", "matte", "skin", "hair", "teeth", "glasses", "sky", "gain-map"])
    func kinds(kind: String) throws {
        let picture = TestImages.path("portrait.heic")
        try folder.run("extract \(picture) --plane \(kind) -o p.png")
        let written = try RasterFile(folder.file("p.png"))
        let planes = try TestImages.expected("portrait.heic").objects("planes")
        let expected = try #require(planes.first { $0.text("kind") == kind })
        #expect(written.bitDepth == (kind == "disparity" ? 16 : 8))
        let scale = kind == "disparity" ? 257.0 : 1
        for pixel in expected.objects("pixels") {
            let place = pixel.numbers("upright").map { Int($0) }
            #expect(written[place[0], place[1]] == (pixel.number("code") ?? -1) * scale)
        }
    }

    @Test(
        "--size reduces the photo and keeps its shape; a smaller photo stays",
        arguments: [
            ("portrait.heic", 256, 256, 192), ("portrait-rotated.jpg", 256, 256, 192),
            ("plain.jpg", 5000, 960, 720), ("absolute-depth.jpg", 100, 100, 75),
        ])
    func size(name: String, size: Int, width: Int, height: Int) throws {
        try folder.run("extract {\(name)} --plane photo --size \(size) -o p.png")
        let small = try RasterFile(folder.file("p.png"))
        #expect((small.width, small.height) == (width, height))
        try folder.run("extract {\(name)} --plane photo -o a.png")
        let photo = try RasterFile(folder.file("a.png"))
        // The means of both pictures are alike.
        let means = [small, photo].map { $0.samples.reduce(0, +) / Double($0.samples.count) }
        #expect(abs(means[0] - means[1]) < 2)
    }

    @Test("portrait is another name for the portrait matte")
    func portrait() throws {
        let picture = TestImages.path("portrait.jpg")
        try folder.run("extract \(picture) --plane portrait -o a.png")
        try folder.run("extract \(picture) --plane matte -o b.png")
        #expect(try folder.bytes(of: "a.png") == folder.bytes(of: "b.png"))
    }

    @Test(
        "PQ stays in a PNG of 16 bits, with its code points, and becomes standard range with a note in others"
    )
    func highDynamicRange() throws {
        // Black, a gray at 58 % of PQ, which is about reference white, and the brightest red.
        let rows: [UInt8] =
            [0] + [0, 0, 0, 0, 0, 0] + [0x94, 0xA7, 0x94, 0xA7, 0x94, 0xA7] + [255, 255, 0, 0, 0, 0]
        let cicp = HandMadePNG.chunk("cICP", [9, 16, 0, 1])
        try folder.write(
            HandMadePNG.bytes(header: [0, 0, 0, 3, 0, 0, 0, 1, 16, 2, 0, 0, 0], rows, cicp), to: "pq.png")
        let run = try folder.run("extract pq.png --plane photo -o kept.png")
        #expect(!run.messages.contains("is cut off"), "\(run.messages)")
        let kept = try RasterFile(folder.file("kept.png"))
        #expect(kept.bitDepth == 16)
        for (x, expected) in [[0, 0, 0], [0x94A7, 0x94A7, 0x94A7], [65535, 0, 0]].enumerated() {
            #expect(kept.pixel(x, 0) == expected.map(Double.init))
        }
        #expect(try folder.bytes(of: "kept.png").contains(cicp))
        try folder.run("extract pq.png --plane photo -o sdr.tiff", says: "is cut off")
        let white = try RasterFile(folder.file("sdr.tiff")).pixel(1, 0)
        #expect(white.allSatisfy { abs($0 - 65535) < 400 }, "\(white)")
    }

    @Test("A matte that was written is not read as depth")
    func matteIsNotDepth() throws {
        try folder.run("extract {portrait.jpg} --plane matte -o m.png")
        try folder.run(
            "cloud m.png -o m.ply", status: 3, says: "it is a plane 'matte', not a depth raster")
        let again = try folder.run("extract --recursive \(folder.path) -o out/", status: 1)
        #expect(again.messages.contains("1 input") == false, "\(again.messages)")
        #expect(folder.contents == ["m.png", "out"])
    }

    @Test(
        "The photo is decoded as expected.json says, with its profile",
        arguments: [
            "portrait.heic", "portrait-rotated.heic", "portrait.jpg", "portrait-rotated.jpg", "plain.jpg",
        ],
        ["png", "tiff"])
    func photo(name: String, format: String) throws {
        let output = folder.file("photo.\(format)")
        try Tool.run("extract {\(name)} --plane photo -o \(output)")
        let written = try RasterFile(output)
        #expect([written.width, written.height, written.channels, written.bitDepth] == [960, 720, 3, 8])
        #expect(written.profileSize == 540)
        let probes = try TestImages.photoProbes()
        #expect(probes.objects("pixels").count > 5)
        for probe in probes.objects("pixels") {
            let place = probe.numbers("upright").map { Int($0) }
            let differences = zipEqual(written.pixel(place[0], place[1]), probe.numbers("rgb")).map {
                abs($0 - $1)
            }
            #expect(
                (differences.max() ?? 999) <= probes.number("tolerance") ?? 0, "\(probe.text("name") ?? "")")
        }
    }

    @Test("The photo with --stored-orientation is not turned")
    func storedPhoto() throws {
        try folder.run("extract {portrait-rotated.jpg} --plane photo --stored-orientation -o p.png")
        let written = try RasterFile(folder.file("p.png"), headerOnly: true)
        #expect([written.width, written.height] == [720, 960])
    }
}
