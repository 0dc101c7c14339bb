internal import ByteParsing

/// The item properties of a file and which item has which (`iprp`, ISO/IEC 14496-12 §8.11.14).
///
/// Payloads are kept as ranges of the `meta` box and read when they are needed: a photo has hundreds of associations and
/// `info` needs a dozen.
struct ItemPropertyTable {
    /// A property in `ipco`.
    struct Entry {
        var type: FourCharacterCode
        /// The payload's bytes in the file.
        var range: Range<Int>
        /// The UUID of a `uuid` property.
        var uuid: String?
    }

    /// A property that an item has.
    struct Association {
        var entry: Entry
        /// Whether a reader that does not know the property must leave the item alone.
        var isEssential: Bool
    }

    private var entries: [Entry] = []
    /// Item, first and past-last association, sorted by item; an item may appear several times.
    private var owners: [(item: Int, first: Int, end: Int)] = []
    /// Essential flag in the highest bit, index from 1 below; 0 means no association.
    private var associations: [UInt16] = []

    /// An empty table.
    init() {}

    /// The properties of the only item.
    init(_ entries: [Entry], ofItem item: Int) {
        self.entries = entries
        associations = entries.indices.map { UInt16(truncatingIfNeeded: ($0 + 1) & 0x7FFF) }
        owners = [(item, 0, entries.count)]
    }

    /// Reads an `iprp` box.
    init(parsing box: inout ByteCursor, limits: DecodingLimits) throws(ContainerError) {
        while !box.isAtEnd {
            let header = try box.readBoxHeader()
            var child = try box.payload(of: header)
            switch header.type {
            case "ipco": try readEntries(&child, limits: limits)
            case "ipma": try readAssociations(&child, limits: limits)
            default: break
            }
        }
        owners.sort { ($0.item, $0.first) < ($1.item, $1.first) }
    }

    private mutating func readEntries(_ box: inout ByteCursor, limits: DecodingLimits) throws(ContainerError)
    {
        while !box.isAtEnd {
            let header = try box.readBoxHeader()
            let payload = try box.payload(of: header)
            let range = payload.offset..<payload.offset + payload.remaining
            entries.append(Entry(type: header.type, range: range, uuid: header.uuid))
            try limits.check(.properties, entries.count, at: box.offset, in: box.path)
        }
    }

    private mutating func readAssociations(_ box: inout ByteCursor, limits: DecodingLimits)
        throws(ContainerError)
    {
        let (version, flags) = try box.readFullBoxHeader()
        let count = try box.readUInt32()
        try limits.check(.items, count, at: box.offset, in: box.path)
        let isWide = flags & 1 == 1
        for _ in 0..<count {
            let item = try box.readUnsigned(byteCount: version == 0 ? 2 : 4)
            let first = associations.count
            for _ in 0..<(try box.readByte()) {
                if isWide {
                    associations.append(UInt16(try box.readUInt16()))
                } else {
                    let byte = UInt16(try box.readByte())
                    associations.append((byte & 0x80) << 8 | byte & 0x7F)
                }
            }
            owners.append((item, first, associations.count))
        }
    }

    /// The properties of an item, in the order of its associations; one that is named again is left out, because a
    /// large one could otherwise be read a million times.
    ///
    /// Throws when an association names a property that is not there, or there are too many.
    func properties(
        ofItem item: Int, limits: DecodingLimits, in path: StructurePath
    ) throws(ContainerError) -> [Association] {
        var low = 0
        var high = owners.count
        while low < high {
            let middle = (low + high) / 2
            if owners[middle].item < item { low = middle + 1 } else { high = middle }
        }
        var found: [Association] = []
        var (seen, count): (Set<Int>, Int) = ([], 0)
        while low < owners.count, owners[low].item == item {
            count += owners[low].end - owners[low].first
            try limits.check(.properties, count, in: path)
            for association in associations[owners[low].first..<owners[low].end] {
                let index = Int(association & 0x7FFF)
                guard index > 0 else { continue }
                guard index <= entries.count else {
                    throw ContainerError(
                        .malformed(rule: "item \(item) has property \(index) of \(entries.count)"),
                        in: path)
                }
                guard seen.insert(index).inserted else { continue }
                found.append(Association(entry: entries[index - 1], isEssential: association & 0x8000 != 0))
            }
            low += 1
        }
        return found
    }
}
