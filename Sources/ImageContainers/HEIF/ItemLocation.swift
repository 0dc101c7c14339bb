internal import ByteParsing

/// Where the data of one item is (`iloc`, ISO/IEC 14496-12 §8.11.3).
struct ItemLocation {
    /// What offsets are relative to.
    enum Construction: Int {
        /// The start of the file.
        case file = 0
        /// The payload of the `idat` box.
        case itemData = 1
        /// The data of another item, found by a reference of type `iloc`.
        case item = 2
    }

    /// One run of bytes, before its base is known.
    struct Extent {
        /// Which reference of type `iloc`, from 1; for ``Construction/item`` only.
        var index: Int
        var offset: Int
        /// 0 for all of a source.
        var length: Int
    }

    var itemID: Int
    var construction: Construction
    /// Whether the data is in this file.
    var isLocal: Bool
    /// Where its extents are among those of all items.
    var extents: Range<Int>
    /// The offset of the entry, for errors.
    var place: Int

    /// Reads all entries of an `iloc` box, sorted by item id, and their extents: a list for all items, most of which have one.
    static func parse(
        _ box: inout ByteCursor, limits: DecodingLimits
    ) throws(ContainerError) -> (locations: [ItemLocation], extents: [Extent]) {
        let (version, _) = try box.readFullBoxHeader()
        guard version <= 2 else { throw box.failure(.unsupported(feature: "version \(version) of iloc")) }
        let sizes = try box.readUInt16()
        let widths = Widths(
            offset: sizes >> 12, length: sizes >> 8 & 15, base: sizes >> 4 & 15,
            index: version > 0 ? sizes & 15 : 0)
        let count = try box.readUnsigned(byteCount: version < 2 ? 2 : 4)
        try limits.check(.items, count, at: box.offset, in: box.path)
        var (locations, extents): ([ItemLocation], [Extent]) = ([], [])
        locations.reserveCapacity(min(count, box.remaining / 6))
        extents.reserveCapacity(min(count, box.remaining / 6))
        for _ in 0..<count {
            locations.append(
                try ItemLocation(
                    parsing: &box, version: version, widths: widths, limits: limits, extents: &extents))
        }
        locations.sort { $0.itemID < $1.itemID }
        for (entry, next) in zip(locations, locations.dropFirst()) where entry.itemID == next.itemID {
            throw ContainerError(
                .malformed(rule: "item \(entry.itemID) has two locations"), at: next.place, in: box.path)
        }
        return (locations, extents)
    }

    /// The location of an item in one piece, the first extent of all.
    init(itemID: Int, place: Int) {
        (self.itemID, self.place) = (itemID, place)
        (construction, isLocal, extents) = (.file, true, 0..<1)
    }

    private struct Widths {
        var offset, length, base, index: Int
    }

    private init(
        parsing box: inout ByteCursor, version: Int, widths: Widths, limits: DecodingLimits,
        extents: inout [Extent]
    ) throws(ContainerError) {
        place = box.offset
        itemID = try box.readUnsigned(byteCount: version < 2 ? 2 : 4)
        let method = version > 0 ? try box.readUInt16() & 15 : 0
        guard let construction = Construction(rawValue: method) else {
            throw box.malformed("item \(itemID) has construction method \(method); 0, 1 and 2 exist")
        }
        self.construction = construction
        isLocal = try box.readUInt16() == 0
        let base = try box.readUnsigned(byteCount: widths.base)
        let count = try box.readUInt16()
        try limits.check(.extents, count, at: box.offset, in: box.path)
        guard count <= 1 || widths.offset + widths.length + widths.index > 0 else {
            throw box.malformed("item \(itemID) has \(count) extents with neither offset nor length")
        }
        let first = extents.count
        for _ in 0..<count {
            let index = try box.readUnsigned(byteCount: widths.index)
            let (offset, overflow) = base.addingReportingOverflow(
                try box.readUnsigned(byteCount: widths.offset))
            guard !overflow else { throw box.failure(.arithmeticOverflow) }
            extents.append(
                Extent(index: index, offset: offset, length: try box.readUnsigned(byteCount: widths.length)))
        }
        self.extents = first..<extents.count
    }
}
