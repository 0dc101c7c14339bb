import Bytes
import Isobath
import PhotoFormats
import TestSupport
import Testing

@Suite("Test images in AVIF, DNG, JPEG XL and lossless JPEG, and pairs")
struct OtherFormatImageTests {
    private let folder = TemporaryFolder()

    @Test("libjxl's messages about a damaged file become one line", arguments: [2000, 5000, 60_000])
    func words(place: Int) throws {
        var bytes = try TestImages.bytes("depth.jxl")
        bytes.replaceSubrange(place..<place + 64, with: [UInt8](repeating: 0xFF, count: 64))
        let path = try folder.write(bytes, to: "damaged.jxl")
        let run = try folder.run("extract \(path) --plane photo -o p.png", status: 1)
        let lines = run.messages.split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("isobath: \(path): error: damaged image data: ") == true)
    }

    @Test(
        "The extracted photo shows the scene",
        arguments: TestImageTests.others + ["side-by-side.jpg", "pair.jpg"])
    func photo(name: String) throws {
        let layout = try TestImages.expected(name).text("layout").map { ["--layout", $0] } ?? []
        try folder.run("extract {\(name)} --plane photo -o p.png \(layout)")
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
        try folder.run("extract {pair.jpg} -o p.png", says: "using pair_depth.png beside it")
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
        let pair = TestImages.path("pair.jpg")
        try folder.run("cloud \(pair) -o c.ply --stride 8", says: "using pair_depth.png beside it")
    }

    @Test("--quantity says which shade is near, for every subcommand, and nothing is assumed then")
    func nearShade() throws {
        let pair = TestImages.path("pair.jpg")
        for command in [["extract"], ["cloud"], ["blur"], ["composite", "-b", "white"]] {
            let arguments =
                command + [pair, "-o", folder.file(command[0] == "cloud" ? "c.ply" : "c.png"), "-f"]
            try Tool.run(
                "\(arguments)", says: "assuming white = near, no unit; use --quantity depth if white = far")
            for quantity in ["disparity", "depth"] {
                let told = try Tool.run(
                    "\(arguments) --quantity \(quantity)", says: "using pair_depth.png beside it")
                #expect(!told.messages.contains("assuming white"))
            }
        }
        // The same samples, once as disparity and once as depth.
        func preview(_ quantity: String) throws -> RasterFile {
            try folder.run(
                """
                extract \(pair) --quantity \(quantity) --as \(quantity) --values preview --no-data none -o
                p.png -f
                """)
            return try RasterFile(folder.file("p.png"))
        }
        let (white, black) = (try preview("disparity"), try preview("depth"))
        for (bright, dark) in zipEqual(white.samples, black.samples) {
            #expect(abs(bright + dark - 255) <= 1.5)
        }
    }

    @Test("A depth image whose ground is farther than its sky gets a hint, unless it was told")
    func doubt() throws {
        // Bright at the top: near, unless a flag declares otherwise.
        let rows = (0..<40).flatMap { row in [UInt8](repeating: UInt8(235 - row * 5), count: 20) }
        let map = try folder.write(Array("P5 20 40 255\n".utf8) + rows, to: "d.pgm")
        for command in ["extract", "cloud"] {
            let arguments = [command, map, "-o", folder.file(command == "cloud" ? "c.ply" : "c.png"), "-f"]
            let hint =
                "the top of the picture comes out nearer than its bottom, so near and far may be swapped"
            try Tool.run("\(arguments)", says: hint)
            for quantity in ["disparity", "depth"] {
                let told = try Tool.run("\(arguments) --quantity \(quantity)")
                #expect(!told.messages.contains("may be swapped"))
            }
        }
    }

    @Test("occlude refuses a depth map without a unit")
    func occlude() throws {
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
        let photo = try folder.write(TestImages.bytes("pair.jpg"), to: "room.jpg")
        try folder.write(TestImages.bytes("side-by-side.jpg"), to: "room_depth.jpg")
        let files = arguments.map { $0.contains(".") ? folder.file($0) : $0 }
        try Tool.run("\(files[0]) \(photo) \(files[1...])", status: 1, says: "another shape")
    }
}
