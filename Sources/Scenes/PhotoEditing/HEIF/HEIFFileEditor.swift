internal import Bytes
internal import PhotoFormats
internal import PhotoWriting

/// Edits the items of a HEIF file: `meta` is rewritten, data of new items follows the last `mdat`, and all other bytes are
/// copied.
struct HEIFFileEditor {
    let bytes: [UInt8]
    var graph: ItemGraph
    private let boxes: [Box]
    private let meta: Box
    /// Ranges to remove from data boxes, in offsets of the old file.
    private var removed: [Range<Int>] = []
    /// The concatenated data of new items, and the items with their offsets in it.
    private var added: [UInt8] = []
    private var newItems: Set<Int> = []

    init(_ bytes: [UInt8], limits: DecodingLimits) throws(ContainerError) {
        self.bytes = bytes
        let file = try HEIFFile(MemorySource(bytes), start: bytes, limits: limits)
        boxes = file.boxes
        guard let meta = boxes.first(where: { $0.type == "meta" }) else {
            throw ContainerError(.malformed(rule: "the file has no 'meta' box"))
        }
        self.meta = meta
        graph = ItemGraph(file, bytes, meta: meta)
    }

    /// Adds a hidden item.
    mutating func addItem(
        type: FourCC, contentType: String? = nil, _ data: [UInt8]
    ) throws(ContainerWritingError) -> Int {
        let id = try graph.addItem(type: type, contentType: contentType, at: added.count, length: data.count)
        added += data
        newItems.insert(id)
        return id
    }

    /// Removes an item, with its data unless another item uses that, too.
    mutating func remove(_ item: Int) {
        let before = graph.locations
        let gone = graph.remove(item)
        let kept = graph.locations.filter { $0.construction == .file && !newItems.contains($0.item) }
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
                    $0.type == "mdat" && $0.payload.lowerBound <= range.lowerBound
                        && range.upperBound <= $0.payload.upperBound
                }
                guard isData, !kept.contains(where: { $0.overlaps(range) }),
                    !removed.contains(where: { $0.overlaps(range) })
                else { continue }
                removed.append(range)
            }
        }
    }

    /// The file. Throws ``PhotoEditingError/hasTracks`` if anything other than items refers to data by offset, and
    /// ``PhotoEditingError/overlapsItems(_:)`` if an item uses bytes of the list of items.
    func serialized() throws -> [UInt8] {
        guard !boxes.contains(where: { $0.type == "moov" || $0.type == "moof" }) else {
            throw PhotoEditingError.hasTracks
        }
        let graph = try graphSplitForNewData()
        // The size of the box does not depend on the offsets in it, so a first run determines all of them.
        let newMeta = try graph.serialized().count
        let dataOffset = offsetForData
        let dataHeader = added.isEmpty ? 0 : 8
        func moved(_ offset: Int) -> Int {
            // Offsets beyond the end of the file are kept.
            guard offset <= bytes.count else { return offset }
            var result = offset
            if offset >= meta.range.upperBound { result += newMeta - meta.range.count }
            if offset >= dataOffset, !added.isEmpty { result += dataHeader + added.count }
            for range in removed where range.lowerBound < offset {
                result -= min(range.upperBound, offset) - range.lowerBound
            }
            return result
        }
        var placed = graph
        // The new data begins after everything that is copied before it.
        var start = dataOffset + dataHeader
        if dataOffset >= meta.range.upperBound { start += newMeta - meta.range.count }
        for range in removed where range.lowerBound < dataOffset { start -= range.count }
        for (index, location) in placed.locations.enumerated() where location.isInFile {
            let isNew = newItems.contains(location.item)
            placed.locations[index].extents = location.extents.map { extent in
                var extent = extent
                extent.offset = isNew ? start + extent.offset : moved(extent.offset)
                return extent
            }
        }
        var output = ByteWriter()
        for box in boxes {
            if box.range == meta.range {
                output.append(try placed.serialized())
            } else {
                copy(box, to: &output)
            }
            if box.range.upperBound == dataOffset, !added.isEmpty {
                try output.appendBox("mdat") { $0.append(added) }
            }
        }
        // Trailing bytes after the last box.
        output.append(bytes[(boxes.last?.range.upperBound ?? 0)...])
        return output.bytes
    }

    /// The items, with each extent that spans the insertion point split into two.
    private func graphSplitForNewData() throws(PhotoEditingError) -> ItemGraph {
        let split = offsetForData
        var graph = graph
        for (index, location) in graph.locations.enumerated()
        where location.isInFile && !newItems.contains(location.item) {
            var extents: [ItemLocation.Extent] = []
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
                for part in [extent.offset..<split, split..<end] {
                    extents.append(
                        ItemLocation.Extent(index: extent.index, offset: part.lowerBound, length: part.count))
                }
            }
            graph.locations[index].extents = extents
        }
        return graph
    }

    /// After the last data box, or after `meta`.
    private var offsetForData: Int {
        (boxes.last { $0.type == "mdat" } ?? meta).range.upperBound
    }

    /// Copies a box without the removed ranges. A box that extended to the end of the file gets an explicit size.
    private func copy(_ box: Box, to output: inout ByteWriter) {
        let cuts = removed.filter {
            box.payload.lowerBound <= $0.lowerBound && $0.upperBound <= box.payload.upperBound
        }
        .sorted { $0.lowerBound < $1.lowerBound }
        let declaredSize = bytes[box.range].prefix(4)
        let isOpen = declaredSize.elementsEqual([0, 0, 0, 0])
        guard !cuts.isEmpty || isOpen && !added.isEmpty else { return output.append(bytes[box.range]) }
        let size = box.range.count - cuts.reduce(0) { $0 + $1.count }
        let hasLongSize = declaredSize.elementsEqual([0, 0, 0, 1])
        output.append(hasLongSize ? 1 : size, byteCount: 4)
        let type = declaredSize.endIndex..<declaredSize.endIndex + 4
        output.append(bytes[type])
        if hasLongSize { output.append(size, byteCount: 8) }
        var start = type.upperBound + (hasLongSize ? 8 : 0)
        for cut in cuts {
            output.append(bytes[start..<cut.lowerBound])
            start = cut.upperBound
        }
        output.append(bytes[start..<box.range.upperBound])
    }
}
