import Bytes
import DepthMaps
import DepthTypes
import Foundation
import Scenes
import TestSupport
import Testing

/// The distances of the nearest and the farthest code, which the caller knows.
@Suite struct KnownRangeTests {
    private func input(
        _ quantity: ReadingOptions.Quantity?, _ range: ClosedRange<Double>, highest: Int, _ codes: [Int]
    ) throws -> DepthScene {
        var reading = ReadingOptions()
        (reading.quantity, reading.range) = (quantity, range)
        let samples = codes.flatMap { highest > 255 ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0)] }
        return try DepthScene(
            storedIn: MemorySource(Array("P5 \(codes.count) 1 \(highest)\n".utf8) + samples), reading: reading
        )
    }

    @Test(
        "Codes from 1 to the greatest are linear in 1/z, near is white, and 0 is unknown",
        arguments: [255, 4095, 65535])
    func disparity(highest: Int) throws {
        let codes = [0, 1, 2, highest / 2, highest]
        let input = try input(.disparity, 0.5...4, highest: highest, codes)
        let meters = try input.depth().meters
        #expect(meters[0].isNaN && input.description.depth?.scale == .absolute)
        for (code, found) in zip(codes, meters).dropFirst() {
            let wanted = 1 / (0.25 + Double(code - 1) / Double(highest - 1) * (2 - 0.25))
            #expect(abs(Double(found) - wanted) < 1e-5)
        }
    }

    @Test("Codes of depth are linear in z, and far is white")
    func depth() throws {
        let meters = try input(.depth, 0.5...4, highest: 255, [1, 128, 255]).depth().meters
        // 0.5 + 127 / 254 · 3.5
        #expect(meters == [0.5, 2.25, 4])
    }

    @Test("The farthest code may be infinitely far, if codes are linear in disparity")
    func infinite() throws {
        // Cityscapes: (code - 1) / 256 pixels; f = 500 px and a baseline of 0.22 m put code 65535 at 0.22 · 500 · 256 / 65534 m.
        let near = 0.22 * 500 * 256 / 65534
        let meters = try input(.disparity, near...Double.infinity, highest: 65535, [1, 7041, 65535]).depth()
            .meters
        #expect(meters[0] == .infinity && abs(meters[1] - 4) < 1e-5 && abs(Double(meters[2]) - near) < 1e-6)
        #expect(throws: SceneError.infiniteRange) {
            _ = try input(.depth, 1...Double.infinity, highest: 255, [1])
        }
    }

    @Test("Without a quantity, the near side is assumed as for any gray picture, with a remark")
    func assumed() throws {
        let input = try input(nil, 0.5...4, highest: 255, [1, 255])
        #expect(try input.depth().meters == [4, 0.5])
        #expect(input.diagnostics.contains { $0.code == .assumedWhiteNear })
    }

    @Test("Floating point, a second unit, and distances that are out of order are refused")
    func refused() throws {
        var reading = ReadingOptions()
        reading.range = 0.5...4
        let pfm = MemorySource(Array("Pf\n1 1\n-1\n".utf8) + [0, 0, 0x20, 0x41])
        #expect(throws: SceneError.rangeWithoutCodes("float32")) {
            _ = try DepthScene(storedIn: pfm, reading: reading)
        }
        reading.scale = 1000
        #expect(throws: SceneError.rangeWith(name: "scale")) { try reading.validate() }
        (reading.scale, reading.range) = (nil, 0...4)
        #expect(throws: SceneError.invalidRange) { try reading.validate() }
    }

    @Test("It is one flag in every verb")
    func verbs() throws {
        let folder = TemporaryFolder()
        let ramp = (0..<64 * 48).map { (index: Int) -> UInt8 in UInt8(1 + index % 64 * 254 / 63) }
        try folder.write(Array("P5 64 48 255\n".utf8) + ramp, to: "d.pgm")
        let photo = TestImages.path("plain.jpg")
        func run(_ arguments: [String]) throws -> Tool.Run {
            let run = try folder.run("\(arguments)")
            return run
        }
        let range = ["--quantity", "disparity", "--range", "0.5,4"]
        let written = try run(["extract", "d.pgm", "--as", "depth", "-o", "o.npy", "--json"] + range)
        let plane = try #require(try written.objects().first?.objects("outputs").first?.object("plane"))
        #expect(plane.number("minimum") == 0.5 && plane.number("maximum") == 4)
        #expect(plane.text("unit") == "m" && plane.text("accuracy") == "absolute")
        for verb in [
            ["cloud", "-o", "o.ply"], ["view", "-o", "o.html"],
            ["composite", "-o", "o.png", "--color", photo],
        ] {
            _ = try run(verb + ["d.pgm"] + range)
        }
        _ = try run(["embed", photo, "--depth", "d.pgm", "-o", "e.jpg"] + range)
        let meters = try DepthScene(storedIn: folder.file("e.jpg")).depth().meters
        #expect(abs((meters.min() ?? 0) - 0.5) < 1e-3 && abs((meters.max() ?? 0) - 4) < 1e-2)
        // A plane of a photo that has no unit takes it, too, and one with a unit refuses it.
        let scene = try run(
            ["extract", TestImages.path("gdepth-lens-blur.jpg"), "--range", "0.5,4", "-o", "l.npy", "--json"])
        let ranged = try #require(try scene.objects().first?.objects("outputs").first?.object("plane"))
        #expect(ranged.text("unit") == "1/m")
        try folder.run(
            "extract {portrait.heic} --range 0.5,4 -o x.npy", status: 64, says: "--range has no effect")
    }
}
