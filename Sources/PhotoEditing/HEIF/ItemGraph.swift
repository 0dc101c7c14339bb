internal import ByteParsing

/// The items of a HEIF file as its `meta` box has them (ISO/IEC 14496-12 §8.11, ISO/IEC 23008-12 §9), to add some and take some
/// out. What is not known here keeps its bytes.
struct ItemGraph {
    /// Where the data of an item is.
    struct Location {
        var item: Int
        /// 0 in the file, 1 in `idat`, 2 in another item.
        var method: Int
        var reference: Int
        /// Lengths are never 0 for "the rest of the file", which grows when data is added: they are resolved when they are read.
        var extents: [(index: Int, offset: Int, length: Int)]

        /// Whether offsets count from the start of this file.
        var isInFile: Bool { method == 0 && reference == 0 }
    }

    /// A reference of one item to others.
    struct Reference {
        var type: [UInt8]
        var from: Int
        var to: [Int]

        func hasType(_ name: String) -> Bool { type == Array(name.utf8) }
    }

    /// The use of a property by an item.
    struct Association: Hashable {
        /// From 1.
        var property: Int
        var isEssential: Bool
    }

    private enum Child {
        case kept([UInt8])
        case items, locations, references, properties, groups
    }

    /// A group of items or groups (ISO/IEC 14496-12 §8.18.3).
    private struct Group {
        var type: [UInt8]
        /// The group's number.
        var number: Int
        /// Version and flags, and the number.
        var head: [UInt8]
        /// The numbers of its items and groups; `nil` where the box does not have the form of a group, and is kept as it is.
        var members: [Int]?
        /// What follows the members, which some types of group have; without members, everything in the box.
        var rest: [UInt8]
    }

    private var children: [Child] = []
    private let header: [UInt8]
    private(set) var primaryItem = 0
    /// The entries of `iinf`, complete boxes.
    private(set) var items: [(id: Int, box: [UInt8])] = []
    var locations: [Location] = []
    private(set) var references: [Reference] = []
    private(set) var properties: [[UInt8]] = []
    private(set) var associations: [(item: Int, list: [Association])] = []
    private var groups: [Group] = []
    /// The numbers that items and groups had, which no new item gets.
    private var used: Set<Int> = []
    private var offsetSize = 4
    private var indexSize = 0

    /// Reads the payload of a `meta` box.
    init(_ bytes: [UInt8], _ payload: Range<Int>, limits: DecodingLimits) throws(ContainerError) {
        guard payload.count >= 4 else {
            throw ContainerError(
                .truncated(needed: 4, available: payload.count), at: payload.lowerBound,
                in: StructurePath("meta"))
        }
        header = Array(bytes[payload.lowerBound..<payload.lowerBound + 4])
        let inside = payload.lowerBound + 4..<payload.upperBound
        for child in try BoxReader.boxes(bytes, inside, limits: limits) {
            var reader = BoxReader(bytes, child.payload)
            switch String(decoding: child.type, as: UTF8.self) {
            case "pitm":
                let version = try reader.number(4) >> 24
                primaryItem = try reader.number(version == 0 ? 2 : 4)
                children.append(.kept(Array(bytes[child.range])))
            case "iinf":
                let version = try reader.number(4) >> 24
                _ = try reader.number(version == 0 ? 2 : 4)
                while let entry = try reader.next() {
                    try limits.check(.items, items.count + 1, at: entry.range.lowerBound)
                    items.append((try Self.identifier(entry, bytes), Array(bytes[entry.range])))
                }
                children.append(.items)
            case "iloc":
                try readLocations(&reader, limits: limits)
                children.append(.locations)
            case "iref":
                try readReferences(&reader, limits: limits)
                children.append(.references)
            case "iprp":
                try readProperties(bytes, child.payload, limits: limits)
                children.append(.properties)
            case "grpl":
                for group in try BoxReader.boxes(bytes, child.payload, limits: limits) {
                    readGroup(group, bytes)
                }
                children.append(.groups)
            default: children.append(.kept(Array(bytes[child.range])))
            }
        }
        if !children.contains(where: { if case .references = $0 { true } else { false } }) {
            children.append(.references)
        }
        let grouped = groups.flatMap { [$0.number] + ($0.members ?? []) }
        used = Set(items.map(\.id) + grouped + references.flatMap { [$0.from] + $0.to })
    }

