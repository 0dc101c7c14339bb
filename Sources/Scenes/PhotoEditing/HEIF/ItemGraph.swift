internal import Bytes
internal import PhotoFormats
internal import PhotoWriting

/// The items of a HEIF file's `meta` box (ISO/IEC 14496-12 §8.11, ISO/IEC 23008-12 §9), for adding and removing some. Unknown
/// parts keep their bytes.
struct ItemGraph {
    typealias Association = ItemPropertyTable.Use

    /// The location of an item's data.
    struct Location {
        var item: Int
        var construction = ItemLocation.Construction.file
        var dataReference = 0
        /// Lengths are never 0, which would mean "the rest of the file" and grow when data is added: they are resolved when
        /// read.
        var extents: [ItemLocation.Extent]

        /// Whether offsets are relative to the start of this file.
        var isInFile: Bool { construction == .file && dataReference == 0 }
    }

    /// A property: its complete box.
    struct Property: Hashable {
        var type: FourCharacterCode
        var box: [UInt8]
    }

    /// The file.
    private let bytes: [UInt8]
    /// Version and flags of `meta`.
    private let header: ArraySlice<UInt8>
    /// The boxes in `meta`, with the original bytes of rewritten boxes.
    private let children: [Box]
    let primaryItem: Int
    /// The entries of `iinf`, complete boxes.
    private(set) var items: [(id: Int, box: [UInt8])]
    var locations: [Location]
    private(set) var references: [ItemReference]
    private(set) var properties: [Property]
    private(set) var associations: [(item: Int, list: [Association])]
    private var groups: [EntityGroup]
    /// Whether the groups could be read; otherwise their box is kept.
    private let hasGroups: Bool
    /// The identifiers of all items and groups, which new items must not reuse.
    private var used: Set<Int>
    private let offsetSize: Int
    private let indexSize: Int

    /// The items of a file with this `meta` box, each list in file order.
    init(_ file: HEIFFile, _ bytes: [UInt8], meta: Box) {
        self.bytes = bytes
        header = bytes[meta.payload].prefix(4)
        let hasReferences = file.metaBoxes.contains { $0.type == "iref" }
        children =
            file.metaBoxes + (hasReferences ? [] : [Box(lacking: "iref", at: meta.range.upperBound)])
        primaryItem = file.primaryItem
        items = file.items.sorted { $0.entry.lowerBound < $1.entry.lowerBound }
            .map { ($0.id, Array(bytes[$0.entry])) }
        let table = file.locations
        locations = table.locations.sorted { $0.entryOffset < $1.entryOffset }.map { location in
            Location(location, table.extents(of: location), fileSize: bytes.count)
        }
        references = file.references
        properties = file.propertyTable.entries.map { Property(type: $0.type, box: Array(bytes[$0.range])) }
        associations = file.propertyTable.uses
        (groups, hasGroups) = (file.groups, !file.groups.isEmpty)
        let widths = table.widths
        offsetSize = [widths.offset, widths.length, widths.base].contains(8) ? 8 : 4
        indexSize = widths.index
        let grouped = groups.flatMap { [$0.id] + $0.entities }
        used = Set(items.map(\.id) + grouped + references.flatMap { [$0.from] + $0.to })
    }

    // MARK: Queries

    /// The properties of an item.
    func associations(of item: Int) -> [Association] {
        associations.filter { $0.item == item }.flatMap(\.list)
    }

    /// The type of a property; `nil` if its number is beyond the list.
    func type(ofProperty number: Int) -> FourCharacterCode? {
        properties.indices.contains(number - 1) ? properties[number - 1].type : nil
    }

    // MARK: Changes

    /// The identifier of a new item.
    private var nextIdentifier: Int {
        let next = (used.max() ?? 0) + 1
        return next <= 0xFFFF ? next : (1...).first { !used.contains($0) } ?? next
    }

