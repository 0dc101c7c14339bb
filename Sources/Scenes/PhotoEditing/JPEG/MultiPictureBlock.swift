internal import Bytes
internal import PhotoFormats

/// The block of a multi-picture index (CIPA DC-007 §5), stored field by field so that unchanged ones stay.
struct MultiPictureBlock {
    /// One image of the file.
    struct Entry: Hashable {
        /// Dependency flags, format and type.
        var attributes: Int
        var size: Int
        /// The offset in the file; 0 for the photo.
        var offset: Int
        /// The index of the insertion that contains an image which is not in the file yet.
        var insertion: Int?
        /// The numbers of two dependent images.
        var dependents = 0
    }

    private var byteOrder = ByteOrder.bigEndian
    private var index: [TIFFField]
    private var attributes: [TIFFField] = []
    /// The images, the photo first.
    var entries: [Entry]

    private static let (version, numberOfImages, imageList, imageNames) = (0xB000, 0xB001, 0xB002, 0xB003)

    /// An index for a file without one.
    init() {
        index = [TIFFField(tag: Self.version, type: 7, count: 4, bytes: Array("0100".utf8))]
        entries = [Entry(attributes: 0x03_0000, size: 0, offset: 0)]
    }

    /// Reads a block that starts with its TIFF header at `base`.
    ///
    /// Throws as ``MultiPictureIndex`` does, and if it lists no images.
    init(parsing bytes: [UInt8], at base: Int, limits: DecodingLimits) throws(ContainerError) {
        let block = try MultiPictureIndex(parsing: bytes, at: base, limits: limits)
        guard !block.entries.isEmpty else {
            throw ContainerError(
                .malformed(rule: "the index (MPF) lists no images"), at: base, in: StructurePath("MPF"))
        }
        let directories = try block.fields(in: bytes, limits: limits)
        byteOrder = block.byteOrder
        index = directories.first ?? []
        attributes = directories.dropFirst().first ?? []
        entries = block.entries.map {
            Entry(attributes: $0.attributes, size: $0.size, offset: $0.offset, dependents: $0.dependents)
        }
    }

    /// Removes images, and adjusts the numbers of dependent images (CIPA DC-007 §5.2.3.3; numbers start at 1; 0 means
    /// no image).
    mutating func removeEntries(where isRemoved: (Entry) -> Bool) {
        let gone = entries.indices.filter { isRemoved(entries[$0]) }.map { $0 + 1 }
        guard !gone.isEmpty else { return }
        entries.removeAll(where: isRemoved)
        func renumbered(_ number: Int) -> Int {
            gone.contains(number) ? 0 : number - gone.count { $0 < number }
        }
        for index in entries.indices {
            let pair = entries[index].dependents
            entries[index].dependents = renumbered(pair >> 16) << 16 | renumbered(pair & 0xFFFF)
        }
    }

    /// Inserts an image, and adjusts the numbers of dependent images.
    mutating func insert(_ entry: Entry, at position: Int) {
        func renumbered(_ number: Int) -> Int { number > position ? number + 1 : number }
        for index in entries.indices {
            let pair = entries[index].dependents
            entries[index].dependents = renumbered(pair >> 16) << 16 | renumbered(pair & 0xFFFF)
        }
        entries.insert(entry, at: position)
    }

    /// The block for an offset of its TIFF header in the file; its length depends only on the number of images.
    func serialized(at base: Int) throws(PhotoEditingError) -> [UInt8] {
        var list: [UInt8] = []
        for (number, entry) in entries.enumerated() {
            let offset = number == 0 ? 0 : entry.offset - base
            for value in [entry.attributes, entry.size, offset, entry.dependents] {
                guard UInt32(exactly: value) != nil else { throw .noRoom("the index (MPF)") }
                list += byteOrder.bytes(of: value, count: 4)
            }
        }
        var fields = index.filter { field in
            ![Self.numberOfImages, Self.imageList].contains(field.tag)
                // A name of 33 bytes for each image: a field for another number of images is invalid.
                && (field.tag != Self.imageNames || field.bytes.count == 33 * entries.count)
        }
        fields.append(
            TIFFField(
                tag: Self.numberOfImages, type: 4, count: 1,
                bytes: byteOrder.bytes(of: entries.count, count: 4)))
        fields.append(TIFFField(tag: Self.imageList, type: 7, count: list.count, bytes: list))
        var output = ExifTree.header(byteOrder)
        output +=
            ExifTree(fields).serialized(at: output.count, byteOrder, isFollowed: !attributes.isEmpty).bytes
        if attributes.isEmpty { return output }
        return output + ExifTree(attributes).serialized(at: output.count, byteOrder).bytes
    }
}
