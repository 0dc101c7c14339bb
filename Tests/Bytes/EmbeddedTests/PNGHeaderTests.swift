import Bytes
import Embedded
import Testing

@Suite("PNGHeader")
struct PNGHeaderTests {
    /// IHDR of 8 × 6, 16-bit gray, as PNG §11.2.1 lays it out.
    private static let chunk: [UInt8] =
        [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, 8, 0, 0, 0, 6, 16, 0]

    private func parse(_ bytes: [UInt8]) throws(ContainerError) -> PNGHeader {
        var cursor = ByteCursor(bytes.span, base: 8)
        return try PNGHeader(parsing: &cursor)
    }

    @Test("reads size, bit depth and color type")
    func fields() throws {
        let header = try parse(Self.chunk)
        #expect([header.width, header.height, header.bitDepth, header.colorType] == [8, 6, 16, 0])
    }

    @Test(
        "color types have the channels of PNG table 8; others have none",
        arguments: [(0, 1), (2, 3), (3, 3), (4, 2), (6, 4), (1, nil), (7, nil)] as [(UInt8, Int?)])
    func channels(type: UInt8, channels: Int?) throws {
        #expect(try parse(Self.chunk.dropLast() + [type]).channels == channels)
    }

    @Test("another chunk or length is refused where it ends", arguments: [3, 7])
    func otherChunk(index: Int) throws {
        var bytes = Self.chunk
        bytes[index] += 1
        let error = try #require(throws: ContainerError.self) { try parse(bytes) }
        #expect(error.code == "malformed" && error.offset == 16)
    }

    @Test("a chunk that is cut short is an error at the missing field", arguments: 0..<18)
    func truncated(count: Int) throws {
        let error = try #require(throws: ContainerError.self) { try parse(Array(Self.chunk.prefix(count))) }
        #expect(error.code == "truncated" && error.offset.map { $0 <= 8 + count } == true)
    }
}
