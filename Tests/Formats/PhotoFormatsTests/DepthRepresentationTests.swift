import Bytes
import DepthTypes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("Depth representation SEI (177)")
struct DepthRepresentationTests {
    private func found(_ dump: String) throws -> DepthRepresentation? {
        let subtype = hex(dump)
        var cursor = ByteCursor(subtype.span, base: 500, path: StructurePath("auxC"))
        return try DepthRepresentation.find(inSubtype: &cursor)
    }

    /// From a photo of an iPhone 13 Pro.
    private static let apple = "00000011 0000000d 4e01 b109 351f7bfc010bc62020"

    @Test("An iPhone's SEI message is read")
    func known() throws {
        let representation = try #require(try found(Self.apple))
        #expect(representation.type == 1)
        #expect(representation.dMin == 1.498046875)
        #expect(representation.dMax == 4.3828125)
        #expect(representation.zNear == nil)
        #expect(representation.zFar == nil)
        #expect(representation.quantity == .disparity)
    }

    /// Flags, type, then numbers of one mantissa bit: 1 = +, exponent 31, mantissa 0; 3 = +, exponent 32, mantissa ½.
    @Test(
        "The representation type decides what samples are linear in",
        arguments: [
            // z_near 1, z_far 3, type 0 (uniform 1/Z): codes run from 1/3 to 1
            ("110 0 1 0 0011111 00000 0 0 0100000 00000 1", .disparity, 1.0 / 3, 1.0),
            // d_min 1, d_max 3, type 1 (010), view 0 (1)
            ("001 1 010 1 0 0011111 00000 0 0 0100000 00000 1", .disparity, 1.0, 3.0),
            // z_near 1, z_far 3, type 2 (011): codes run from near to far
            ("110 0 011 0 0011111 00000 0 0 0100000 00000 1", .depth, 1.0, 3.0),
        ] as [(String, DepthQuantity, Double, Double)])
    func types(bits: String, quantity: DepthQuantity, low: Double, high: Double) throws {
        let representation = try #require(try found(message(bits)))
        #expect(representation.quantity == quantity)
        #expect(representation.range?.low == low)
        #expect(representation.range?.high == high)
    }

    @Test("A nonuniform type and a message without numbers declare no range")
    func noRange() throws {
        let nonlinear = try #require(try found(message("001 1 00100 1 0 0011111 00000 0 0 0100000 00000 1")))
        #expect(nonlinear.type == 3)
        #expect(nonlinear.quantity == nil)
        #expect(nonlinear.range == nil)
        let empty = try #require(try found(message("000 0 010")))
        #expect(empty.range == nil)
    }

    @Test("Exponents 0 and 127 and the sign are read as H.265 defines")
    func elements() throws {
        // d_min: −, exponent 0, 2 bits of mantissa, 3 · 2^−32; d_max: unspecified.
        let representation = try #require(
            try found(message("001 1 010 1 1 0000000 00001 11 0 1111111 00000 0")))
        #expect(representation.dMin == -3 * 0x1p-32)
        #expect(representation.dMax == nil)
    }

    @Test("Other messages and NAL units before the message are skipped")
    func others() throws {
        let unit = "4e01 0502aabb b109 351f7bfc010bc62020"
        #expect(try found("0000001b 00000002 4001 00000011 \(unit)")?.dMax == 4.3828125)
        #expect(try found("00000006 00000002 4001 00000000") == nil)
        #expect(try found("") == nil)
        #expect(try found("00000000") == nil)
    }

    @Test("A truncated SEI message is an error or not found", arguments: 0..<21)
    func truncated(count: Int) {
        let dump = String(Self.apple.filter { $0 != " " }.prefix(2 * count))
        do {
            #expect(try found(dump) == nil)
        } catch {
            #expect((error as? ContainerError)?.code == "truncated")
        }
    }

    /// The subtype bytes around an SEI payload of these bits.
    private func message(_ bits: String) -> String {
        var digits = bits.filter { $0 != " " } + "1"
        while digits.count % 8 != 0 { digits += "0" }
        let payload = stride(from: 0, to: digits.count, by: 4).map { start -> String in
            let nibble = digits.dropFirst(start).prefix(4)
            return String(Int(nibble, radix: 2) ?? 0, radix: 16)
        }
        .joined()
        let unit = "4e01b1" + hexadecimal(payload.count / 2, 2) + payload
        return hexadecimal(unit.count / 2 + 4, 8) + hexadecimal(unit.count / 2, 8) + unit
    }

    private func hexadecimal(_ value: Int, _ count: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: count - digits.count) + digits
    }
}