    private mutating func readGroup(_ box: BoxReader.Box, _ bytes: [UInt8]) {
        let payload = bytes[box.payload]
        func number(_ place: Int) -> Int {
            payload.dropFirst(place).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        let count = number(8)
        guard payload.count >= 12, count <= (payload.count - 12) / 4 else {
            return groups.append(
                Group(type: box.type, number: number(4), head: [], members: nil, rest: Array(payload)))
        }
        groups.append(
            Group(
                type: box.type, number: number(4), head: Array(payload.prefix(8)),
                members: (0..<count).map { number(12 + 4 * $0) },
                rest: Array(payload.dropFirst(12 + 4 * count))))
    }

    private static func identifier(_ entry: BoxReader.Box, _ bytes: [UInt8]) throws(ContainerError) -> Int {
        var reader = BoxReader(bytes, entry.payload)
        let version = try reader.number(4) >> 24
        return try reader.number(version == 3 ? 4 : 2)
    }

    private mutating func readLocations(
        _ reader: inout BoxReader, limits: DecodingLimits
    ) throws(ContainerError) {
        let version = try reader.number(4) >> 24
        let sizes = try reader.number(2)
        let (offset, length, base) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        indexSize = version == 0 ? 0 : sizes & 15
        if offset == 8 || base == 8 || length == 8 { offsetSize = 8 }
        let count = try reader.number(version < 2 ? 2 : 4)
        try limits.check(.items, count, in: StructurePath("meta").appending("iloc"))
        for _ in 0..<count {
            let item = try reader.number(version < 2 ? 2 : 4)
            let method = version == 0 ? 0 : try reader.number(2) & 15
            let reference = try reader.number(2)
            let start = try reader.number(base)
            var location = Location(item: item, method: method, reference: reference, extents: [])
            let extents = try reader.number(2)
            try limits.check(.extents, extents, in: StructurePath("meta").appending("iloc"))
            for _ in 0..<extents {
                let index = try reader.number(indexSize)
                let (place, overflow) = start.addingReportingOverflow(try reader.number(offset))
                guard !overflow else { throw ContainerError(.arithmeticOverflow, at: reader.place) }
                var size = try reader.number(length)
                if size == 0, location.isInFile { size = max(0, reader.bytes.count - place) }
                location.extents.append((index, place, size))
            }
            locations.append(location)
        }
    }

    private mutating func readReferences(
        _ reader: inout BoxReader, limits: DecodingLimits
    ) throws(ContainerError) {
        let size = try reader.number(4) >> 24 == 0 ? 2 : 4
        var total = 0
        while let entry = try reader.next() {
            var inside = BoxReader(reader.bytes, entry.payload)
            let from = try inside.number(size)
            let count = try inside.number(2)
            total += count
            try limits.check(.references, total, in: StructurePath("meta").appending("iref"))
            var to: [Int] = []
            for _ in 0..<count { to.append(try inside.number(size)) }
            references.append(Reference(type: entry.type, from: from, to: to))
        }
    }

    private mutating func readProperties(
        _ bytes: [UInt8], _ payload: Range<Int>, limits: DecodingLimits
    ) throws(ContainerError) {
        for child in try BoxReader.boxes(bytes, payload, limits: limits) {
            if child.hasType("ipco") {
                for property in try BoxReader.boxes(bytes, child.payload, limits: limits) {
                    properties.append(Array(bytes[property.range]))
                }
            } else if child.hasType("ipma") {
                var reader = BoxReader(bytes, child.payload)
                let word = try reader.number(4)
                let (version, isWide) = (word >> 24, word & 1 == 1)
                let count = try reader.number(4)
                try limits.check(.items, count, in: StructurePath("meta").appending("ipma"))
                for _ in 0..<count {
                    let item = try reader.number(version == 0 ? 2 : 4)
                    var list: [Association] = []
                    for _ in 0..<(try reader.number(1)) {
                        let value = try reader.number(isWide ? 2 : 1)
                        let (mask, flag) = isWide ? (0x7FFF, 15) : (0x7F, 7)
                        list.append(Association(property: value & mask, isEssential: value >> flag == 1))
                    }
                    associations.append((item, list))
                }
            }
        }
    }

    // MARK: Asking

    /// The properties of an item.
    func associations(of item: Int) -> [Association] {
        associations.filter { $0.item == item }.flatMap(\.list)
    }

    /// The type of a property.
    func type(ofProperty index: Int) -> String {
        guard properties.indices.contains(index - 1), properties[index - 1].count >= 8 else { return "" }
        return String(decoding: properties[index - 1][4..<8], as: UTF8.self)
    }

    // MARK: Changing

    /// The number of a new item.
    private var nextIdentifier: Int {
        let next = (used.max() ?? 0) + 1
        return next <= 0xFFFF ? next : (1...).first { !used.contains($0) } ?? next
    }

    /// Adds a hidden item whose data is at an offset behind all others; `contentType` is for items of the type `mime`.
    mutating func addItem(type: String, contentType: String? = nil, at offset: Int, length: Int) -> Int {
        let id = nextIdentifier
        used.insert(id)
        let isLarge = id > 0xFFFF
        var payload: [UInt8] = [isLarge ? 3 : 2, 0, 0, 1] + bigEndian(id, isLarge ? 4 : 2) + [0, 0]
        payload += Array(type.utf8) + [0]
        if let contentType { payload += Array(contentType.utf8) + [0] }
        items.append((id, box("infe", payload)))
        locations.append(Location(item: id, method: 0, reference: 0, extents: [(0, offset, length)]))
        return id
    }

    /// Adds a reference, before those of another item where it has any, or else as the last.
    mutating func addReference(_ type: String, from: Int, to: [Int], before item: Int? = nil) {
        let place = references.firstIndex { $0.hasType(type) && $0.from == item }
        references.insert(
            Reference(type: Array(type.utf8), from: from, to: to), at: place ?? references.count)
    }

    /// Adds a property unless there is the same already, and returns its number.
    mutating func addProperty(_ property: [UInt8]) -> Int {
        if let known = properties.firstIndex(of: property) { return known + 1 }
        properties.append(property)
        return properties.count
    }

    /// Gives an item its properties.
    mutating func associate(_ item: Int, _ list: [Association]) { associations.append((item, list)) }

    /// Takes an item out, with the items that describe nothing else, such as its XMP, and its tiles. Returns their numbers.
    mutating func remove(_ item: Int) -> Set<Int> {
        var removed: Set<Int> = [item]
        var queue = [item]
        while let next = queue.popLast() {
            for reference in references {
                // What only describes or shows what is removed, and the tiles that nothing else is made of.
                if reference.hasType("cdsc") || reference.hasType("thmb"),
                    reference.to.allSatisfy(removed.contains),
                    removed.insert(reference.from).inserted
                {
                    queue.append(reference.from)
                }
                guard reference.hasType("dimg"), reference.from == next else { continue }
                for tile in reference.to {
                    let isShared = references.contains {
                        $0.hasType("dimg") && !removed.contains($0.from) && $0.to.contains(tile)
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
        for index in groups.indices { groups[index].members?.removeAll(where: removed.contains) }
        groups.removeAll { $0.members?.isEmpty == true }
        return removed
    }

    // MARK: Writing

    /// The `meta` box.
    func serialized() throws(PhotoEditingError) -> [UInt8] {
        var payload = header
        for child in children {
            switch child {
            case .kept(let bytes): payload += bytes
            case .items:
                let isLarge = items.count > 0xFFFF
                payload += box(
                    "iinf",
                    [isLarge ? 1 : 0, 0, 0, 0] + bigEndian(items.count, isLarge ? 4 : 2)
                        + items.flatMap(\.box))
            case .locations: payload += box("iloc", try serializedLocations())
            case .groups where groups.isEmpty: break
            case .groups:
                payload += box(
                    "grpl",
                    groups.flatMap { group in
                        guard let members = group.members else { return box(group.type, group.rest) }
                        return box(
                            group.type,
                            group.head + bigEndian(members.count, 4) + members.flatMap { bigEndian($0, 4) }
                                + group.rest)
                    })
            case .references where references.isEmpty: break
            case .references: payload += box("iref", serializedReferences)
            case .properties: payload += box("iprp", try serializedProperties())
            }
        }
        return box("meta", payload)
    }

    private var hasLargeIdentifiers: Bool { items.contains { $0.id > 0xFFFF } }

    private func serializedLocations() throws(PhotoEditingError) -> [UInt8] {
        let isLarge = hasLargeIdentifiers || locations.count > 0xFFFF
        let size = offsetSize
        var output: [UInt8] = [isLarge ? 2 : 1, 0, 0, 0, UInt8(size << 4 | size), UInt8(indexSize)]
        output += bigEndian(locations.count, isLarge ? 4 : 2)
        for location in locations {
            output += bigEndian(location.item, isLarge ? 4 : 2) + bigEndian(location.method, 2)
            output += bigEndian(location.reference, 2) + bigEndian(location.extents.count, 2)
            for extent in location.extents {
                guard size == 8 || extent.offset <= 0xFFFF_FFFF && extent.length <= 0xFFFF_FFFF else {
                    throw .noRoom("the list of items' places (iloc)")
                }
                output += bigEndian(extent.index, indexSize) + bigEndian(extent.offset, size)
                output += bigEndian(extent.length, size)
            }
        }
        return output
    }

    private var serializedReferences: [UInt8] {
        let isLarge = hasLargeIdentifiers
        let size = isLarge ? 4 : 2
        var output: [UInt8] = [isLarge ? 1 : 0, 0, 0, 0]
        for reference in references {
            let payload =
                bigEndian(reference.from, size) + bigEndian(reference.to.count, 2)
                + reference.to.flatMap { bigEndian($0, size) }
            output += box(reference.type, payload)
        }
        return output
    }

    private func serializedProperties() throws(PhotoEditingError) -> [UInt8] {
        let (isLarge, isWide) = (hasLargeIdentifiers, properties.count > 0x7F)
        guard properties.count <= 0x7FFF else { throw .noRoom("the list of properties (ipma)") }
        var output: [UInt8] = [isLarge ? 1 : 0, 0, 0, isWide ? 1 : 0] + bigEndian(associations.count, 4)
        for (item, list) in associations.sorted(by: { $0.item < $1.item }) {
            guard list.count <= 0xFF else { throw .noRoom("the properties of an item (ipma)") }
            output += bigEndian(item, isLarge ? 4 : 2) + bigEndian(list.count, 1)
            for use in list {
                let flag = use.isEssential ? (isWide ? 0x8000 : 0x80) : 0
                output += bigEndian(use.property | flag, isWide ? 2 : 1)
            }
        }
        return box("ipco", properties.flatMap(\.self)) + box("ipma", output)
    }
}
