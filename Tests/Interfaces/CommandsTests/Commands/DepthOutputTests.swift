import PhotoBuilders
import TestSupport
import Testing

@Suite("Depth output")
struct DepthOutputTests {
    private let folder = TemporaryFolder()
    private static let pictures = [
        "portrait.heic", "portrait.jpg", "absolute-depth.heic", "absolute-depth.jpg",
    ]

    /// The file that `extract` writes.
    private func extract(_ name: String, _ options: [String], to file: String) throws -> (
        RasterFile, Tool.Run
    ) {
        let folder = TemporaryFolder()
        let run = try folder.run("extract {\(name)} -o \(file) \(options)")
        return (try RasterFile(folder.file(file)), run)
    }

    private func pixels(_ name: String) throws -> [[String: Any]] {
        try TestImages.expected(name).objects("planes").first?.objects("pixels") ?? []
    }

    /// The value of one step, by which samples of a JPEG may be off.
    private func step(_ name: String) throws -> Double {
        let plane = try #require(try TestImages.expected(name).objects("planes").first)
        let range = (plane.number("maximum") ?? 0) - (plane.number("minimum") ?? 0)
        return name.hasSuffix("jpg") ? range / 255 : 0
    }

    @Test("The record in a normalized PNG restores its values", arguments: pictures)
    func normalized(name: String) throws {
        let (written, _) = try extract(name, [], to: "d.png")
        #expect(written.bitDepth == 16)
        let plane = try #require(try TestImages.expected(name).objects("planes").first)
        let record = try #require(written.record)
        #expect(
            Set(record.keys) == [
                "quantity", "unit", "minimum", "maximum", "unknown", "accuracy", "step", "camera",
            ])
        #expect(record.text("quantity") == plane.text("kind"))
        #expect(record.text("unit") == plane.text("unit"))
        #expect(record.text("accuracy") == plane.text("accuracy"))
        #expect(record.isNull("unknown"))
        let (minimum, maximum) = (record.number("minimum") ?? 0, record.number("maximum") ?? 0)
        // The planes have 8 bits.
        #expect(abs((record.number("step") ?? 0) * 255 / (maximum - minimum) - 1) < 1e-6)
        #expect([minimum, maximum] == [plane.number("minimum"), plane.number("maximum")])
        let tolerance = try step(name) + 1e-6
        for pixel in try pixels(name) {
            let place = pixel.numbers("upright").map { Int($0) }
            let value = minimum + written[place[0], place[1]] / 65535 * (maximum - minimum)
            #expect(abs(value - (pixel.number("value") ?? -1)) <= tolerance)
        }
    }

    @Test("A PNG in millimeters holds millimeters", arguments: pictures)
    func millimeters(name: String) throws {
        let (written, run) = try extract(name, ["--values", "millimeters"], to: "d.png")
        let record = try #require(written.record)
        #expect(record.text("quantity") == "depth")
        #expect(
            [record.number("minimum"), record.number("maximum"), record.number("unknown")] == [
                0.001, 65.535, 0,
            ])
        guard name.hasSuffix("heic") else { return }
        for pixel in try pixels(name) {
            let place = pixel.numbers("upright").map { Int($0) }
            #expect(abs(written[place[0], place[1]] - (pixel.number("meters") ?? 0) * 1000) <= 0.51)
        }
        #expect(run.messages.contains("may be off in scale") == name.hasPrefix("portrait"))
    }

    @Test(
        "A preview has 8 bits with near surfaces bright", arguments: ["portrait.heic", "absolute-depth.heic"])
    func preview(name: String) throws {
        let (written, _) = try extract(name, ["--values", "preview"], to: "d.png")
        #expect(written.bitDepth == 8)
        // The face is nearest, the sky farthest.
        #expect(written[87, 54] == 255)
        #expect(written[10, 10] == 0)
        #expect(written[30, 60] > 0 && written[30, 60] < written[90, 110])
        #expect(written.record?.text("quantity") == "disparity")
    }

    /// A disparity of 0 is infinitely far away and has no value in meters.
    @Test("Samples without a finite value are written as 0 in a PNG and reported")
    func unknown() throws {
        var file = DepthFile()
        file.xmp = DepthFile.packet(low: "0.0", high: "1.0")
        let path = try folder.write(try file.heic(), to: "in.heic")
        try folder.run(
            "extract \(path) --as depth -o d.png", says: "samples without a finite value are written as 0")
        let written = try RasterFile(folder.file("d.png"))
        let record = try #require(written.record)
        #expect(record.number("unknown") == 0)
        // Sample 0, the sky, is unknown; sample 255, the face, is 1 m and the lowest sample with a value.
        #expect(written[10, 10] == 0)
        #expect(written[87, 54] == 1)
        #expect(record.number("minimum") == 1)
        #expect(written.samples.max() == 65535)
        try folder.run("extract \(path) --values millimeters -o mm.png")
        let millimeters = try RasterFile(folder.file("mm.png"))
        #expect(millimeters[10, 10] == 0)
        #expect(millimeters[87, 54] == 1000)
    }

    @Test("Depth beyond 65.535 m is written as 0 in millimeters and counted")
    func beyond() throws {
        var file = DepthFile()
        file.xmp = DepthFile.packet(low: "0.015", high: "1.0")
        let path = try folder.write(try file.heic(), to: "in.heic")
        let run = try folder.run("extract \(path) --values millimeters -o mm.png")
        let written = try RasterFile(folder.file("mm.png"))
        #expect(written[10, 10] == 0)
        let zeros = written.samples.count { $0 == 0 }
        #expect(run.messages.contains("\(zeros) samples beyond 65.535 m are written as 0"))
    }
}
