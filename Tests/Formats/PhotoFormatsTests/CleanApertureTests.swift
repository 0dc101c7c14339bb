import Bytes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("Clean aperture (clap)")
struct CleanApertureTests {
    private func crop(_ dump: String, width: Int, height: Int) throws -> PixelCrop? {
        let box = hex(dump)
        var cursor = ByteCursor(box.span)
        return try CleanAperture(parsing: &cursor).crop(width: width, height: height)
    }

    @Test(
        "A half-pixel offset decides whether the left or the right column is cropped",
        arguments: [("ffffffff", 0), ("00000001", 1)])
    func half(offset: String, left: Int) throws {
        let dump = "000001e9 00000001 0000000a 00000001 \(offset) 00000002 00000000 00000001"
        #expect(
            try crop(dump, width: 490, height: 10) == PixelCrop(left: left, top: 0, width: 489, height: 10))
    }

    @Test("Fractions of a clean aperture are divided")
    func fractions() throws {
        // 40 × 30 about a point 10 right of and 5 above the center of 100 × 80.
        let dump = "00000050 00000002 0000005a 00000003 00000014 00000002 fffffffb 00000001"
        #expect(try crop(dump, width: 100, height: 80) == PixelCrop(left: 40, top: 20, width: 40, height: 30))
    }

    @Test("A clean aperture is clipped to the image, and one outside gives no crop")
    func outside() throws {
        let large = "000000c8 00000001 000000c8 00000001 00000000 00000001 00000000 00000001"
        #expect(try crop(large, width: 100, height: 80) == PixelCrop(left: 0, top: 0, width: 100, height: 80))
        let beside = "0000000a 00000001 0000000a 00000001 000000c8 00000001 00000000 00000001"
        #expect(try crop(beside, width: 100, height: 80) == nil)
        let huge = "7fffffff 00000001 0000000a 00000001 80000000 00000001 00000000 00000001"
        #expect(throws: Never.self) { try crop(huge, width: 100, height: 80) }
    }

    @Test(
        "Sizes and denominators of a clean aperture must be positive",
        arguments: [
            "00000000 00000001 0000000a 00000001 00000000 00000001 00000000 00000001",
            "ffffffff 00000001 0000000a 00000001 00000000 00000001 00000000 00000001",
            "0000000a 00000000 0000000a 00000001 00000000 00000001 00000000 00000001",
            "0000000a 00000001 0000000a 00000001 00000000 ffffffff 00000000 00000001",
        ])
    func rules(dump: String) {
        let error = #expect(throws: ContainerError.self) { try crop(dump, width: 100, height: 80) }
        #expect(error?.code == "malformed")
    }
}
