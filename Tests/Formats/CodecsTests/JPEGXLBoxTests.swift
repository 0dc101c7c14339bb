import Bytes
import DepthMaps
import DepthTypes
import PhotoFormats
import PhotoWriting
import Scenes
import TestSupport
import Testing

/// JPEG XL files as boxes around a codestream (ISO/IEC 18181-2 §9).
@Suite("JPEG XL boxes")
struct JPEGXLBoxTests {
    /// A `uuid` box, whose header has 16 bytes more than headers of other types (ISO/IEC 14496-12 §4.2).
    private static func uuidBox(_ payload: [UInt8]) throws -> [UInt8] {
        var writer = ByteWriter()
        try writer.appendBox("uuid") {
            $0.append((0..<16).map { UInt8(0x10 + $0) })
            $0.append(payload)
        }
        return writer.bytes
    }

    /// The codestream of a picture whose file has it in one `jxlc` box.
    private static func codestream(of file: [UInt8]) throws -> [UInt8] {
        let mark = Array("jxlc".utf8)
        let type = try #require(file.indices.first { file[$0...].starts(with: mark) })
        let size = file.bigEndian(at: type - 4)
        return Array(file[type + 4..<type - 4 + size])
    }

    /// A file of a codestream in `parts` boxes, with another box before each.
    private static func file(_ codestream: [UInt8], parts: Int, before other: [UInt8]) throws -> [UInt8] {
        var writer = ByteWriter()
        try writer.appendBox("JXL ") { $0.append([0x0D, 0x0A, 0x87, 0x0A]) }
        try writer.appendBox("ftyp") {
            $0.append(FourCC("jxl "))
            $0.append(UInt32(0))
            $0.append(FourCC("jxl "))
        }
        let size = (codestream.count + parts - 1) / parts
        for part in 0..<parts {
            writer.append(other)
            try writer.appendBox(parts == 1 ? "jxlc" : "jxlp") {
                // The last part has the highest bit set.
                if parts > 1 { $0.append(UInt32(part) | (part == parts - 1 ? 1 << 31 : 0)) }
                $0.append(
                    codestream[min(part * size, codestream.count)..<min((part + 1) * size, codestream.count)])
            }
        }
        return writer.bytes
    }

    @Test(
        "A 'uuid' box before the codestream is skipped, whatever its size", arguments: [0, 1, 7, 8, 100_000],
        [1, 3])
    func uuid(byteCount: Int, parts: Int) throws {
        let original = try TestImages.bytes("depth.jxl")
        let other = try Self.uuidBox([UInt8](repeating: 0x5A, count: byteCount))
        #expect(other.count == 24 + byteCount)
        let expected = try DepthPhoto(MemorySource(original))
        let found = try DepthPhoto(
            MemorySource(Self.file(Self.codestream(of: original), parts: parts, before: other)))
        #expect(found.planes.map(\.kind) == [.depth, .alpha])
        let (depth, wanted) = (try #require(found.depthPlane), try #require(expected.depthPlane))
        #expect(try found.codes(of: depth.description) == expected.codes(of: wanted.description))
        #expect(try found.image().eightBitPixels == expected.image().eightBitPixels)
    }

    @Test("A 'uuid' box that ends within its header is an error")
    func cutUUID() throws {
        let file = try Self.file([], parts: 1, before: Self.uuidBox([]))
        // JXL of 12 bytes, ftyp of 20, and 8 to 23 bytes of the box.
        for count in 40..<56 {
            let error = #expect(throws: ContainerError.self) {
                try DepthPhoto(MemorySource(Array(file.prefix(count))))
            }
            #expect(error?.code == "truncated")
        }
    }
}
