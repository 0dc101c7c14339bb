/// A directory of tagged values, written as a big-endian TIFF stream (TIFF 6.0 §2), the form of Exif and MPF.
struct TIFFDirectoryBuilder: Sendable {
    /// The values of a tag.
    struct Field: Sendable {
        var type: UInt16
        var count: Int
        /// The four bytes of the entry, and the bytes that they point to if these begin at an offset: an even number.
        var encoded:
            @Sendable (_ offset: Int) throws(ContainerWritingError) -> (entry: [UInt8], outside: [UInt8])
    }

    private var fields: [UInt16: Field] = [:]

    /// The values of a tag; `nil` for a field that is not written.
    subscript(tag: UInt16) -> Field? {
        get { fields[tag] }
        set { fields[tag] = newValue }
    }

    /// A complete stream: the header `MM\0*`, and this directory at offset 8.
    func serialized() throws(ContainerWritingError) -> [UInt8] {
        var writer = ByteWriter()
        writer.append("MM".utf8)
        writer.append(UInt16(42))
        writer.append(UInt32(8))
        writer.append(try serialized(at: writer.count))
        return writer.bytes
    }

    /// Entries in ascending order of tags, the next-directory offset 0, then the values that do not fit the four bytes of
    /// their entries, each at an even offset.
    func serialized(at offset: Int) throws(ContainerWritingError) -> [UInt8] {
        var (writer, outside) = (ByteWriter(), [UInt8]())
        let outsideStart = offset + 2 + 12 * fields.count + 4
        writer.append(UInt16(fields.count))
        for (tag, field) in fields.sorted(by: { $0.key < $1.key }) {
            let encoded = try field.encoded(outsideStart + outside.count)
            writer.append(tag)
            writer.append(field.type)
            writer.append(try narrow(field.count, to: UInt32.self, field: "TIFF value count"))
            writer.append(encoded.entry)
            outside += encoded.outside
        }
        writer.append(UInt32(0))
        return writer.bytes + outside
    }
}

extension TIFFDirectoryBuilder.Field {
    /// Values in bytes.
    init(type: UInt16, count: Int, bytes: [UInt8]) {
        self.init(type: type, count: count) { offset throws(ContainerWritingError) in
            guard bytes.count > 4 else {
                return (bytes + [UInt8](repeating: 0, count: 4 - bytes.count), [])
            }
            return (try Self.pointer(offset), bytes.count.isMultiple(of: 2) ? bytes : bytes + [0])
        }
    }

    static func ascii(_ text: String) throws(ContainerWritingError) -> Self {
        var writer = ByteWriter()
        try writer.append(terminated: text, field: "TIFF ASCII value")
        return Self(type: 2, count: writer.count, bytes: writer.bytes)
    }

    static func short(_ number: UInt16) -> Self { Self(type: 3, count: 1, bytes: [number].bytes) }

    static func long(_ number: UInt32) -> Self { Self(type: 4, count: 1, bytes: [number].bytes) }

    static func rational(_ value: Rational) -> Self {
        Self(type: 5, count: 1, bytes: [value.numerator, value.denominator].bytes)
    }

    static func undefined(_ bytes: [UInt8]) -> Self { Self(type: 7, count: bytes.count, bytes: bytes) }

    /// Another directory, stored as a LONG that points to it.
    static func directory(_ directory: TIFFDirectoryBuilder) -> Self {
        Self(type: 4, count: 1) { offset throws(ContainerWritingError) in
            (try pointer(offset), try directory.serialized(at: offset))
        }
    }

    static func pointer(_ offset: Int) throws(ContainerWritingError) -> [UInt8] {
        [try narrow(offset, to: UInt32.self, field: "TIFF offset")].bytes
    }
}

extension Array where Element: FixedWidthInteger & Sendable {
    /// The bytes of all numbers.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        for number in self { writer.append(number) }
        return writer.bytes
    }
}
