internal import ByteParsing

/// The grid of chunks of an HDF5 dataset, and the index of their addresses.
struct HDF5ChunkIndex {
    /// A stored chunk.
    struct Entry {
        /// Its position, in chunks.
        var row: Int
        var column: Int
        var record: HDF5ChunkRecord
    }

    /// The kinds of indexes, with their numbers in layouts of version 4 and 5; `oldTree` is the only one before.
    private enum Kind: Int {
        case oldTree, single, implicit, fixedArray, extensibleArray, newTree
    }

    /// The size of a chunk in samples.
    let width: Int
    let height: Int
    /// Whether chunks that extend beyond the dataset are stored without filters.
    private(set) var keepsEdges = false
    /// The address of the index, or of the chunks themselves.
    let address: Int
    private let kind: Kind
    /// The only chunk of ``Kind/single``, if it is filtered.
    private var single: (byteCount: Int, skippedFilters: Int)?
    private let byteCount: Int
    private let isFiltered: Bool

    /// Reads a chunked layout (§IV.A.2.i) behind its class.
    init(
        _ cursor: inout ByteCursor, version: UInt8, type: SampleType, isFiltered: Bool, in file: HDF5File
    ) throws(ContainerError) {
        self.isFiltered = isFiltered
        let flags = version == 3 ? 0 : try cursor.readByte()
        let dimensions = try cursor.readByte()
        guard dimensions == 3 else {
            throw cursor.malformed("chunks of a 2-dimensional HDF5 dataset have \(dimensions) - 1 dimensions")
        }
        var place = version == 3 ? try file.address(&cursor) : nil
        let numberSize = version == 3 ? 4 : Int(try cursor.readByte())
        (height, width) = (try cursor.readNumber(numberSize), try cursor.readNumber(numberSize))
        let pixels = try file.limits.pixelCount(width: width, height: height, in: HDF5File.path)
        guard try cursor.readNumber(numberSize) == type.byteCount else {
            throw cursor.malformed("samples of an HDF5 chunk have another size than those of its dataset")
        }
        try file.limits.checkMemory(pixels: pixels, bytesPerPixel: 2 * type.byteCount, in: HDF5File.path)
        byteCount = pixels * type.byteCount
        if version > 3 {
            keepsEdges = flags & 1 != 0
            let number = try cursor.readByte()
            guard let kind = Kind(rawValue: Int(number)), kind != .oldTree else {
                throw cursor.malformed("kind of an HDF5 index of chunks is \(number), not 1 to 5")
            }
            self.kind = kind
            if kind == .single, flags & 2 != 0 {
                single = (try file.length(&cursor), try cursor.readUInt32())
            }
            // The parameters of the others are in their headers, too.
            try cursor.skip([0, 0, 0, 1, 5, 6][kind.rawValue])
            place = try file.address(&cursor)
        } else {
            kind = .oldTree
        }
        guard let place else {
            throw cursor.failure(.unsupported(feature: "an HDF5 dataset without samples"))
        }
        address = place
    }

    /// The stored chunks of a dataset of `down` × `across` chunks, in any order.
    ///
    /// - Parameter most: The numbers of chunks that the dataset may grow to, at least the numbers it has; `nil` for any number.
    ///   Arrays have a record for each of these chunks, row by row.
    func entries(
        down: Int, across: Int, most: (down: Int?, across: Int?), in file: HDF5File
    ) throws(ContainerError) -> [Entry] {
        switch kind {
        case .oldTree: return try oldTree(in: file)
        case .newTree: return try file.chunks(inNewTreeAt: address, byteCount: isFiltered ? nil : byteCount)
        default: break
        }
        // An extensible array grows along the dimension without bounds: records are column by column if only that of columns is.
        let isByColumn = kind == .extensibleArray && most.down != nil && most.across == nil
        let (lines, length) = isByColumn ? (across, most.down ?? down) : (down, most.across ?? across)
        let (count, overflow) = lines.multipliedReportingOverflow(by: length)
        try file.limits.check(.items, overflow ? .max : count, at: address, in: HDF5File.path)
        var entries: [Entry] = []
        for (index, record) in try records(count: count, in: file).enumerated() {
            let (line, place) = (index / length, index % length)
            let (row, column) = isByColumn ? (place, line) : (line, place)
            guard let record, row < down, column < across else { continue }
            entries.append(Entry(row: row, column: column, record: record))
        }
        return entries
    }

    /// The records of the first chunks, in their order in the index; `nil` for chunks that are not stored.
    private func records(count: Int, in file: HDF5File) throws(ContainerError) -> [HDF5ChunkRecord?] {
        let known = isFiltered ? nil : byteCount
        switch kind {
        case .fixedArray: return try file.records(inFixedArrayAt: address, count: count, byteCount: known)
        case .extensibleArray:
            return try file.records(inExtensibleArrayAt: address, count: count, byteCount: known)
        case .implicit:
            let (total, overflow) = count.multipliedReportingOverflow(by: byteCount)
            let (end, isTooMuch) = address.addingReportingOverflow(total)
            guard !overflow, !isTooMuch else {
                throw ContainerError(.arithmeticOverflow, at: address, in: HDF5File.path)
            }
            try file.source.check(address..<end, in: HDF5File.path)
            return (0..<count).map {
                HDF5ChunkRecord(address: address + $0 * byteCount, byteCount: byteCount)
            }
        default:
            return [
                HDF5ChunkRecord(
                    address: address, byteCount: single?.byteCount ?? byteCount,
                    skippedFilters: single?.skippedFilters ?? 0)
            ]
        }
    }

    /// The chunks of a tree of version 1, whose keys are the packed size, the skipped filters and the first sample's position
    /// in three dimensions.
    private func oldTree(in file: HDF5File) throws(ContainerError) -> [Entry] {
        var entries: [Entry] = []
        for leaf in try file.leaves(ofTreeAt: address, kind: 1, keySize: 32, countedBy: .items) {
            var cursor = ByteCursor(hdf5: leaf.key.span, at: leaf.address)
            let (stored, skipped) = (try cursor.readUInt32(), try cursor.readUInt32())
            let y = try cursor.readUnsigned(byteCount: 8)
            let x = try cursor.readUnsigned(byteCount: 8)
            guard x % width == 0, y % height == 0 else {
                throw cursor.malformed("a chunk of an HDF5 dataset starts at row \(y), column \(x)")
            }
            entries.append(
                Entry(
                    row: y / height, column: x / width,
                    record: HDF5ChunkRecord(
                        address: leaf.address, byteCount: stored, skippedFilters: skipped)))
        }
        return entries
    }
}
