internal import ByteParsing

extension HDF5File {
    /// The chunks of a version 2 B-tree (§III.A.2), whose records have the position of a chunk behind the fields of arrays. All
    /// chunks have `byteCount` bytes; `nil` if each record has its own number.
    func chunks(
        inNewTreeAt address: Int, byteCount: Int?
    ) throws(ContainerError) -> [HDF5ChunkIndex.Entry] {
        let header = try structure("BTHD", at: address, byteCount: 18 + sizes.address + sizes.length)
        var cursor = ByteCursor(hdf5: header.span, at: address)
        try cursor.skip(6)
        let (nodeSize, recordSize) = (try cursor.readUInt32(), try cursor.readUInt16())
        let depth = try cursor.readUInt16()
        try cursor.skip(2)
        let root = try self.address(&cursor)
        let rootCount = try cursor.readUInt16()
        // Records and a checksum fit into a node.
        guard recordSize >= 16, nodeSize >= recordSize + 10 else {
            throw cursor.malformed("an HDF5 tree has records of \(recordSize) bytes in nodes of \(nodeSize)")
        }
        try limits.check(.nesting, depth, at: address, in: Self.path)
        guard let root else { return [] }
        // The bytes of the numbers of records in a child, and below it, by the level of the child.
        var most = (nodeSize - 10) / recordSize
        let countSize = Self.byteCount(of: most)
        var (total, totalSizes) = (most, [0])
        for _ in 0..<depth {
            let pointerSize = sizes.address + countSize + (totalSizes.last ?? 0)
            most = max(0, nodeSize - 10 - pointerSize) / (recordSize + pointerSize)
            let (product, overflow) = total.multipliedReportingOverflow(by: most + 1)
            total = overflow ? .max : product.addingReportingOverflow(most).partialValue
            guard !overflow, total > 0 else {
                throw cursor.malformed("an HDF5 tree of \(depth) levels is too large")
            }
            totalSizes.append(Self.byteCount(of: total))
        }
        var (pending, entries) = ([(address: root, count: rootCount, level: depth)], [HDF5ChunkIndex.Entry]())
        var nodes = 0
        while let node = pending.popLast() {
            nodes += 1
            try limits.check(
                .items, entries.count + pending.count + nodes + node.count, at: node.address, in: Self.path)
            let pointerSize = node.level == 0 ? 0 : sizes.address + countSize + totalSizes[node.level - 1]
            let bytes = try structure(
                node.level == 0 ? "BTLF" : "BTIN", at: node.address,
                byteCount: 6 + node.count * recordSize + (node.level == 0 ? 0 : node.count + 1) * pointerSize)
            var cursor = ByteCursor(hdf5: bytes.span, at: node.address)
            try cursor.skip(6)
            for _ in 0..<node.count {
                let record = try record(&cursor, byteCount: byteCount, recordSize: recordSize - 16)
                let (row, column) = (try cursor.readNumber(8), try cursor.readNumber(8))
                if let record { entries.append(.init(row: row, column: column, record: record)) }
            }
            guard node.level > 0 else { continue }
            for _ in 0...node.count {
                let child = try requiredAddress(&cursor)
                let count = try cursor.readNumber(countSize)
                try cursor.skip(pointerSize - sizes.address - countSize)
                pending.append((child, count, node.level - 1))
            }
        }
        return entries
    }

    /// How many bytes a number takes.
    private static func byteCount(of number: Int) -> Int {
        (Int.bitWidth - number.leadingZeroBitCount + 7) / 8
    }
}
