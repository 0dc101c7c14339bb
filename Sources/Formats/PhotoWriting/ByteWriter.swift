/// Collects bytes in big-endian order, which all three families of formats here use (ISO BMFF, JPEG, TIFF `MM`).
package struct ByteWriter: Sendable {
    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    var count: Int { bytes.count }

    /// Appends all bytes of a number.
    package mutating func append(_ value: some FixedWidthInteger & Sendable) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Appends the four bytes of a code.
    package mutating func append(_ code: FourCC) {
        append(code.rawValue)
    }

    package mutating func append(_ other: some Sequence<UInt8>) {
        bytes.append(contentsOf: other)
    }

    /// Appends the low `byteCount` bytes of `value`, for fields whose width the file itself declares.
    package mutating func append(_ value: Int, byteCount: Int) {
        for index in (0..<byteCount).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index)))
        }
    }

    /// Appends `text` and its terminating NUL.
    package mutating func append(terminated text: String, field: String) throws(ContainerWritingError) {
        guard !text.utf8.contains(0) else {
            throw .notRepresentable(field: field, value: "a text with a NUL")
        }
        append(text.utf8)
        bytes.append(0)
    }

    /// Appends a box. Its size is filled in after `body` has run (ISO/IEC 14496-12 §4.2).
    package mutating func appendBox(
        _ type: FourCC, _ body: (inout ByteWriter) throws(ContainerWritingError) -> Void
    ) throws(ContainerWritingError) {
        let start = count
        append(UInt32(0))
        append(type)
        try body(&self)
        let size: UInt32 = try narrow(count - start, field: "\(type) box size")
        for index in 0..<4 {
            bytes[start + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * index))
        }
    }

    /// Appends a box that starts with a version and flags (ISO/IEC 14496-12 §4.2, FullBox).
    package mutating func appendFullBox(
        _ type: FourCC, version: UInt8 = 0, flags: UInt32 = 0,
        _ body: (inout ByteWriter) throws(ContainerWritingError) -> Void
    ) throws(ContainerWritingError) {
        try appendBox(type) { writer throws(ContainerWritingError) in
            writer.append(UInt32(version) << 24 | flags & 0xFF_FFFF)
            try body(&writer)
        }
    }
}
