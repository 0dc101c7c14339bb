internal import ByteParsing

/// A HEIF file whose items are changed: `meta` is written again, data of new items follows the last `mdat`, and all other bytes
/// are copied.
struct HEIFFileEditor {
    let bytes: [UInt8]
    var graph: ItemGraph
    private let boxes: [BoxReader.Box]
    private let meta: BoxReader.Box
    /// What is taken out of boxes of data, in offsets of the old file.
    private var removed: [Range<Int>] = []
    /// The data of new items, one behind the other, and the items with their places in it.
    private var added: [UInt8] = []
    private var newItems: Set<Int> = []

    init(_ bytes: [UInt8], limits: DecodingLimits) throws(ContainerError) {
        self.bytes = bytes
        boxes = try BoxReader.boxes(bytes, 0..<bytes.count, limits: limits)
        guard let meta = boxes.first(where: { $0.hasType("meta") }) else {
            throw ContainerError(.malformed(rule: "the file has no 'meta' box"))
        }
        self.meta = meta
        try limits.check(
            .metadataBytes, meta.payload.count, at: meta.range.lowerBound, in: StructurePath("meta"))
        graph = try ItemGraph(bytes, meta.payload, limits: limits)
    }

    /// Adds a hidden item.
    mutating func addItem(type: String, contentType: String? = nil, _ data: [UInt8]) -> Int {
        let id = graph.addItem(type: type, contentType: contentType, at: added.count, length: data.count)
        added += data
        newItems.insert(id)
        return id
    }

    /// Takes an item out, with its data where no other item has it, too.
    mutating func remove(_ item: Int) {
        let before = graph.locations
        let gone = graph.remove(item)
        let kept = graph.locations.filter { $0.method == 0 && !newItems.contains($0.item) }
            .flatMap(\.extents).map { extent in
                let (end, overflow) = extent.offset.addingReportingOverflow(extent.length)
                return extent.offset..<(overflow ? .max : end)
            }
        for location in before
        where gone.contains(location.item) && location.isInFile {
            for extent in location.extents where extent.length > 0 {
                let (end, overflow) = extent.offset.addingReportingOverflow(extent.length)
                guard !overflow else { continue }
                let range = extent.offset..<end
                let isData = boxes.contains {
                    $0.hasType("mdat") && $0.payload.lowerBound <= range.lowerBound
                        && range.upperBound <= $0.payload.upperBound
                }
                guard isData, !kept.contains(where: { $0.overlaps(range) }),
                    !removed.contains(where: { $0.overlaps(range) })
                else { continue }
                removed.append(range)
            }
        }
    }

    /// The file. Throws ``PhotoEditingError/hasTracks`` where something else than items is found by its offset in the file, and
    /// ``PhotoEditingError/overlapsItems(_:)`` where an item has bytes of the list of items.
    func serialized() throws(PhotoEditingError) -> [UInt8] {
        guard !boxes.contains(where: { $0.hasType("moov") || $0.hasType("moof") }) else {
            throw .hasTracks
        }
        let graph = try graphSplitForNewData()
        // The size of the box does not depend on the places in it, so a first run gives all of them.
        let newMeta = try graph.serialized().count
        let dataPlace = placeForData
        let dataHeader = added.isEmpty ? 0 : 8
        func moved(_ offset: Int) -> Int {
            // What lies behind the file stays there.
            guard offset <= bytes.count else { return offset }
            var place = offset
            if offset >= meta.range.upperBound { place += newMeta - meta.range.count }
            if offset >= dataPlace, !added.isEmpty { place += dataHeader + added.count }
            for range in removed where range.lowerBound < offset {
                place -= min(range.upperBound, offset) - range.lowerBound
            }
            return place
        }
        var placed = graph
        // Where the new data will begin: behind what is copied before it.
        var start = dataPlace + dataHeader
        if dataPlace >= meta.range.upperBound { start += newMeta - meta.range.count }
        for range in removed where range.lowerBound < dataPlace { start -= range.count }
        for (index, location) in placed.locations.enumerated() where location.isInFile {
            let isNew = newItems.contains(location.item)
            placed.locations[index].extents = location.extents.map { extent in
                (extent.index, isNew ? start + extent.offset : moved(extent.offset), extent.length)
            }
        }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + newMeta + added.count)
        for box in boxes {
            if box.range == meta.range { output += try placed.serialized() } else { output += copy(of: box) }
            if box.range.upperBound == dataPlace, !added.isEmpty { output += PhotoEditing.box("mdat", added) }
        }
        // Whatever stands behind the last box.
        return output + bytes[(boxes.last?.range.upperBound ?? 0)...]
    }

    /// The items, where an extent that new data would be put into is two extents: before it, and behind it.
    private func graphSplitForNewData() throws(PhotoEditingError) -> ItemGraph {
        let split = placeForData
        var graph = graph
        for (index, location) in graph.locations.enumerated()
        where location.isInFile && !newItems.contains(location.item) {
            var extents: [(index: Int, offset: Int, length: Int)] = []
            for extent in location.extents {
                let (end, overflow) = extent.offset.addingReportingOverflow(extent.length)
                guard !overflow, extent.length > 0, end <= bytes.count else {
                    extents.append(extent)
                    continue
                }
                guard !meta.range.overlaps(extent.offset..<end) else { throw .overlapsItems(location.item) }
                guard !added.isEmpty, extent.offset < split, split < end else {
                    extents.append(extent)
                    continue
                }
                extents.append((extent.index, extent.offset, split - extent.offset))
                extents.append((extent.index, split, end - split))
            }
            graph.locations[index].extents = extents
        }
        return graph
    }

    /// Behind the last box of data, or behind `meta`.
    private var placeForData: Int {
        (boxes.last { $0.hasType("mdat") } ?? meta).range.upperBound
    }

    /// A box, without what is taken out of it; one that reached to the end of the file gets a size.
    private func copy(of box: BoxReader.Box) -> [UInt8] {
        let cuts = removed.filter {
            box.payload.lowerBound <= $0.lowerBound && $0.upperBound <= box.payload.upperBound
        }
        .sorted { $0.lowerBound < $1.lowerBound }
        let isOpen = bytes[box.range.lowerBound..<box.range.lowerBound + 4].allSatisfy { $0 == 0 }
        guard !cuts.isEmpty || isOpen && !added.isEmpty else { return Array(bytes[box.range]) }
        var payload: [UInt8] = []
        var place = box.payload.lowerBound
        for cut in cuts {
            payload += bytes[place..<cut.lowerBound]
            place = cut.upperBound
        }
        payload += bytes[place..<box.payload.upperBound]
        let headerSize = box.payload.lowerBound - box.range.lowerBound
        var header = Array(bytes[box.range.lowerBound..<box.payload.lowerBound])
        let size = headerSize + payload.count
        if headerSize == 16, !box.hasType("uuid") {
            header.replaceSubrange(8..<16, with: bigEndian(size, 8))
        } else {
            header.replaceSubrange(0..<4, with: bigEndian(size, 4))
        }
        return header + payload
    }
}
