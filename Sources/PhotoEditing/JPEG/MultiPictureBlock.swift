internal import ByteParsing

/// The block of a multi-picture index (CIPA DC-007 §5), kept field by field so that those that nobody changes stay.
struct MultiPictureBlock {
    /// One image of the file.
    struct Entry: Hashable {
        /// Dependency flags, format and type.
        var attributes: UInt32
        var size: Int
        /// The offset in the file; 0 for the photo.
        var offset: Int
        /// The number of the insertion that an image which is not in the file yet is part of.
        var insertion: Int?
        /// The numbers of two dependent images.
        var dependents: UInt32 = 0
    }

    private struct Field {
        var tag: UInt16
        var type: UInt16
        var count: Int
        var value: [UInt8]
    }

    private var isLittleEndian = false
    private var index: [Field] = []
    private var attributes: [Field] = []
    /// The images, the photo first.
    var entries: [Entry] = []

    private static let (numberOfImages, imageList, imageNames) = (
        UInt16(0xB001), UInt16(0xB002), UInt16(0xB003)
    )

    /// An index of a file that has none.
    init() {
        index = [Field(tag: 0xB000, type: 7, count: 4, value: Array("0100".utf8))]
        entries = [Entry(attributes: 0x03_0000, size: 0, offset: 0)]
    }

    /// Reads a block that starts with its TIFF header at `base`.
    init(parsing bytes: [UInt8], at base: Int, limits: DecodingLimits) throws(ContainerError) {
        let path = StructurePath("MPF")
        func malformed(_ rule: String, _ place: Int = 0) -> ContainerError {
            ContainerError(.malformed(rule: rule), at: base + place, in: path)
        }
        guard bytes.count >= 8, bytes.starts(with: [0x4D, 0x4D]) || bytes.starts(with: [0x49, 0x49]) else {
            throw malformed("the index (MPF) has no TIFF header")
        }
        let isLittle = bytes[0] == 0x49
        isLittleEndian = isLittle
        func number(_ place: Int, _ count: Int) throws(ContainerError) -> Int {
            guard place >= 0, place <= bytes.count - count else {
                throw ContainerError(
                    .truncated(needed: count, available: max(0, bytes.count - place)), at: base + place,
                    in: path)
            }
            var value = 0
            for index in 0..<count {
                value = value << 8 | Int(bytes[place + (isLittle ? count - 1 - index : index)])
            }
            return value
        }
        func directory(_ place: Int) throws(ContainerError) -> (fields: [Field], next: Int) {
            let count = try number(place, 2)
            try limits.check(.directoryEntries, count, at: base + place, in: path)
            var fields: [Field] = []
            for entry in 0..<count {
                let start = place + 2 + 12 * entry
                let (tag, type) = (try number(start, 2), try number(start + 2, 2))
                let elements = try number(start + 4, 4)
                let size = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
                guard size.indices.contains(type), size[type] > 0, elements <= bytes.count else {
                    throw malformed("a field of the index (MPF) has no known type", start)
                }
                let length = elements * size[type]
                let value = length <= 4 ? start + 8 : try number(start + 8, 4)
                guard value <= bytes.count - length else {
                    throw malformed("a field of the index (MPF) ends behind it", start)
                }
                fields.append(
                    Field(
                        tag: UInt16(tag), type: UInt16(type), count: elements,
                        value: Array(bytes[value..<value + length])))
            }
            let link = place + 2 + 12 * count
            return (fields, link + 4 <= bytes.count ? try number(link, 4) : 0)
        }
        let first = try directory(try number(4, 4))
        index = first.fields
        if first.next != 0 { attributes = try directory(first.next).fields }
        guard let list = index.first(where: { $0.tag == Self.imageList }) else {
            throw malformed("the index (MPF) lists no images")
        }
        try limits.check(.images, list.value.count / 16, at: base, in: path)
        for start in stride(from: 0, to: list.value.count - 15, by: 16) {
            func word(_ place: Int) -> UInt32 {
                (0..<4).reduce(0) {
                    $0 << 8 | UInt32(list.value[start + place + (isLittle ? 3 - $1 : $1)])
                }
            }
            let offset = Int(word(8))
            entries.append(
                Entry(
                    attributes: word(0), size: Int(word(4)), offset: start == 0 ? 0 : base + offset,
                    dependents: word(12)))
        }
        guard !entries.isEmpty else { throw malformed("the index (MPF) lists no images") }
    }

