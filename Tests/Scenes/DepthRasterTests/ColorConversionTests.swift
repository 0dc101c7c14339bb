import Codecs
import DepthMaps
import Foundation
import Scenes
import TestSupport
import Testing

@Suite struct ColorConversionTests {
    private static let profile = Result {
        try DepthPhoto(contentsOf: TestImages.path("portrait.heic")).image().colorProfile
    }

    private static func displayP3() throws -> [UInt8] { try profile.get() }

    /// Computed with the published transfer function of sRGB and matrix from linear Display P3 to linear sRGB.
    private static func sRGB(displayP3 code: [Double]) -> [Double] {
        let light = code.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        let matrix = [
            [1.2249402, -0.2249402, 0], [-0.0420570, 1.0420570, 0], [-0.0196376, -0.0786360, 1.0982736],
        ]
        return matrix.map { row in
            let value = min(1, max(0, zip(row, light).reduce(0) { $0 + $1.0 * $1.1 }))
            return value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055
        }
    }

    static let patches: [[UInt8]] = [
        [0, 0, 0], [255, 255, 255], [128, 128, 128], [200, 100, 50], [60, 130, 90], [120, 60, 160],
        [255, 0, 0],
    ]

    @Test("Display P3 is converted to sRGB", arguments: patches)
    func displayP3(patch: [UInt8]) throws {
        let wanted = Self.sRGB(displayP3: patch.map { Double($0) / 255 })
        let pixel = RGB(red: patch[0], green: patch[1], blue: patch[2])
        let image = ColorImage(
            width: 40, height: 40, pixels: .uint8([RGB](repeating: pixel, count: 1600)),
            colorProfile: try Self.displayP3())
        let converted = try image.converted(toProfile: [])
        guard case .uint8(let pixels) = converted.pixels else {
            Issue.record("8 bits stay 8 bits")
            return
        }
        #expect(converted.colorProfile.isEmpty && Set(pixels).count == 1)
        // Half a step of rounding, and as much for the 16-bit numbers in profiles: far below ΔE 1.
        let found = [pixels[0].red, pixels[0].green, pixels[0].blue].map { Double($0) / 255 }
        #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 1.1 / 255 }, "\(found) \(wanted)")
    }

    @Test("16-bit colors are converted with full precision", arguments: patches)
    func deep(patch: [UInt8]) throws {
        let wanted = Self.sRGB(displayP3: patch.map { Double($0) / 255 })
        let pixel = RGBA(
            red: UInt16(patch[0]) * 257, green: UInt16(patch[1]) * 257, blue: UInt16(patch[2]) * 257,
            alpha: 4711)
        let image = RGBAImage(
            width: 2, height: 1, pixels: .uint16([pixel, pixel]), colorProfile: try Self.displayP3())
        guard case .uint16(let pixels) = try image.converted(toProfile: []).pixels else {
            Issue.record("16 bits stay 16 bits")
            return
        }
        // Numbers in profiles have 16 bits, and the curve is steep near black.
        let found = [pixels[0].red, pixels[0].green, pixels[0].blue].map { Double($0) / 65535 }
        #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 0.001 }, "\(found) \(wanted)")
        #expect(pixels[0].alpha == 4711)
    }

    @Test("Conversion keeps alpha")
    func alpha() throws {
        let image = RGBAImage(
            width: 5, height: 3, pixels: .uint8(someOpacities), colorProfile: try Self.displayP3())
        guard case .uint8(let pixels) = try image.converted(toProfile: []).pixels else {
            Issue.record("8 bits stay 8 bits")
            return
        }
        #expect(pixels.map(\.alpha) == someOpacities.map(\.alpha))
        #expect(pixels.map(\.red) != someOpacities.map(\.red))
    }

    @Test("Conversion to Display P3 and back changes colors only by rounding")
    func back() throws {
        let image = ColorImage(width: 48, height: 40, pixels: .uint8(smoothColors), colorProfile: [])
        let back = try image.converted(toProfile: try Self.displayP3()).converted(toProfile: [])
        guard case .uint8(let pixels) = back.pixels else {
            Issue.record("8 bits stay 8 bits")
            return
        }
        let isClose = zip(pixels, smoothColors).allSatisfy {
            abs(Int($0.red) - Int($1.red)) <= 2 && abs(Int($0.green) - Int($1.green)) <= 2
                && abs(Int($0.blue) - Int($1.blue)) <= 2
        }
        #expect(isClose)
    }

    @Test("The transfer function of Display P3 is sRGB's")
    func curve() throws {
        let curve = try #require(TransferFunction(profile: try Self.displayP3()))
        #expect(curve.light.count == TransferFunction.sRGB.light.count)
        // Parameters of the curve are kept in 16.16 fixed point.
        #expect(zip(curve.light, TransferFunction.sRGB.light).allSatisfy { abs($0 - $1) < 0.0001 })
        #expect(TransferFunction(profile: []) == TransferFunction.sRGB)
    }

    @Test("A damaged profile is an error")
    func broken() throws {
        let good = try Self.displayP3()
        let image = ColorImage(
            width: 2, height: 1, pixels: .uint8(Array(smoothColors[..<2])), colorProfile: [])
        #expect(throws: ColorProfileError.unreadable) {
            try image.converted(toProfile: Array("no profile".utf8))
        }
        for count in stride(from: 1, to: good.count, by: 23) {
            _ = try? image.converted(toProfile: Array(good[..<count]))
            _ = TransferFunction(profile: Array(good[..<count]))
        }
        var random = SplitMix(seed: 5)
        var mutants = MutantCount()
        for _ in 0..<100 {
            var changed = good
            random.damage(&changed, changes: 3)
            mutants.add { _ = try image.converted(toProfile: changed) }
            _ = TransferFunction(profile: changed)
        }
        mutants.expectBoth()
    }

    @Test("A profile of another color space is an error that names it")
    func otherColors() throws {
        var gray = try Self.displayP3()
        gray.replaceSubrange(16..<20, with: Array("GRAY".utf8))
        let image = ColorImage(
            width: 2, height: 1, pixels: .uint8(Array(smoothColors[..<2])), colorProfile: gray)
        #expect(throws: ColorProfileError.otherColors("GRAY")) { try image.converted(toProfile: []) }
        #expect(image.assigned(profile: []).colorProfile.isEmpty)
        #expect(TransferFunction(profile: gray) == nil)
    }
}
