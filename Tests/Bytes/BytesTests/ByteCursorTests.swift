internal import Bytes
internal import Testing

@Suite("ByteCursor")
struct ByteCursorTests {
    private static let bytes: [UInt8] = [
        0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x41, 0x42, 0x00, 0x43,
    ]

    @Test("ByteCursor reads numbers in either byte order")
    func numbers() throws {
        var cursor = ByteCursor(Self.bytes.span, base: 100)
        let value1 = try cursor.readByte()
        #expect(value1 == 0x01)
        let value2 = try cursor.readUInt16()
        #expect(value2 == 0x0203)
        cursor.byteOrder = .littleEndian
        let value3 = try cursor.readUInt16()
        #expect(value3 == 0x0504)
        cursor.byteOrder = .bigEndian
        let value4 = try cursor.read(UInt16.self)
        #expect(value4 == 0x0607)
        let value5 = cursor.offset
        #expect(value5 == 107)
    }

    @Test(
        "ByteCursor reads numbers of 0, 1, 2, 4 and 8 bytes",
        arguments: [(0, 0), (1, 1), (2, 0x0102), (4, 0x0102_0304)])
    func widths(byteCount: Int, value: Int) throws {
        var cursor = ByteCursor(Self.bytes.span)
        let value6 = try cursor.readUnsigned(byteCount: byteCount)
        #expect(value6 == value)
        let value7 = cursor.position
        #expect(value7 == byteCount)
    }

    @Test("ByteCursor refuses a 64-bit number too large for Int")
    func overflow() throws {
        let bytes = [UInt8](repeating: 0xFF, count: 8)
        let error = #expect(throws: ContainerError.self) {
            var cursor = ByteCursor(bytes.span, base: 7)
            _ = try cursor.readUnsigned(byteCount: 8)
        }
        #expect(error?.reason == .arithmeticOverflow)
        #expect(error?.offset == 7)
    }

    @Test("ByteCursor skips text up to its NUL or to the end")
    func skippedStrings() throws {
        var cursor = ByteCursor(Self.bytes.span)
        try cursor.skip(8)
        var places: [Int] = []
        for _ in 0..<3 {
            cursor.skipString()
            places.append(cursor.position)
        }
        #expect(places == [11, 12, 12])
    }

    @Test("ByteCursor reads text up to its NUL or to the end")
    func strings() throws {
        var cursor = ByteCursor(Self.bytes.span)
        try cursor.skip(8)
        let value8 = try cursor.readString()
        #expect(value8 == "AB")
        let value9 = try cursor.readString()
        #expect(value9 == "C")
        let value10 = cursor.isAtEnd
        #expect(value10)
    }

    @Test("ByteCursor reports the byte at which the input ends", arguments: 0..<12)
    func truncated(count: Int) throws {
        let bytes = Array(Self.bytes.prefix(count))
        let error = #expect(throws: ContainerError.self) {
            var cursor = ByteCursor(bytes.span, path: StructurePath("meta"))
            while true { _ = try cursor.readUInt32() }
        }
        #expect(error?.offset == count / 4 * 4)
        #expect(error?.reason == .truncated(needed: 4, available: count % 4))
        #expect(error?.description == "4 bytes needed, \(count % 4) left (meta at byte \(count / 4 * 4))")
    }

    @Test("A child cursor cannot read past its end")
    func child() throws {
        var cursor = ByteCursor(Self.bytes.span, base: 50, path: StructurePath("meta"))
        try cursor.skip(2)
        var child = try cursor.child(named: "iprp", byteCount: 3)
        let value11 = cursor.position
        #expect(value11 == 5)
        let value12 = child.offset
        #expect(value12 == 52)
        let value13 = child.path.description
        #expect(value13 == "meta/iprp")
        let value14 = try child.readBytes(3)
        #expect(value14 == [3, 4, 5])
        let value15 = child.isAtEnd
        #expect(value15)
    }

    @Test("A child cursor larger than its parent is refused", arguments: [13, Int.max, -1])
    func oversizedChild(byteCount: Int) throws {
        #expect(throws: ContainerError.self) {
            var cursor = ByteCursor(Self.bytes.span)
            _ = try cursor.child(byteCount: byteCount).remaining
        }
        #expect(throws: ContainerError.self) {
            var cursor = ByteCursor(Self.bytes.span)
            try cursor.skip(byteCount)
        }
    }
}
