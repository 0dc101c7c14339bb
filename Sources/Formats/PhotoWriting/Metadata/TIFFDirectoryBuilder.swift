/// A directory of tagged values, written as a big-endian TIFF stream (TIFF 6.0 §2), the form of Exif and MPF.
struct TIFFDirectoryBuilder: Hashable, Sendable {
    /// A value with its field type.
    enum Value: Hashable, Sendable {
        case ascii(String)
        case short([UInt16])
        case long([UInt32])
        case rational([Rational])
        case undefined([UInt8])
        case byte([UInt8])
        /// Fractions with the denominator 10 000.
        case signedRational([Int32])
        /// A LONG that points to these bytes: a strip of an image.
        case data([UInt8])
        /// Another directory, stored as a LONG that points to it.
        case directory(TIFFDirectoryBuilder)
        /// Two or more directories, stored as LONGs that point to them.
        case directories([TIFFDirectoryBuilder])
    }

    private var values: [UInt16: Value] = [:]

    /// The value of a tag; `nil` for a field that is not written.
    subscript(tag: UInt16) -> Value? {
        get { values[tag] }
        set { values[tag] = newValue }
    }

    /// A complete stream: the header `MM\0*`, and this directory at offset 8.
    func serialized() throws(ContainerWritingError) -> [UInt8] {
        var writer = ByteWriter()
        writer.append("MM".utf8)
        writer.append(UInt16(42))
        writer.append(UInt32(8))
        try append(to: &writer)
        return writer.bytes
    }

    /// Entries in ascending order of tags, the next-directory offset 0, then the values that do not fit the four bytes of
    /// their entries, each at an even offset.
    private func append(to writer: inout ByteWriter) throws(ContainerWritingError) {
        let sorted = values.sorted { $0.key < $1.key }
        var outside = ByteWriter()
        let outsideStart = writer.count + 2 + 12 * sorted.count + 4
        writer.append(UInt16(sorted.count))
        for (tag, value) in sorted {
            let encoded = try value.encoded(at: outsideStart + outside.count)
            writer.append(tag)
            writer.append(encoded.type)
            writer.append(try narrow(encoded.count, to: UInt32.self, field: "TIFF value count"))
            writer.append(encoded.inlineBytes)
            outside.append(encoded.outsideBytes)
        }
        writer.append(UInt32(0))
        writer.append(outside.bytes)
    }

    /// Does the same as ``append(to:)`` for a directory that starts at `offset` of the stream.
    fileprivate func serialized(at offset: Int) throws(ContainerWritingError) -> [UInt8] {
        var writer = ByteWriter()
        writer.append([UInt8](repeating: 0, count: offset))
        try append(to: &writer)
        return Array(writer.bytes[offset...])
    }
}

private struct EncodedValue {
    var type: UInt16
    var count: Int
    /// Four bytes: the value itself, or its offset.
    var inlineBytes: [UInt8]
    var outsideBytes: [UInt8] = []
}

extension TIFFDirectoryBuilder.Value {
    fileprivate func encoded(at offset: Int) throws(ContainerWritingError) -> EncodedValue {
        var writer = ByteWriter()
        switch self {
        case .ascii(let text):
            try writer.append(terminated: text, field: "TIFF ASCII value")
            return try encoded(writer.bytes, type: 2, count: writer.count, at: offset)
        case .short(let numbers):
            numbers.forEach { writer.append($0) }
            return try encoded(writer.bytes, type: 3, count: numbers.count, at: offset)
        case .long(let numbers):
            numbers.forEach { writer.append($0) }
            return try encoded(writer.bytes, type: 4, count: numbers.count, at: offset)
        case .rational(let numbers):
            for number in numbers {
                writer.append(number.numerator)
                writer.append(number.denominator)
            }
            return try encoded(writer.bytes, type: 5, count: numbers.count, at: offset)
        case .undefined(let bytes):
            return try encoded(bytes, type: 7, count: bytes.count, at: offset)
        case .byte(let bytes):
            return try encoded(bytes, type: 1, count: bytes.count, at: offset)
        case .signedRational(let numbers):
            for number in numbers {
                writer.append(number)
                writer.append(UInt32(10_000))
            }
            return try encoded(writer.bytes, type: 10, count: numbers.count, at: offset)
        case .data(let bytes):
            writer.append(try narrow(offset, to: UInt32.self, field: "TIFF offset"))
            return EncodedValue(
                type: 4, count: 1, inlineBytes: writer.bytes,
                outsideBytes: bytes.count.isMultiple(of: 2) ? bytes : bytes + [0])
        case .directories(let directories):
            var contents: [UInt8] = []
            let start = offset + 4 * directories.count
            for directory in directories {
                let place = start + contents.count
                writer.append(try narrow(place, to: UInt32.self, field: "TIFF offset"))
                contents += try directory.serialized(at: place)
            }
            var value = try encoded(writer.bytes, type: 4, count: directories.count, at: offset)
            value.outsideBytes += contents
            return value
        case .directory(let directory):
            writer.append(try narrow(offset, to: UInt32.self, field: "TIFF offset"))
            return EncodedValue(
                type: 4, count: 1, inlineBytes: writer.bytes,
                outsideBytes: try directory.serialized(at: offset))
        }
    }

    private func encoded(
        _ bytes: [UInt8], type: UInt16, count: Int, at offset: Int
    ) throws(ContainerWritingError) -> EncodedValue {
        guard bytes.count > 4 else {
            let padding = [UInt8](repeating: 0, count: 4 - bytes.count)
            return EncodedValue(type: type, count: count, inlineBytes: bytes + padding)
        }
        var pointer = ByteWriter()
        pointer.append(try narrow(offset, to: UInt32.self, field: "TIFF offset"))
        let padding: [UInt8] = bytes.count.isMultiple(of: 2) ? [] : [0]
        return EncodedValue(
            type: type, count: count, inlineBytes: pointer.bytes, outsideBytes: bytes + padding)
    }
}