    /// Adds a hidden item whose data is at an offset after all others; `contentType` is for items of type `mime`.
    mutating func addItem(
        type: FourCC, contentType: String? = nil, at offset: Int, length: Int
    ) throws(ContainerWritingError) -> Int {
        let id = nextIdentifier
        let isLarge = id > 0xFFFF
        var entry = ByteWriter()
        try entry.appendFullBox("infe", version: isLarge ? 3 : 2, flags: 1) {
            entry throws(ContainerWritingError) in
            entry.append(id, byteCount: isLarge ? 4 : 2)
            entry.append(UInt16(0))  // item_protection_index
            entry.append(type)
            try entry.append(terminated: "", field: "infe item_name")
            if let contentType { try entry.append(terminated: contentType, field: "infe content_type") }
        }
        used.insert(id)
        items.append((id, entry.bytes))
        locations.append(
            Location(item: id, extents: [ItemLocation.Extent(offset: offset, length: length)]))
        return id
    }

    /// Adds a reference, before the references of another item if it has any, otherwise at the end.
    mutating func addReference(
        _ type: FourCharacterCode, from: Int, to: [Int], before item: Int? = nil
    ) {
        let next = references.firstIndex { $0.type == type && $0.from == item }
        references.insert(
            ItemReference(type: type, from: from, to: to), at: next ?? references.count)
    }

    /// Adds a property unless an equal one exists, and returns its number.
    mutating func addProperty(_ property: ItemProperty) throws(ContainerWritingError) -> Int {
        var writer = ByteWriter()
        try writer.appendBox(property.type) { $0.append(property.payload) }
        let new = Property(type: FourCharacterCode(rawValue: property.type.rawValue), box: writer.bytes)
        if let known = properties.firstIndex(of: new) { return known + 1 }
        properties.append(new)
        return properties.count
    }

    /// Gives an item its properties.
    mutating func associate(_ item: Int, _ list: [Association]) { associations.append((item, list)) }

    /// Removes an item together with its tiles and the items that only describe it, such as its XMP. Returns their
    /// identifiers.
    mutating func remove(_ item: Int) -> Set<Int> {
        var removed: Set<Int> = [item]
        var queue = [item]
        while let next = queue.popLast() {
            for reference in references {
                // Items that only describe or show removed ones, and tiles that no other item uses.
                if reference.type == "cdsc" || reference.type == "thmb",
                    reference.to.allSatisfy(removed.contains),
                    removed.insert(reference.from).inserted
                {
                    queue.append(reference.from)
                }
                guard reference.type == "dimg", reference.from == next else { continue }
                for tile in reference.to {
                    let isShared = references.contains {
                        $0.type == "dimg" && !removed.contains($0.from) && $0.to.contains(tile)
                    }
                    if !isShared, removed.insert(tile).inserted { queue.append(tile) }
                }
            }
        }
        items.removeAll { removed.contains($0.id) }
        locations.removeAll { removed.contains($0.item) }
        associations.removeAll { removed.contains($0.item) }
        references = references.compactMap { reference in
            guard !removed.contains(reference.from) else { return nil }
            var reference = reference
            reference.to.removeAll(where: removed.contains)
            return reference.to.isEmpty ? nil : reference
        }
        for index in groups.indices { groups[index].entities.removeAll(where: removed.contains) }
        groups.removeAll { $0.entities.isEmpty }
        return removed
    }

    // MARK: Writing

    /// The `meta` box.
    func serialized() throws -> [UInt8] {
        var payload = ByteWriter()
        payload.append(header)
        for child in children { try append(child, to: &payload) }
        var writer = ByteWriter()
        try writer.appendBox("meta") { $0.append(payload.bytes) }
        return writer.bytes
    }

    private func append(_ child: Box, to writer: inout ByteWriter) throws {
        switch child.type {
        case "iinf": try appendItems(to: &writer)
        case "iloc": try appendLocations(to: &writer)
        case "iref" where references.isEmpty: break
        case "iref": try appendReferences(to: &writer)
        case "iprp": try appendProperties(to: &writer)
        case "grpl" where hasGroups && groups.isEmpty: break
        case "grpl" where hasGroups: try appendGroups(to: &writer)
        default: writer.append(bytes[child.range])
        }
    }

    private var hasLargeIdentifiers: Bool { items.contains { $0.id > 0xFFFF } }

    private func appendItems(to writer: inout ByteWriter) throws(ContainerWritingError) {
        let isLarge = items.count > 0xFFFF
        try writer.appendFullBox("iinf", version: isLarge ? 1 : 0) { writer in
            writer.append(items.count, byteCount: isLarge ? 4 : 2)
            for item in items { writer.append(item.box) }
        }
    }

