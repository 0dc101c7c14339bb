import Bytes
import Embedded
import TestSupport
import Testing

@Suite("LZFSE")
struct LZFSEDecoderTests {
    private static let short: [UInt8] = (0..<200).map { (index: Int) -> UInt8 in
        let step = index * index / 97 + index / 50 % 7
        return UInt8(65 + step % 13)
    }
    private static let long: [UInt8] = (0..<4500).map { (index: Int) -> UInt8 in
        let step = (index / 9) * (index / 70)
        return UInt8(65 + step % 7)
    }

    private func decode(_ coded: [UInt8], atMost limit: Int = 1 << 20) throws -> [UInt8] {
        var decoder = LZFSEDecoder()
        var output: [UInt8] = []
        try decoder.decode(coded, atMost: limit, into: &output)
        return output
    }

    private static func bytes(_ text: String) throws -> [UInt8] { try #require(decodeBase64(text)) }

    @Test("A block of LZVN decodes to what was encoded")
    func lzvn() throws {
        #expect(try decode(Self.bytes(LZFSEVectors.lzvn)) == Self.short)
    }

    @Test("A block with packed tables decodes to what was encoded")
    func packedTables() throws {
        #expect(try decode(Self.bytes(LZFSEVectors.packedTables)) == Self.long)
    }

    @Test("A block with plain tables decodes to what was encoded")
    func plainTables() throws {
        #expect(try decode(Self.bytes(LZFSEVectors.plainTables)) == Self.long)
    }

    @Test("Blocks of all kinds follow each other, and the decoder is used again")
    func rows() throws {
        let raw = Array("bvx-".utf8) + [3, 0, 0, 0, 7, 8, 9]
        let (lzvn, packed) = (try Self.bytes(LZFSEVectors.lzvn), try Self.bytes(LZFSEVectors.packedTables))
        let stream = raw + packed.dropLast(4) + lzvn.dropLast(4) + packed
        var decoder = LZFSEDecoder()
        var output: [UInt8] = []
        for _ in 0..<2 {
            try decoder.decode(stream, atMost: 1 << 20, into: &output)
            #expect(output == [7, 8, 9] + Self.long + Self.short + Self.long)
        }
    }

    @Test("More bytes than allowed are refused before they are allocated")
    func limit() throws {
        let coded = try Self.bytes(LZFSEVectors.packedTables)
        #expect(try decode(coded, atMost: 4500) == Self.long)
        let error = try #require(throws: ContainerError.self) { try decode(coded, atMost: 4499) }
        #expect(error.code == "malformed")
        #expect(throws: ContainerError.self) {
            try decode(Array("bvxn".utf8) + [255, 255, 255, 255, 0, 0, 0, 0])
        }
    }

    @Test("A stream that is cut anywhere is an error")
    func truncation() throws {
        for vector in [LZFSEVectors.lzvn, LZFSEVectors.packedTables, LZFSEVectors.plainTables] {
            let coded = try Self.bytes(vector)
            for count in 0..<coded.count {
                #expect(throws: ContainerError.self) { try decode(Array(coded.prefix(count))) }
            }
        }
    }

    @Test("Damaged streams end with an error or with bytes, and never beyond the limit")
    func mutation() throws {
        var random = SplitMix(seed: 16)
        for vector in [LZFSEVectors.lzvn, LZFSEVectors.packedTables, LZFSEVectors.plainTables] {
            let coded = try Self.bytes(vector)
            for _ in 0..<2000 {
                var damaged = coded
                for _ in 0...Int.random(in: 0...3, using: &random) {
                    damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                if let output = try? decode(damaged, atMost: 10_000) { #expect(output.count <= 10_000) }
            }
        }
    }

    @Test(
        "A stream without entropy coding gives the bytes beside it",
        .needsRecordings)
    func vector() throws {
        let coded = try SampleFolder.recordings.bytes("lzfse-vectors/enc.bin")
        #expect(try decode(coded) == SampleFolder.recordings.bytes("lzfse-vectors/dec.bin"))
    }
}
