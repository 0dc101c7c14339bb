internal import Bytes

/// The key before each field of a protocol buffer message (Protocol Buffers, *Encoding*).
struct ProtobufKey {
    /// The field's number.
    var number: Int
    /// The encoding of its value: 0 a varint, 1 eight bytes, 2 a length and bytes, 5 four bytes.
    var wireType: Int
}

extension ByteCursor {
    /// Reads an integer of 7 bits per byte, least significant first.
    @_lifetime(self: copy self)
    mutating func readVarint() throws(ContainerError) -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while shift < 70 {
            let byte = try readByte()
            value |= shift < 64 ? UInt64(byte & 0x7F) << shift : 0
            if byte < 0x80 { return value }
            shift += 7
        }
        throw malformed("integer of a protocol buffer is longer than 10 bytes")
    }

    /// Reads the key of the next field.
    @_lifetime(self: copy self)
    mutating func readProtobufKey() throws(ContainerError) -> ProtobufKey {
        let start = offset
        let key = try readVarint()
        guard let number = Int(exactly: key >> 3), number > 0, number < 1 << 29 else {
            throw ContainerError(
                .malformed(rule: "field of a protocol buffer has number \(key >> 3), not 1 to 536870911"),
                at: start, in: path)
        }
        return ProtobufKey(number: number, wireType: Int(key & 7))
    }

    /// A cursor over the bytes of a field, after its length.
    @_lifetime(copy self)
    @_lifetime(self: copy self)
    mutating func readProtobufMessage(_ key: ProtobufKey) throws(ContainerError) -> ByteCursor {
        guard key.wireType == 2 else {
            throw malformed(
                "field \(key.number) of a protocol buffer has wire type \(key.wireType), not 2 (a message)")
        }
        guard let count = Int(exactly: try readVarint()) else { throw failure(.arithmeticOverflow) }
        return try child(byteCount: count)
    }

    /// The text of a field.
    @_lifetime(self: copy self)
    mutating func readProtobufText(_ key: ProtobufKey) throws(ContainerError) -> String {
        var text = try readProtobufMessage(key)
        return String(decoding: try text.readRemainingBytes(), as: UTF8.self)
    }

    /// The integers of a field, single or packed.
    @_lifetime(self: copy self)
    mutating func readProtobufIntegers(_ key: ProtobufKey) throws(ContainerError) -> [Int] {
        if key.wireType == 0 { return [Int(truncatingIfNeeded: try readVarint())] }
        var packed = try readProtobufMessage(key)
        var values: [Int] = []
        while !packed.isAtEnd { values.append(Int(truncatingIfNeeded: try packed.readVarint())) }
        return values
    }

    /// Skips the value of a field.
    @_lifetime(self: copy self)
    mutating func skipProtobufValue(_ key: ProtobufKey) throws(ContainerError) {
        switch key.wireType {
        case 0: _ = try readVarint()
        case 1: try skip(8)
        case 2: _ = try readProtobufMessage(key)
        case 5: try skip(4)
        default: throw malformed("wire type is \(key.wireType), not 0, 1, 2 or 5")
        }
    }
}
