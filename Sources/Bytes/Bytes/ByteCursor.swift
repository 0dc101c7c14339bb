/// A position in a bounded range of bytes. Does all bounds checks of the parsers.
///
/// A structure that declares its own length is read through a ``child(named:byteCount:)``, which cannot see past it.
package struct ByteCursor: ~Escapable {
    private let bytes: RawSpan
    private let base: Int
    /// The index of the next byte, from 0.
    package private(set) var position = 0
    /// The enclosing structure, for errors.
    package let path: StructurePath
    package var byteOrder = ByteOrder.bigEndian

    /// Starts at the first of `bytes`, whose offset in the file is `base`.
    @_lifetime(copy bytes)
    package init(_ bytes: RawSpan, base: Int = 0, path: StructurePath = StructurePath()) {
        self.bytes = bytes
        self.base = base
        self.path = path
    }

    /// Starts at the first byte of an array's span.
    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>, base: Int = 0, path: StructurePath = StructurePath()) {
        // SAFETY: every bit pattern is a byte, and a byte has no padding.
        self.init(unsafe bytes.bytes, base: base, path: path)
    }

    /// The number of bytes not yet read.
    package var remaining: Int { bytes.byteCount - position }

    /// Whether all bytes have been read.
    package var isAtEnd: Bool { remaining == 0 }

    /// The offset of the next byte in the file.
    package var offset: Int { base + position }

    /// The offsets in the file of the bytes not yet read.
    package var remainingRange: Range<Int> { offset..<offset + remaining }

    /// An error at the next byte.
    package func failure(_ reason: ContainerError.Reason) -> ContainerError {
        ContainerError(reason, at: offset, in: path)
    }

    /// An error of a broken rule, at the next byte.
    package func malformed(_ rule: String) -> ContainerError { failure(.malformed(rule: rule)) }

    /// Reads one fixed-width integer in the cursor's byte order.
    @inlinable
    @_lifetime(self: copy self)
    package mutating func read<T: FixedWidthInteger & BitwiseCopyable>(
        _: T.Type = T.self
    ) throws(ContainerError) -> T {
        let value: T = try load()
        return byteOrder == .bigEndian ? T(bigEndian: value) : T(littleEndian: value)
    }

    @usableFromInline
    @_lifetime(self: copy self)
    mutating func load<T: FixedWidthInteger & BitwiseCopyable>() throws(ContainerError) -> T {
        let size = MemoryLayout<T>.size
        guard size <= remaining else { throw failure(.truncated(needed: size, available: remaining)) }
        defer { position += size }
        // SAFETY: the guard above keeps `position + size` inside `bytes`.
        return unsafe bytes.unsafeLoadUnaligned(fromByteOffset: position, as: T.self)
    }

    /// Reads one byte.
    @_lifetime(self: copy self)
    package mutating func readByte() throws(ContainerError) -> UInt8 { try load() }

    /// Reads a 16-bit number.
    @_lifetime(self: copy self)
    package mutating func readUInt16() throws(ContainerError) -> Int {
        let value: UInt16 = try load()
        return Int(byteOrder == .bigEndian ? UInt16(bigEndian: value) : UInt16(littleEndian: value))
    }

    /// Reads a 32-bit number.
    @_lifetime(self: copy self)
    package mutating func readUInt32() throws(ContainerError) -> Int {
        let value: UInt32 = try load()
        return Int(byteOrder == .bigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value))
    }

    /// Reads an unsigned number of 0, 1, 2, 4 or 8 bytes; one beyond `Int` is an overflow. Zero bytes are 0.
    @_lifetime(self: copy self)
    package mutating func readUnsigned(byteCount: Int) throws(ContainerError) -> Int {
        switch byteCount {
        case 0: return 0
        case 1: return Int(try readByte())
        case 2: return try readUInt16()
        case 4: return try readUInt32()
        case 8:
            let start = offset
            let value: UInt64 = try read()
            guard let result = Int(exactly: value) else {
                throw ContainerError(.arithmeticOverflow, at: start, in: path)
            }
            return result
        default: throw malformed("number takes \(byteCount) bytes, not 0, 1, 2, 4 or 8")
        }
    }

    /// Reads a four-character code.
    @_lifetime(self: copy self)
    package mutating func readCode() throws(ContainerError) -> FourCharacterCode {
        FourCharacterCode(rawValue: UInt32(bigEndian: try load()))
    }

    /// Skips bytes.
    @_lifetime(self: copy self)
    package mutating func skip(_ byteCount: Int) throws(ContainerError) {
        guard (0...remaining).contains(byteCount) else {
            throw failure(.truncated(needed: byteCount, available: remaining))
        }
        position += byteCount
    }

    /// Moves to an index relative to the first byte of this cursor.
    @_lifetime(self: copy self)
    package mutating func seek(to index: Int) throws(ContainerError) {
        guard (0...bytes.byteCount).contains(index) else {
            throw failure(.truncated(needed: index, available: bytes.byteCount))
        }
        position = index
    }

    /// A cursor over the next `byteCount` bytes, which this one skips.
    @_lifetime(copy self)
    @_lifetime(self: copy self)
    package mutating func child(
        named name: FourCharacterCode? = nil, byteCount: Int
    ) throws(ContainerError) -> ByteCursor {
        guard (0...remaining).contains(byteCount) else {
            throw failure(.truncated(needed: byteCount, available: remaining))
        }
        defer { position += byteCount }
        var cursor = ByteCursor(
            bytes.extracting(position..<position + byteCount), base: offset,
            path: name.map(path.appending) ?? path)
        cursor.byteOrder = byteOrder
        return cursor
    }

    /// Copies the next bytes.
    @_lifetime(self: copy self)
    package mutating func readBytes(_ byteCount: Int) throws(ContainerError) -> [UInt8] {
        guard (0...remaining).contains(byteCount) else {
            throw failure(.truncated(needed: byteCount, available: remaining))
        }
        defer { position += byteCount }
        let part = bytes.extracting(position..<position + byteCount)
        return unsafe part.withUnsafeBytes { unsafe Array($0) }
    }

    /// Copies all bytes not yet read.
    @_lifetime(self: copy self)
    package mutating func readRemainingBytes() throws(ContainerError) -> [UInt8] { try readBytes(remaining) }

    /// Reads UTF-8 up to a NUL, which is consumed, or up to the end; invalid sequences become U+FFFD.
    @_lifetime(self: copy self)
    package mutating func readString() throws(ContainerError) -> String {
        var end = position
        while end < bytes.byteCount, byte(at: end) != 0 { end += 1 }
        let text = unsafe bytes.extracting(position..<end).withUnsafeBytes {
            unsafe String(decoding: $0, as: UTF8.self)
        }
        position = min(end + 1, bytes.byteCount)
        return text
    }

    /// Skips text up to and including its NUL, or to the end.
    @_lifetime(self: copy self)
    package mutating func skipString() {
        while position < bytes.byteCount, byte(at: position) != 0 { position += 1 }
        position = min(position + 1, bytes.byteCount)
    }

    /// Whether the next bytes equal these.
    package func starts(with prefix: StaticString) -> Bool {
        guard prefix.utf8CodeUnitCount <= remaining else { return false }
        return prefix.withUTF8Buffer { wanted in
            for index in wanted.indices where unsafe wanted[index] != byte(at: position + index) {
                return false
            }
            return true
        }
    }

    private func byte(at index: Int) -> UInt8 {
        precondition(index >= 0 && index < bytes.byteCount)
        // SAFETY: checked in the line above.
        return unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
    }
}
