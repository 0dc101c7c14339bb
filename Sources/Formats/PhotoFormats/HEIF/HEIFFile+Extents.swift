internal import Bytes

extension HEIFFile {
    /// The byte ranges of an item's data, in order, inside the source of its offsets.
    func extents(ofItem id: Int) throws(ContainerError) -> [Range<Int>] {
        var count = 0
        return try extents(ofItem: id, inside: [], count: &count)
    }

    /// `outer` are the items that this one is part of. `count` is the number of items visited, so that nested extents cannot
    /// multiply.
    private func extents(
        ofItem id: Int, inside outer: [Int], count: inout Int
    ) throws(ContainerError) -> [Range<Int>] {
        let path = StructurePath("meta").appending("iloc")
        guard !outer.contains(id) else {
            throw ContainerError(
                .malformed(rule: "item \(id): construction by item offset is circular"), at: metaOffset,
                in: path)
        }
        count += 1
        try limits.check(.nesting, count, at: metaOffset, in: path)
        guard let location = locations.location(ofItem: id) else {
            throw ContainerError(.malformed(rule: "item \(id) has no location"), at: metaOffset, in: path)
        }
        guard location.isLocal else {
            throw ContainerError(
                .unsupported(feature: "item \(id) in another file"), at: location.entryOffset, in: path)
        }
        let inputs = location.construction == .item ? targets(of: "iloc", from: id) : []
        var ranges: [Range<Int>] = []
        for extent in locations.extents(of: location) {
            let sources = try sources(of: extent, location, inputs, inside: outer, count: &count, in: path)
            ranges += try Self.part(
                of: sources, offset: extent.offset, length: extent.length, item: id, at: location.entryOffset,
                in: path)
            try limits.check(.extents, ranges.count, at: location.entryOffset, in: path)
        }
        return ranges
    }

    /// The bytes that the offset of an extent is relative to. `inputs` are the items that this one refers to.
    private func sources(
        of extent: ItemLocation.Extent, _ location: ItemLocation, _ inputs: [Int], inside outer: [Int],
        count: inout Int, in path: StructurePath
    ) throws(ContainerError) -> [Range<Int>] {
        let id = location.itemID
        func malformed(_ rule: String) -> ContainerError {
            ContainerError(.malformed(rule: rule), at: location.entryOffset, in: path)
        }
        switch location.construction {
        case .file: return [0..<source.byteCount]
        case .itemData:
            guard let itemData else { throw malformed("item \(id) is in 'idat', which the file lacks") }
            return [itemData]
        case .item:
            let number = max(extent.index, 1)
            guard number <= inputs.count else {
                throw malformed("item \(id) uses reference \(number) ('iloc'); it has \(inputs.count)")
            }
            return try extents(ofItem: inputs[number - 1], inside: outer + [id], count: &count)
        }
    }

    /// Extracts `length` bytes (0: all that remain) at `offset` from joined ranges.
    private static func part(
        of sources: [Range<Int>], offset: Int, length: Int, item: Int, at place: Int, in path: StructurePath
    ) throws(ContainerError) -> [Range<Int>] {
        let total = sources.reduce(0) { $0 + $1.count }
        guard offset <= total, length <= total - offset else {
            throw ContainerError(
                .malformed(
                    rule:
                        "item \(item), \(length) bytes at \(offset), extends past the end of its data, \(total) bytes"
                ),
                at: place, in: path)
        }
        var (skip, wanted) = (offset, length == 0 ? total - offset : length)
        var parts: [Range<Int>] = []
        for range in sources where wanted > 0 {
            let start = range.lowerBound + min(skip, range.count)
            skip -= start - range.lowerBound
            let end = min(range.upperBound, start + wanted)
            if start < end { parts.append(start..<end) }
            wanted -= end - start
        }
        return parts
    }

    /// Reads an item's data, up to a limit.
    func data(ofItem id: Int, limit: DecodingLimits.Name) throws(ContainerError) -> (
        bytes: [UInt8], offset: Int
    ) {
        let ranges = try extents(ofItem: id)
        let offset = ranges.first?.lowerBound ?? 0
        try limits.check(limit, ranges.reduce(0) { $0 + $1.count }, at: offset)
        guard ranges.count != 1 else { return (try bytes(ranges[0]), offset) }
        source.prefetch(ranges)
        var bytes: [UInt8] = []
        for range in ranges { bytes += try self.bytes(range) }
        return (bytes, offset)
    }
}
