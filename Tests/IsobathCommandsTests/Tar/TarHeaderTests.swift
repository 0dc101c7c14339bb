import TestSupport
import Testing

@testable import IsobathCommands

/// Headers of POSIX.1-1988, byte by byte: fields at the offsets of that standard.
@Suite("Headers of tar members")
struct TarHeaderTests {
    /// A header with these fields; its checksum is the sum of its bytes with spaces in the checksum's own field.
    private func block(
        name: String = "a.heic", type: Character = "0", size: [UInt8] = Array("00000000012\0".utf8),
        prefix: String = "", magic: String = "ustar\u{0}00", change: (inout [UInt8]) -> Void = { _ in }
    ) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: 512)
        for (offset, bytes) in [
            (0, Array(name.utf8)), (124, size), (148, Array("        ".utf8)), (156, Array("\(type)".utf8)),
            (257, Array(magic.utf8)), (345, Array(prefix.utf8)),
        ] {
            block.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
        change(&block)
        let sum = block.reduce(0) { $0 + Int($1) }
        let digits = Array(String(sum, radix: 8).utf8)
        block.replaceSubrange(148..<148 + digits.count, with: digits)
        block[148 + digits.count] = 0
        return block
    }

    @Test("Name, size and kind are read")
    func fields() throws {
        let header = try #require(TarHeader(block()))
        #expect(header.name == "a.heic" && header.byteCount == 10 && header.kind == .file)
        #expect(try #require(TarHeader(block(prefix: "x/y"))).name == "x/y/a.heic")
        // Before POSIX and in GNU's form, these bytes are something else.
        #expect(try #require(TarHeader(block(prefix: "x/y", magic: "ustar  \0"))).name == "a.heic")
        #expect(try #require(TarHeader(block(prefix: "x/y", magic: ""))).name == "a.heic")
    }

    @Test(
        "Types are those of the standard and of GNU",
        arguments: [
            ("0", TarHeader.Kind.file), ("\0", .file), ("7", .file), ("5", .folder), ("x", .extended),
            ("g", .global), ("L", .longName), ("K", .longLink), ("1", .other("a link")),
            ("2", .other("a link")), ("3", .other("a device or a pipe")),
            ("4", .other("a device or a pipe")), ("6", .other("a device or a pipe")),
            ("S", .other("a sparse file")), ("V", .other("of an unknown type")),
        ] as [(Character, TarHeader.Kind)])
    func kinds(type: Character, kind: TarHeader.Kind) throws {
        #expect(try #require(TarHeader(block(type: type))).kind == kind)
    }

    @Test("A name that fills its field, and one that ends in a slash there, are names of files")
    func fullName() throws {
        let name = String(repeating: "n", count: 99)
        #expect(try #require(TarHeader(block(name: name + "n"))).name == name + "n")
        let header = try #require(TarHeader(block(name: name + "/")))
        #expect(header.name == name + "/" && header.kind == .file)
    }

    @Test("Sizes are octal, or binary where the first bit is set; others are refused")
    func sizes() throws {
        func size(_ bytes: [UInt8]) -> Int? { TarHeader(block(size: bytes))?.byteCount }
        #expect(size(Array("77777777777\0".utf8)) == (1 << 33) - 1)
        #expect(size(Array("        12 \0".utf8)) == 10)
        #expect(size([UInt8](repeating: 0, count: 12)) == 0)
        #expect(size([0x80] + [UInt8](repeating: 0, count: 6) + [2, 0, 0, 0, 0]) == 1 << 33)
        for wrong in [
            Array("00000000018\0".utf8), Array("-0000000001\0".utf8), Array("abc\0".utf8),
            [UInt8](repeating: 0xFF, count: 12), [0x80, 1] + [UInt8](repeating: 0, count: 10),
        ] {
            #expect(size(wrong) == nil, "\(wrong)")
        }
    }

    @Test("A wrong checksum, and fewer bytes, are not a header")
    func checksum() {
        var bytes = block()
        bytes[0] = UInt8(ascii: "b")
        #expect(TarHeader(bytes) == nil)
        #expect(TarHeader(Array(block().dropLast())) == nil)
        #expect(TarHeader(block { $0[148] = UInt8(ascii: "x") }) == nil)
    }

    @Test("Written headers are read again, with names of any length", arguments: [1, 99, 100, 101, 155, 300])
    func written(length: Int) throws {
        let name = String(repeating: "n", count: length)
        let bytes = TarHeader.blocks(of: name, byteCount: 1234)
        #expect(bytes.count.isMultiple(of: 512))
        let header = try #require(TarHeader(Array(bytes.suffix(512))))
        #expect(header.byteCount == 1234 && header.kind == .file)
        #expect(header.name == String(name.prefix(100)))
        guard length > 100 else { return }
        // The length of a record includes its own digits: "310 path=" has 9 bytes, and a line feed ends it.
        #expect(try #require(TarHeader(Array(bytes.prefix(512)))).kind == .extended)
        #expect(bytes[512...].starts(with: "\(length + 10) path=n".utf8))
    }
}