    private func appendLocations(to writer: inout ByteWriter) throws {
        let isLarge = hasLargeIdentifiers || locations.count > 0xFFFF
        let size = offsetSize
        let largest = locations.flatMap(\.extents).map { max($0.offset, $0.length) }.max() ?? 0
        guard size == 8 || largest <= 0xFFFF_FFFF else {
            throw PhotoEditingError.noRoom("the list of items' places (iloc)")
        }
        try writer.appendFullBox("iloc", version: isLarge ? 2 : 1) { writer in
            writer.append(size << 4 | size, byteCount: 1)
            writer.append(indexSize, byteCount: 1)
            writer.append(locations.count, byteCount: isLarge ? 4 : 2)
            for location in locations {
                writer.append(location.item, byteCount: isLarge ? 4 : 2)
                writer.append(location.construction.rawValue, byteCount: 2)
                writer.append(location.dataReference, byteCount: 2)
                writer.append(location.extents.count, byteCount: 2)
                for extent in location.extents {
                    writer.append(extent.index, byteCount: indexSize)
                    writer.append(extent.offset, byteCount: size)
                    writer.append(extent.length, byteCount: size)
                }
            }
        }
    }

    private func appendReferences(to writer: inout ByteWriter) throws(ContainerWritingError) {
        let isLarge = hasLargeIdentifiers
        let size = isLarge ? 4 : 2
        try writer.appendFullBox("iref", version: isLarge ? 1 : 0) { writer throws(ContainerWritingError) in
            for reference in references {
                try writer.appendBox(FourCC(rawValue: reference.type.rawValue)) { writer in
                    writer.append(reference.from, byteCount: size)
                    writer.append(reference.to.count, byteCount: 2)
                    for item in reference.to { writer.append(item, byteCount: size) }
                }
            }
        }
    }

    private func appendProperties(to writer: inout ByteWriter) throws {
        guard properties.count <= 0x7FFF else {
            throw PhotoEditingError.noRoom("the list of properties (ipma)")
        }
        guard associations.allSatisfy({ $0.list.count <= 0xFF }) else {
            throw PhotoEditingError.noRoom("the properties of an item (ipma)")
        }
        try writer.appendBox("iprp") { writer throws(ContainerWritingError) in
            try writer.appendBox("ipco") { writer in
                for property in properties { writer.append(property.box) }
            }
            try appendAssociations(to: &writer)
        }
    }

    private func appendAssociations(to writer: inout ByteWriter) throws(ContainerWritingError) {
        let (isLarge, isWide) = (hasLargeIdentifiers, properties.count > 0x7F)
        let ordered = associations.sorted { $0.item < $1.item }
        try writer.appendFullBox("ipma", version: isLarge ? 1 : 0, flags: isWide ? 1 : 0) { writer in
            writer.append(ordered.count, byteCount: 4)
            for (item, list) in ordered {
                writer.append(item, byteCount: isLarge ? 4 : 2)
                writer.append(list.count, byteCount: 1)
                for use in list {
                    let flag = use.isEssential ? (isWide ? 0x8000 : 0x80) : 0
                    writer.append(use.number | flag, byteCount: isWide ? 2 : 1)
                }
            }
        }
    }

    private func appendGroups(to writer: inout ByteWriter) throws(ContainerWritingError) {
        try writer.appendBox("grpl") { writer throws(ContainerWritingError) in
            for group in groups {
                try writer.appendBox(FourCC(rawValue: group.type.rawValue)) { writer in
                    writer.append(bytes[group.head])
                    writer.append(group.entities.count, byteCount: 4)
                    for entity in group.entities { writer.append(entity, byteCount: 4) }
                    writer.append(bytes[group.rest])
                }
            }
        }
    }
}

extension ItemGraph.Location {
    /// A location with its extents; an extent of length 0 is the rest of the file.
    fileprivate init(_ location: ItemLocation, _ extents: ArraySlice<ItemLocation.Extent>, fileSize: Int) {
        (item, construction) = (location.itemID, location.construction)
        (dataReference, self.extents) = (location.dataReference, Array(extents))
        guard isInFile else { return }
        for index in self.extents.indices where self.extents[index].length == 0 {
            self.extents[index].length = max(0, fileSize - self.extents[index].offset)
        }
    }
}
