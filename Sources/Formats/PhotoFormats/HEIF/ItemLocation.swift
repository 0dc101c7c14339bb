internal import Bytes

/// Where the data of one item is (`iloc`, ISO/IEC 14496-12 §8.11.3).
package struct ItemLocation: Sendable {
    /// The source that offsets are relative to.
    package enum Construction: Int, Sendable {
        /// The start of the file.
        case file = 0
        /// The payload of the `idat` box.
        case itemData = 1
        /// The data of another item, found by a reference of type `iloc`.
        case item = 2
    }

    /// A run of bytes, relative to a base that may be unknown yet.
    package struct Extent: Sendable {
        /// Which reference of type `iloc`, starting at 1; for ``Construction/item`` only.
        package var index: Int
        /// The offset of the first byte.
        package var offset: Int
        /// The number of bytes; 0 for the complete source.
        package var length: Int

        /// A run of bytes.
        package init(index: Int = 0, offset: Int, length: Int) {
            (self.index, self.offset, self.length) = (index, offset, length)
        }
    }

    package var itemID: Int
    /// The source that offsets are relative to.
    package var construction: Construction
    /// The number of the file with the data; 0 is this one.
    package var dataReference: Int
    /// The range of its extents in the list for all items.
    var extents: Range<Int>
    /// The offset of the entry in the file.
    package var entryOffset: Int

    /// Whether the data is in this file.
    var isLocal: Bool { dataReference == 0 }

    /// The location of an item in one piece, the first extent in the list.
    init(itemID: Int, entryOffset: Int) {
        (self.itemID, self.entryOffset) = (itemID, entryOffset)
        (construction, dataReference, extents) = (.file, 0, 0..<1)
    }

    /// Reads an entry of an `iloc` box, and adds its extents to a list.
    init(
        parsing box: inout ByteCursor, version: Int, widths: ItemLocationTable.Widths, limits: DecodingLimits,
        extents: inout [Extent]
    ) throws(ContainerError) {
        entryOffset = box.offset
        itemID = try box.readUnsigned(byteCount: version < 2 ? 2 : 4)
        let method = version > 0 ? try box.readUInt16() & 15 : 0
        guard let construction = Construction(rawValue: method) else {
            throw box.malformed("item \(itemID) has construction method \(method); 0, 1 and 2 exist")
        }
        self.construction = construction
        dataReference = try box.readUInt16()
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
