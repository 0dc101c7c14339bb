import Bytes
import TestSupport
import Testing

import struct Foundation.Data

@testable import Codecs

@Suite("Decoding lossless JPEG")
struct LosslessJPEGTests {
    private func decode(_ bytes: [UInt8]) throws(ContainerError) -> [UInt16] {
        try LosslessJPEG(parsing: bytes, at: 100, limits: DecodingLimits()).decode()
    }

    private static func samples(bits: Int) -> [UInt16] {
        (0..<35).map { index in
            let (x, y) = (index % 7, index / 7)
            let value = (x * x * 37 + y * 91 + x * y * 13) * (bits < 12 ? 1 : 41)
            return UInt16(value & (1 << bits - 1))
        }
    }

    private static func vector(_ index: Int) throws -> [UInt8] {
        Array(try #require(Data(base64Encoded: losslessVectors[index].base64)))
    }

    @Test(
        "Files of two other encoders are decoded exactly, with every predictor",
        arguments: losslessVectors.indices)
    func vectors(index: Int) throws {
        let bytes = try Self.vector(index)
        let image = try LosslessJPEG(parsing: bytes, at: 0, limits: DecodingLimits())
        let (bits, predictor) = (losslessVectors[index].bits, losslessVectors[index].predictor)
        #expect(LosslessJPEG.isLossless(bytes))
        #expect(image.bitDepth == bits && image.predictor == predictor)
        #expect(image.width == 7 && image.height == 5 && image.components == 1)
        #expect(try image.decode() == Self.samples(bits: bits))
    }

    @Test("Truncated lossless JPEG is an error with an offset", arguments: [6, 20, 27])
    func truncated(index: Int) throws {
        let bytes = try Self.vector(index)
        for count in 0..<bytes.count - 2 {
            do throws(ContainerError) {
                // The last byte of data may hold only padding.
                #expect(
                    try decode(Array(bytes.prefix(count))) == Self.samples(bits: losslessVectors[index].bits))
                #expect(count >= bytes.count - 3)
            } catch {
                #expect(["truncated", "damaged"].contains(error.code))
                #expect((100...100 + count).contains(error.offset ?? -1))
            }
        }
    }

    @Test("Lossless JPEG with one changed byte is decoded or refused, and never crashes or hangs")
    func mutated() throws {
        let bytes = try Self.vector(20)
        var mutants = MutantCount()
        for index in bytes.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFE, 0xFF] where bytes[index] != value {
                var changed = bytes
                changed[index] = value
                var limits = DecodingLimits()
                limits[.pixels] = 1_000_000
                mutants.add { _ = try LosslessJPEG(parsing: changed, at: 0, limits: limits).decode() }
            }
        }
        mutants.expectBoth()
    }

    /// 3 × 2 samples of 4 bits, predictor 1. Codes: 0 → 0 (no bits), 10 → 1 (one bit), 11 → 4 (four bits).
    private static func small(
        counts: [UInt8] = [1, 2], symbols: [UInt8] = [0, 1, 4], precision: UInt8 = 4, predictor: UInt8 = 1,
        transform: UInt8 = 0, restart: UInt8 = 0, scan: [UInt8]
    ) -> [UInt8] {
        let table = counts + [UInt8](repeating: 0, count: 16 - counts.count) + symbols
        return [0xFF, 0xD8, 0xFF, 0xC3, 0, 11, precision, 0, 2, 0, 3, 1, 1, 0x11, 0]
            + [0xFF, 0xC4, 0, UInt8(table.count + 3), 0] + table
            + [0xFF, 0xDD, 0, 4, 0, restart]
            + [0xFF, 0xDA, 0, 8, 1, 1, 0, predictor, 0, transform] + scan + [0xFF, 0xD9]
    }

    @Test("A hand-made image is predicted from the left in the first row and from above after it")
    func byHand() throws {
        // Row 1 starts at 2³ = 8: +0 → 8, +1 → 9, +1 → 10; row 2: above 8 −1 → 7, left 7 +0 → 7, +8 → 15.
        // Bits 0, 10 1, 10 1, 10 0, 0, 11 1000: 0101 1011 0001 1100 0(1…)
        #expect(
            try decode(Self.small(scan: [0b0101_1011, 0b0001_1100, 0b0111_1111])) == [8, 9, 10, 7, 7, 15])
    }

    @Test("A restart resets the prediction, and a point transform shifts samples")
    func restarts() throws {
        // Each row is an interval: 0, +1, +1 and −1, 0, 0 from 2² = 4 (one bit dropped), times two.
        let bytes = Self.small(
            transform: 1, restart: 3, scan: [0b0101_1011, 0xFF, 0xD0, 0b1000_0111])
        #expect(try decode(bytes) == [8, 10, 12, 6, 6, 6])
    }

    @Test(
        "Invalid lossless JPEG is refused",
        arguments: [
            // A Huffman table without codes.
            (small(counts: [0], symbols: [], scan: [0, 0]), "malformed"),
            // More codes of one bit than possible.
            (small(counts: [3], scan: [0, 0]), "malformed"),
            (small(symbols: [0, 1, 17], scan: [0, 0]), "malformed"),
            (small(precision: 1, scan: [0, 0]), "malformed"),
            (small(predictor: 0, scan: [0, 0]), "malformed"),
            (small(predictor: 8, scan: [0, 0]), "malformed"),
            (small(transform: 4, scan: [0, 0]), "malformed"),
            // Two samples are not a full row.
            (small(restart: 2, scan: [0, 0]), "malformed"),
            // Only one of two intervals, and the wrong marker between them.
            (small(restart: 3, scan: [0b0101_1011]), "damaged"),
            (small(restart: 3, scan: [0b0101_1011, 0xFF, 0xD1, 0b1000_0111]), "damaged"),
            // 8 + 8 + … leaves four bits.
            (small(scan: [0b1110_0011, 0b1000_1110, 0b0000_0000]), "damaged"),
        ] as [([UInt8], String)])
    func refused(bytes: [UInt8], code: String) {
        let error = #expect(throws: ContainerError.self) { try decode(bytes) }
        #expect(error?.code == code)
    }
}
