import Bytes
import RasterFormats
import TestSupport
import Testing

@testable import Codecs

@Suite("Deflate data")
struct InflateTests {
    /// Python: `zlib.compress(b"hello hello hello", 9)`.
    private static let stream: [UInt8] = [
        120, 218, 203, 72, 205, 201, 201, 87, 200, 64, 144, 0, 58, 46, 6, 125,
    ]
    private static let text = Array("hello hello hello".utf8)

    private static func inflated(
        _ packed: [UInt8], _ form: DeflateForm = .zlib, count: Int = text.count, isPrefix: Bool = false
    ) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try inflate(packed, as: form, into: &bytes, isPrefix: isPrefix)
        return bytes
    }

    @Test("A stream of the expected length is read, with and without header and checksum")
    func whole() throws {
        #expect(try Self.inflated(Self.stream) == Self.text)
        #expect(try Self.inflated(Array(Self.stream[2..<12]), .raw) == Self.text)
        #expect(try Self.inflated(Self.stream, count: 5, isPrefix: true) == Array(Self.text[..<5]))
    }

    @Test("Each damaged byte of a stream is noticed", arguments: stream.indices)
    func damage(index: Int) {
        var stream = Self.stream
        stream[index] ^= 0x10
        #expect(throws: ContainerError.self) { try Self.inflated(stream) }
    }

    @Test("A stream that is longer or shorter than expected, or cut off, is an error")
    func length() {
        let cases: [([UInt8], Int)] = [
            (Self.stream, 16), (Self.stream, 18), (Self.stream, 0), (Array(Self.stream.dropLast()), 17),
            ([], 17),
            ([], 0),
        ]
        for (stream, count) in cases {
            #expect(throws: ContainerError.self) { try Self.inflated(stream, count: count) }
        }
        let error = #expect(throws: ContainerError.self) { try Self.inflated(Self.stream, count: 16) }
        #expect(error?.message.contains("has more than the 16 bytes expected") == true)
    }

    @Test("Members of an archive that overlap are an error")
    func overlap() throws {
        var writer = ZIPWriter()
        writer.add("a", Self.text)
        writer.add("b", Self.text)
        var archive = writer.finished
        #expect(try ZIPDirectory(parsing: MemorySource(archive), limits: DecodingLimits()).entries.count == 2)
        // The offset of the second member, behind 42 bytes of the last entry: 22 bytes end the file.
        let place = archive.count - 22 - 5
        #expect(archive[place] == 30 + 1 + 17)
        archive[place] = 0
        let error = #expect(throws: ContainerError.self) {
            try ZIPDirectory(parsing: MemorySource(archive), limits: DecodingLimits())
        }
        #expect(error?.message.contains("overlap") == true)
    }
}