    /// Takes images out, and leaves the numbers of dependent images right (CIPA DC-007 §5.2.3.3; from 1, 0 for none).
    mutating func removeEntries(where isRemoved: (Entry) -> Bool) {
        let gone = entries.indices.filter { isRemoved(entries[$0]) }.map { UInt32($0) + 1 }
        guard !gone.isEmpty else { return }
        entries.removeAll(where: isRemoved)
        func renumbered(_ number: UInt32) -> UInt32 {
            gone.contains(number) ? 0 : number - UInt32(gone.count { $0 < number })
        }
        for index in entries.indices {
            let pair = entries[index].dependents
            entries[index].dependents = renumbered(pair >> 16) << 16 | renumbered(pair & 0xFFFF)
        }
    }

    /// Puts an image in, and leaves the numbers of dependent images right.
    mutating func insert(_ entry: Entry, at position: Int) {
        func renumbered(_ number: UInt32) -> UInt32 { number > UInt32(position) ? number + 1 : number }
        for index in entries.indices {
            let pair = entries[index].dependents
            entries[index].dependents = renumbered(pair >> 16) << 16 | renumbered(pair & 0xFFFF)
        }
        entries.insert(entry, at: position)
    }

    /// The block for a place of its TIFF header in the file; its length depends on the number of images only.
    func serialized(at base: Int) throws(PhotoEditingError) -> [UInt8] {
        var list: [UInt8] = []
        for (number, entry) in entries.enumerated() {
            let offset = number == 0 ? 0 : entry.offset - base
            guard let size = UInt32(exactly: entry.size), let offset = UInt32(exactly: offset) else {
                throw .noRoom("the index (MPF)")
            }
            list += bytes(entry.attributes) + bytes(size) + bytes(offset) + bytes(entry.dependents)
        }
        var fields = index.filter { field in
            ![Self.numberOfImages, Self.imageList].contains(field.tag)
                // A name of 33 bytes for each image: those of other numbers of images mean nothing.
                && (field.tag != Self.imageNames || field.value.count == 33 * entries.count)
        }
        fields.append(
            Field(tag: Self.numberOfImages, type: 4, count: 1, value: bytes(UInt32(entries.count))))
        fields.append(Field(tag: Self.imageList, type: 7, count: list.count, value: list))
        fields.sort { $0.tag < $1.tag }
        var output: [UInt8] =
            Array((isLittleEndian ? "II" : "MM").utf8) + bytes(UInt16(42)) + bytes(UInt32(8))
        append(fields, isLast: attributes.isEmpty, to: &output)
        if !attributes.isEmpty { append(attributes, isLast: true, to: &output) }
        return output
    }

    private func append(_ fields: [Field], isLast: Bool, to output: inout [UInt8]) {
        var place = output.count + 2 + 12 * fields.count + 4
        var values: [UInt8] = []
        output += bytes(UInt16(fields.count))
        for field in fields {
            output += bytes(field.tag) + bytes(field.type) + bytes(UInt32(field.count))
            if field.value.count <= 4 {
                output += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
            } else {
                output += bytes(UInt32(place))
                let padding = field.value.count % 2
                values += field.value + [UInt8](repeating: 0, count: padding)
                place += field.value.count + padding
            }
        }
        output += bytes(UInt32(isLast ? 0 : place))
        output += values
    }

    private func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        let shifts = stride(from: Number.bitWidth - 8, through: 0, by: -8)
        let ordered = shifts.map { UInt8(truncatingIfNeeded: number >> $0) }
        return isLittleEndian ? ordered.reversed() : ordered
    }
}
