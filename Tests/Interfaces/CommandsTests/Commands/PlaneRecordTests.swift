import TestSupport
import Testing

@Suite("Planes in extract --json")
struct PlaneRecordTests {
    private func record(_ name: String, _ options: [String], file: String = "d.png") throws -> [String: Any] {
        let folder = TemporaryFolder()
        let run = try folder.run("extract {\(name)} --json -o \(file) \(options)")
        #expect(folder.contents == [file])
        let outputs = try run.objects().first?["outputs"] as? [[String: Any]]
        return try #require(outputs?.first).object("plane")
    }

    /// Intrinsics (cx, cy) and the lens, as expected.json's scaled by 192/960 about the pixel corner.
    @Test(
        "The record describes the pixels as written when scaled",
        arguments: ["portrait.heic", "portrait.jpg"])
    func scaled(name: String) throws {
        let record = try self.record(name, [])
        #expect(record.text("schema") == "isobath.plane/1")
        #expect(record.text("input") == name)
        #expect(record.text("tool")?.hasPrefix("isobath ") == true)
        #expect(record.text("kind") == "disparity")
        #expect(
            [record.integer("width"), record.integer("height"), record.integer("bitDepth")] == [192, 144, 16])
        #expect(record.text("quantity") == "disparity")
        #expect(record.text("unit") == "1/m")
        #expect([record.number("minimum"), record.number("maximum")] == [0.04998779296875, 0.708984375])
        #expect(record.isNull("unknown"))
        expectCamera(
            record, focalLength: 240, principalPoint: [96.7, 70.7], lens: [95.9, 71.1], size: [192, 144])
        #expect(abs((record.object("calibration").number("pixelSize") ?? 0) - 0.025) < 1e-12)
    }

    @Test(
        "The record describes the pixels as written when scaled and turned",
        arguments: ["portrait-rotated.heic", "portrait-rotated.jpg"])
    func turned(name: String) throws {
        let record = try self.record(name, ["--as", "depth"], file: "d.tiff")
        #expect(record.integer("orientation") == 1)
        #expect(
            [record.integer("width"), record.integer("height"), record.integer("bitDepth")] == [192, 144, 32])
        #expect(record.text("quantity") == "depth")
        #expect(record.text("unit") == "m")
        #expect(record.text("unknown") == "nan")
        // (356, 474) of 720 × 960 is (960 − 474, 356) upright.
        expectCamera(
            record, focalLength: 240, principalPoint: [96.7, 70.7], lens: [95.9, 71.1], size: [192, 144])
        let rotation = record.object("calibration").object("extrinsics").numbers("rotation")
        #expect(rotation == [0, 1, 0, -1, 0, 0, 0, 0, 1])
    }

    @Test(
        "The record describes the pixels as written when scaled with the stored orientation",
        arguments: ["portrait-rotated.heic", "portrait-rotated.jpg"])
    func stored(name: String) throws {
        let record = try self.record(name, ["--stored-orientation"])
        #expect(record.integer("orientation") == 6)
        #expect([record.integer("width"), record.integer("height")] == [144, 192])
        // 356 · 0.2 − 0.5 and 474 · 0.2 − 0.5.
        expectCamera(
            record, focalLength: 240, principalPoint: [70.7, 94.3], lens: [71.1, 95.1], size: [144, 192])
    }

    @Test("The record of a matte has no values and no camera")
    func matte() throws {
        let record = try self.record("portrait.heic", ["--plane", "matte"])
        #expect(record.integer("bitDepth") == 8)
        for field in ["quantity", "unit", "minimum", "maximum", "unknown", "calibration"] {
            #expect(record.isNull(field), "\(field)")
        }
    }

    private func expectCamera(
        _ record: [String: Any], focalLength: Double, principalPoint: [Double], lens: [Double],
        size: [Double],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let calibration = record.object("calibration")
        let intrinsics = calibration.object("intrinsics")
        let names = ["fx", "fy", "cx", "cy", "width", "height"]
        let found = names.compactMap { intrinsics.number($0) }
        let expected = [focalLength, focalLength] + principalPoint + size
        #expect(agree(found, expected), sourceLocation: sourceLocation)
        let center = ["centerX", "centerY"].compactMap { calibration.object("distortion").number($0) }
        #expect(agree(center, lens), sourceLocation: sourceLocation)
    }
}
