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

    /// Reads a layout of version 3 (§IV.A.2.i) behind its class, and the tree of chunks.
    init(
        _ cursor: inout ByteCursor, _ layout: SampleLayout, filters: [HDF5Filter], in file: HDF5File
    ) throws(ContainerError) {
        (self.layout, self.filters) = (layout, filters)
        _ = try file.limits.pixelCount(width: layout.width, height: layout.height, in: HDF5File.path)
        let dimensions = try cursor.readByte()
        guard dimensions == 3 else {
            throw cursor.malformed("chunks of a 2-dimensional HDF5 dataset have \(dimensions) - 1 dimensions")
        }
        guard let tree = try file.address(&cursor) else {
            throw cursor.failure(.unsupported(feature: "an HDF5 dataset without samples"))
        }
        (height, width) = (try cursor.readUInt32(), try cursor.readUInt32())
        let pixels = try file.limits.pixelCount(width: width, height: height, in: HDF5File.path)
        guard try cursor.readUInt32() == layout.type.byteCount else {
            throw cursor.malformed("samples of an HDF5 chunk have another size than those of its dataset")
        }
        // Both factors are at least 1, and at most the limit of pixels.
        let across = (layout.width - 1) / width + 1
        let (count, overflow) = across.multipliedReportingOverflow(by: (layout.height - 1) / height + 1)
        try file.limits.check(.tiles, overflow ? .max : count, in: HDF5File.path)
        try file.limits.checkMemory(
            pixels: pixels, bytesPerPixel: 2 * layout.type.byteCount, in: HDF5File.path)
        var covered: Set<Int> = []
        for leaf in try file.leaves(ofTreeAt: tree, kind: 1, keySize: 32, countedBy: .items) {
            let chunk = try chunk(leaf.key, at: leaf.address, in: file)
            guard covered.insert(chunk.y / height * across + chunk.x / width).inserted else {
                throw ContainerError(
                    .malformed(rule: "two chunks of an HDF5 dataset have the same position"),
                    at: leaf.address, in: HDF5File.path)
            }
            chunks.append(chunk)
        }
        guard chunks.count == count else {
            throw ContainerError(
                .malformed(rule: "an HDF5 dataset needs \(count) chunks, and has \(chunks.count)"), at: tree,
                in: HDF5File.path)
        }
    }

    /// A chunk of which the tree has this key: packed size, filters not used, then its position in three dimensions.
    private func chunk(_ key: [UInt8], at address: Int, in file: HDF5File) throws(ContainerError) -> Chunk {
        var cursor = ByteCursor(hdf5: key.span, at: address)
        let (stored, skipped) = (try cursor.readUInt32(), try cursor.readUInt32())
        let y = try cursor.readUnsigned(byteCount: 8)
        let x = try cursor.readUnsigned(byteCount: 8)
        guard x < layout.width, y < layout.height, x % width == 0, y % height == 0 else {
            throw cursor.malformed("a chunk of an HDF5 dataset starts at row \(y), column \(x)")
        }
        let (end, overflow) = address.addingReportingOverflow(stored)
        guard !overflow else { throw cursor.failure(.arithmeticOverflow) }
        try file.source.check(address..<end, in: HDF5File.path)
        try file.limits.check(.codedBytes, stored, at: address, in: HDF5File.path)
        let used = filters.enumerated().filter { skipped >> $0.offset & 1 == 0 }.map(\.element)
        return Chunk(range: address..<end, filters: used, x: x, y: y)
    }
}
