internal import ByteParsing

/// The chunks of an HDF5 dataset of rows and columns: rectangles of equal size, packed one by one.
package struct HDF5Chunks: Sendable {
    /// A chunk. Its samples beyond the edges of the raster have no meaning.
    package struct Chunk: Sendable {
        /// The packed bytes.
        package var range: Range<Int>
        /// The filters that were used for it, in the order of writing.
        package var filters: [HDF5Filter]
        /// The column and the row of its first sample.
        package var x: Int
        package var y: Int
    }

    /// The arrangement of the raster.
    package let layout: SampleLayout
    /// The size of a chunk in samples.
    package let width: Int
    package let height: Int
    /// The filters of the dataset, in the order of writing.
    package let filters: [HDF5Filter]
    /// All chunks, which cover the raster.
    package private(set) var chunks: [Chunk] = []

    /// The bytes of an unpacked chunk.
    package var byteCount: Int { width * height * layout.type.byteCount }

    /// Reads a chunked layout behind its class, and the index of chunks.
    ///
    /// - Parameter most: The rows and columns that the dataset may grow to, at least those it has; `nil` for any number.
    init(
        _ cursor: inout ByteCursor, version: UInt8, _ layout: SampleLayout, most: [Int?],
        filters: [HDF5Filter], in file: HDF5File
    ) throws(ContainerError) {
        (self.layout, self.filters) = (layout, filters)
        _ = try file.limits.pixelCount(width: layout.width, height: layout.height, in: HDF5File.path)
        let index = try HDF5ChunkIndex(
            &cursor, version: version, type: layout.type, isFiltered: !filters.isEmpty, in: file)
        (width, height) = (index.width, index.height)
        // Both factors are at least 1, and at most the limit of pixels.
        let (down, across) = ((layout.height - 1) / height + 1, (layout.width - 1) / width + 1)
        let (count, overflow) = across.multipliedReportingOverflow(by: down)
        try file.limits.check(.tiles, overflow ? .max : count, in: HDF5File.path)
        let limits = (most[0].map { ($0 - 1) / height + 1 }, most[1].map { ($0 - 1) / width + 1 })
        var covered: Set<Int> = []
        for entry in try index.entries(down: down, across: across, most: limits, in: file) {
            guard entry.row < down, entry.column < across,
                covered.insert(entry.row * across + entry.column).inserted
            else {
                throw ContainerError(
                    .malformed(
                        rule: "chunks of an HDF5 dataset have the same position, or are outside of it"),
                    at: entry.record.address, in: HDF5File.path)
            }
            chunks.append(try chunk(entry, keepsEdges: index.keepsEdges, in: file))
        }
        guard chunks.count == count else {
            throw ContainerError(
                .malformed(rule: "an HDF5 dataset needs \(count) chunks, and has \(chunks.count)"),
                at: index.address, in: HDF5File.path)
        }
    }

    private func chunk(
        _ entry: HDF5ChunkIndex.Entry, keepsEdges: Bool, in file: HDF5File
    ) throws(ContainerError) -> Chunk {
        let (x, y, address) = (entry.column * width, entry.row * height, entry.record.address)
        let (end, overflow) = address.addingReportingOverflow(entry.record.byteCount)
        guard !overflow else { throw ContainerError(.arithmeticOverflow, at: address, in: HDF5File.path) }
        try file.source.check(address..<end, in: HDF5File.path)
        try file.limits.check(.codedBytes, entry.record.byteCount, at: address, in: HDF5File.path)
        let isPlain = keepsEdges && (x + width > layout.width || y + height > layout.height)
        let used = filters.enumerated().filter { entry.record.skippedFilters >> $0.offset & 1 == 0 }
        return Chunk(range: address..<end, filters: isPlain ? [] : used.map(\.element), x: x, y: y)
    }
}
