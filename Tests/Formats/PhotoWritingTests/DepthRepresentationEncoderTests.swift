import TestSupport
import Testing

@testable import PhotoWriting

@Suite("Depth representation SEI")
struct DepthRepresentationEncoderTests {
    /// From portraits of an iPhone 13 Pro and an iPhone 14: type 1, d_min and d_max.
    @Test(
        "The SEI message equals an iPhone's bytes",
        arguments: [
            (1.498046875, 4.3828125, "00000011 0000000d 4e01 b109 351f7bfc010bc62020"),
            (0.50830078125, 3.767578125, "00000011 0000000d 4e01 b109 351e78220103f89020"),
        ])
    func knownAnswers(low: Double, high: Double, bytes: String) throws {
        let disparity = DepthRepresentationEncoder(.disparity, dMin: low, dMax: high)
        #expect(try disparity.auxiliarySubtype() == hex(bytes))
    }

    /// 1100, 011 (type 2), 0 0100000 01111 0…0 (2.0), 0 0100010 01111 0100…0 (10.0), then 1 and zeros:
    /// 4 + 3 + 29 + 29 + 1 bits in 9 bytes.
    @Test("Distances are coded as z_near and z_far")
    func distance() throws {
        let depth = DepthRepresentationEncoder(.distance, zNear: 2, zFar: 10)
        #expect(try depth.nalUnit() == hex("4e01 b109 c640f0000227a00040"))
    }

    /// 1000, 1 (type 0), then a zero as 0 0000000 01111 0…0, then 1 and zeros: 8803c000 20.
    @Test("The NAL unit contains no start codes")
    func emulationPrevention() throws {
        #expect(preventingEmulation([0, 0, 1]) == [0, 0, 3, 1])
        #expect(preventingEmulation([0, 0, 0, 0, 0, 4]) == [0, 0, 3, 0, 0, 3, 0, 4])
        #expect(preventingEmulation([0, 0, 4, 0]) == [0, 0, 4, 0, 3])
        let depth = DepthRepresentationEncoder(.reciprocalDistance, zNear: 0)
        #expect(try depth.nalUnit() == hex("4e01 b105 8803c00020"))
    }

    @Test(
        "Numbers are coded as sign, exponent and mantissa",
        arguments: [
            (1.0, 31, 0), (0.0, 0, 0), (1.5, 31, 0x8000), (0.046875, 26, 0x8000),
            // Rounds up to a power of two.
            (1.9999999, 32, 0),
            // 2^-30 is the smallest normal number, 2^-46 the smallest of all.
            (0x1p-30, 1, 0), (0x1p-31, 0, 0x8000), (0x1p-46, 0, 1), (0x1.fffffp-31, 1, 0),
            // 2^95 is the largest exponent.
            (0x1p95, 126, 0),
        ])
    func elements(value: Double, exponent: UInt64, mantissa: UInt64) throws {
        for sign in [1.0, -1.0] {
            var expected = BitWriter()
            expected.append(sign < 0)
            expected.append(exponent, bitCount: 7)
            expected.append(15, bitCount: 5)
            expected.append(mantissa, bitCount: 16)
            var writer = BitWriter()
            try writer.appendDepthElement(sign * value)
            #expect(writer.bytes == expected.bytes)
        }
    }

    @Test("Numbers without a code are refused", arguments: [Double.nan, .infinity, 0x1p96])
    func refusals(value: Double) {
        #expect(throws: ContainerWritingError.self) {
            try DepthRepresentationEncoder(.disparity, dMin: value).nalUnit()
        }
    }

    @Test(
        "Exp-Golomb codes match the standard",
        arguments: [(0, "80"), (1, "40"), (2, "60"), (3, "20"), (8, "12")])
    func exponentialGolomb(value: UInt32, expected: String) {
        var writer = BitWriter()
        writer.appendExponentialGolomb(value)
        #expect(writer.bytes == hex(expected))
    }
}
