internal import Bytes

/// The locations of all items of a file (`iloc`, ISO/IEC 14496-12 §8.11.3), sorted by item.
package struct ItemLocationTable: Sendable {
    /// The widths of numbers in the box, in bytes: 0, 4 or 8.
    package struct Widths: Sendable {
        /// The widths of an extent's offset and length, of an item's base offset, and of the index of a reference.
        package var offset, length, base, index: Int
    }

    /// The location of each item that has one.
    package private(set) var locations: [ItemLocation] = []
    /// One list for all items, most of which have one extent.
    private var extents: [ItemLocation.Extent] = []
    /// The widths of numbers in the box.
    package private(set) var widths = Widths(offset: 4, length: 4, base: 0, index: 0)

    /// No locations.
    init() {}

    /// The location of the only item, in one piece.
    init(_ location: ItemLocation, _ extent: ItemLocation.Extent) {
        (locations, extents) = ([location], [extent])
    }

    /// Reads an `iloc` box.
    init(parsing box: inout ByteCursor, limits: DecodingLimits) throws(ContainerError) {
        let (version, _) = try box.readFullBoxHeader()
        guard version <= 2 else { throw box.failure(.unsupported(feature: "version \(version) of iloc")) }
        let sizes = try box.readUInt16()
        widths = Widths(
            offset: sizes >> 12, length: sizes >> 8 & 15, base: sizes >> 4 & 15,
            index: version > 0 ? sizes & 15 : 0)
        let count = try box.readUnsigned(byteCount: version < 2 ? 2 : 4)
        try limits.check(.items, count, at: box.offset, in: box.path)
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
                .malformed(rule: "item \(entry.itemID) has two locations"), at: next.entryOffset, in: box.path
            )
        }
    }

    /// The location of an item; `nil` if missing.
    func location(ofItem id: Int) -> ItemLocation? {
        let index = locations.partitioningIndex { $0.itemID >= id }
        return index < locations.count && locations[index].itemID == id ? locations[index] : nil
    }

    /// The extents of a location of this table.
    package func extents(of location: ItemLocation) -> ArraySlice<ItemLocation.Extent> {
        extents[location.extents]
    }
}
