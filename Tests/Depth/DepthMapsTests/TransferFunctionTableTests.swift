import Foundation
import Testing

@testable import DepthMaps

@Suite("Tables of light")
struct TransferFunctionTableTests {
    /// IEC 61966-2-1.
    private func light(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// Its inverse.
    private func value(_ light: Double) -> Double {
        light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    @Test("Codes have the light of the formula")
    func codes() {
        let (bytes, words) = (TransferFunctionTable<UInt8>(.sRGB), TransferFunctionTable<UInt16>(.sRGB))
        #expect(bytes.light.count == 256 && words.light.count == 65536)
        // The curve is linear between 4096 samples: (1/4095)²/8 of its greatest second derivative, 3.0, is 2.3e-8. Samples and results are
        // rounded to Float, each by 3.0e-8 at most.
        for code in 0...255 { #expect(abs(Double(bytes.light[code]) - light(Double(code) / 255)) < 8.3e-8) }
        for code in 0...65535 {
            #expect(abs(Double(words.light[code]) - light(Double(code) / 65535)) < 8.3e-8)
        }
    }

    @Test("Back and forth gives the same code")
    func roundTrip() {
        let (bytes, words) = (TransferFunctionTable<UInt8>(.sRGB), TransferFunctionTable<UInt16>(.sRGB))
        #expect(bytes.light.map { bytes.code(ofLight: $0) } == Array(0...255))
        #expect(words.light.map { words.code(ofLight: $0) } == Array(0...65535))
    }

    @Test("Light becomes the nearest code")
    func nearest() {
        let (bytes, words) = (TransferFunctionTable<UInt8>(.sRGB), TransferFunctionTable<UInt16>(.sRGB))
        for step in 0...10000 {
            let light = Float(step) / 10000
            let exact = value(Double(light))
            // Float and the samples of the curve are accurate to a thousandth of a code.
            #expect(abs(Double(bytes.code(ofLight: light)) - exact * 255) < 0.501)
            #expect(abs(Double(words.code(ofLight: light)) - exact * 65535) < 0.505)
        }
        #expect(bytes.code(ofLight: 0.5) == 188 && bytes.code(ofLight: 0.25) == 137)
    }

    @Test("A straight curve rounds, and light beyond 0…1 is clipped")
    func straight() {
        let table = TransferFunctionTable<UInt8>(TransferFunction(light: [0, 1]))
        #expect(table.code(ofLight: 0.5 / 255 - 1e-6) == 0 && table.code(ofLight: 0.5 / 255 + 1e-6) == 1)
        #expect(table.code(ofLight: -1) == 0 && table.code(ofLight: 2) == 255)
        #expect(table.light(of: RGB(red: 255, green: 0, blue: 51), weight: 7) == SIMD4(1, 0, 0.2, 7))
        #expect(table.pixel(ofLight: SIMD4(1, -3, 0.2, 9)) == RGB(red: 255, green: 0, blue: 51))
    }
}
