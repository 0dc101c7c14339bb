package import Bytes

/// The item properties of a file and the items that have them (`iprp`, ISO/IEC 14496-12 §8.11.14).
///
/// Payloads are stored as ranges of the `meta` box and read when needed: a photo has hundreds of associations and `info`
/// needs a dozen.
package struct ItemPropertyTable: Sendable {
    /// An item's use of a property.
    package struct Use: Hashable, Sendable {
        /// The number of the property, starting at 1; 0 means no property.
        package var number: Int
        /// Whether a reader that does not know the property must ignore the item.
        package var isEssential: Bool

        /// A use of a property by its number.
        package init(number: Int, isEssential: Bool) {
            (self.number, self.isEssential) = (number, isEssential)
        }
    }

    /// A property that an item has.
    struct Association {
        var entry: Box
        var isEssential: Bool
    }

    /// The properties in `ipco`, in file order.
    package private(set) var entries: [Box] = []
    /// Item, and first and past-the-end index of its associations, sorted by item; an item may appear several times.
    private var owners: [(item: Int, first: Int, end: Int)] = []
    /// The essential flag in the highest bit, the number of the property, starting at 1, in the others; 0 means no
    /// association.
    private var associations: [UInt16] = []

    init() {}

    /// The properties of the only item.
    init(_ entries: [Box], ofItem item: Int) {
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
            entries.append(try box.readBox())
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

    /// The properties of an item, in the order of its associations. Repetitions are skipped, because a large property could
    /// otherwise be read a million times.
    ///
    /// Throws if an association names a property that does not exist, or if there are too many.
    func properties(
        ofItem item: Int, limits: DecodingLimits, in path: StructurePath
    ) throws(ContainerError) -> [Association] {
        var found: [Association] = []
        var (seen, count): (Set<Int>, Int) = ([], 0)
        let own = owners.partitioningIndex { $0.item >= item }
        for owner in owners[own...].prefix(while: { $0.item == item }) {
            count += owner.end - owner.first
            try limits.check(.properties, count, in: path)
            for use in associations[owner.first..<owner.end].lazy.map(Use.init) where use.number > 0 {
                guard use.number <= entries.count else {
                    throw ContainerError(
                        .malformed(
                            rule: "item \(item) uses property \(use.number); there are \(entries.count)"),
                        in: path)
                }
                guard seen.insert(use.number).inserted else { continue }
                found.append(Association(entry: entries[use.number - 1], isEssential: use.isEssential))
            }
        }
        return found
    }

    /// Every list of uses in `ipma`, by item; an item may have several, in file order.
    package var uses: [(item: Int, list: [Use])] {
        owners.map { ($0.item, associations[$0.first..<$0.end].map(Use.init)) }
    }
}

extension ItemPropertyTable.Use {
    /// The use that ``ItemPropertyTable`` stores as an association.
    fileprivate init(_ association: UInt16) {
        self.init(number: Int(association & 0x7FFF), isEssential: association & 0x8000 != 0)
    }
}
