internal import ByteParsing

/// What an index of chunks stores about a chunk.
struct HDF5ChunkRecord {
    var address: Int
    /// The packed bytes.
    var byteCount: Int
    /// The filters that were not used for it, by their bits.
    var skippedFilters = 0
}

extension HDF5File {
    /// The first `count` records of a fixed array (§VII.B), `nil` for chunks that are not stored. All chunks have `byteCount`
    /// bytes; `nil` if each record has its own number.
    func records(
        inFixedArrayAt address: Int, count: Int, byteCount: Int?
    ) throws(ContainerError) -> [HDF5ChunkRecord?] {
        let header = try structure("FAHD", at: address, byteCount: 8 + sizes.length + sizes.address)
        var cursor = ByteCursor(hdf5: header.span, at: address)
        try cursor.skip(6)
        let form = RecordForm(byteCount: byteCount, recordSize: Int(try cursor.readByte()))
        let pageBits = try cursor.readByte()
        let total = try length(&cursor)
        guard total >= count, pageBits < 32 else {
            throw cursor.malformed("an HDF5 array has records of \(total) chunks, not of \(count)")
        }
        guard let block = try self.address(&cursor) else { return Array(repeating: nil, count: count) }
        let (page, prefix) = (1 << Int(pageBits), 6 + sizes.address)
        guard total > page else {
            let bytes = try structure("FADB", at: block, byteCount: prefix + total * form.recordSize)
            return try records(form, bytes[prefix...], count: count, at: block + prefix)
        }
        // A bit for each page says whether it is written.
        let pages = (total - 1) / page + 1
        try limits.check(.items, pages, at: block, in: Self.path)
        let head = try structure("FADB", at: block, byteCount: prefix + (pages + 7) / 8)
        var found: [HDF5ChunkRecord?] = []
        for number in 0..<pages where found.count < count {
            let used = min(page, count - found.count)
            guard head[prefix + number / 8] & 0x80 >> UInt8(number % 8) != 0 else {
                found += Array(repeating: nil, count: used)
                continue
            }
            let start = block + head.count + 4 + number * (page * form.recordSize + 4)
            let stored = min(page, total - number * page) * form.recordSize
            let bytes = try structure(nil, at: start, byteCount: stored)
            found += try records(form, bytes[...], count: used, at: start)
        }
        return found
    }

    /// The first `count` records of an extensible array (§VII.C), as of a fixed array.
    ///
    /// The index block has the first records, and the addresses of data blocks and of secondary blocks of data blocks. Blocks
    /// with the numbers 2 n and 2 n + 1 consist of 2ⁿ data blocks; a data block has twice the records of the one before it
    /// whenever n grows.
    func records(
        inExtensibleArrayAt address: Int, count: Int, byteCount: Int?
    ) throws(ContainerError) -> [HDF5ChunkRecord?] {
        let header = try structure("EAHD", at: address, byteCount: 12 + 6 * sizes.length + sizes.address)
        var cursor = ByteCursor(hdf5: header.span, at: address)
        try cursor.skip(6)
        let form = RecordForm(byteCount: byteCount, recordSize: Int(try cursor.readByte()))
        let indexBits = Int(try cursor.readByte())
        let direct = Int(try cursor.readByte())
        let (least, pointers) = (Int(try cursor.readByte()), Int(try cursor.readByte()))
        let pageBits = Int(try cursor.readByte())
        try cursor.skip(6 * sizes.length)
        guard least.nonzeroBitCount == 1, pointers.nonzeroBitCount == 1, indexBits <= 64, pageBits < 32,
            least.trailingZeroBitCount <= indexBits, pointers.trailingZeroBitCount * 2 <= indexBits
        else { throw cursor.malformed("an HDF5 array has \(least) records in a block of \(pointers)") }
        guard let index = try self.address(&cursor) else { return Array(repeating: nil, count: count) }
        let blocks = 1 + indexBits - least.trailingZeroBitCount
        let directBlocks = 2 * pointers.trailingZeroBitCount
        let addresses = 2 * (pointers - 1) + max(0, blocks - directBlocks)
        let prefix = 6 + sizes.address
        let bytes = try structure(
            "EAIB", at: index, byteCount: prefix + direct * form.recordSize + addresses * sizes.address)
        var found = try records(
            form, bytes[prefix...], count: min(direct, count), at: index + prefix)
        let start = prefix + direct * form.recordSize
        let rest = Array(bytes[start...])
        var links = ByteCursor(hdf5: rest.span, at: index + start)
        // The other blocks begin with the number of their first record, too.
        let head = prefix + (indexBits + 7) / 8
        for number in 0..<blocks where found.count < count {
            let (dataBlocks, perBlock) = (1 << (number / 2), least << ((number + 1) / 2))
            guard perBlock <= 1 << pageBits else {
                throw links.failure(.unsupported(feature: "an HDF5 array of chunks with pages"))
            }
            let data =
                number < directBlocks
                ? try self.addresses(&links, count: dataBlocks)
                : try self.addresses(inBlockAt: self.address(&links), count: dataBlocks, behind: head)
            for block in data where found.count < count {
                let used = min(perBlock, count - found.count)
                guard let block else {
                    found += Array(repeating: nil, count: used)
                    continue
                }
                let bytes = try structure("EADB", at: block, byteCount: head + perBlock * form.recordSize)
                found += try records(form, bytes[head...], count: used, at: block + head)
            }
        }
        return found
    }

    /// Reads addresses of data blocks; `nil` for those that are not stored.
    private func addresses(_ cursor: inout ByteCursor, count: Int) throws(ContainerError) -> [Int?] {
        var addresses: [Int?] = []
        for _ in 0..<count { addresses.append(try address(&cursor)) }
        return addresses
    }

    /// The addresses of data blocks in a secondary block, behind its head. None of them are stored if the block is not.
    private func addresses(
        inBlockAt block: Int?, count: Int, behind head: Int
    ) throws(ContainerError) -> [Int?] {
        guard let block else { return Array(repeating: nil, count: count) }
        let bytes = try structure("EASB", at: block, byteCount: head + count * sizes.address)
        let list = Array(bytes[head...])
        var cursor = ByteCursor(hdf5: list.span, at: block + head)
        return try addresses(&cursor, count: count)
    }

    /// How a record is stored: an address and, with filters, the packed size in any number of bytes and the skipped filters.
    private struct RecordForm {
        /// The bytes of each chunk without filters.
        var byteCount: Int?
        var recordSize: Int
    }

    private func records(
        _ form: RecordForm, _ bytes: ArraySlice<UInt8>, count: Int, at offset: Int
    ) throws(ContainerError) -> [HDF5ChunkRecord?] {
        let bytes = Array(bytes)
        var cursor = ByteCursor(hdf5: bytes.span, at: offset)
        var records: [HDF5ChunkRecord?] = []
        for _ in 0..<count {
            records.append(try record(&cursor, byteCount: form.byteCount, recordSize: form.recordSize))
        }
        return records
    }

    /// Reads a record of this size; `nil` for a chunk that is not stored.
    func record(
        _ cursor: inout ByteCursor, byteCount: Int?, recordSize: Int
    ) throws(ContainerError) -> HDF5ChunkRecord? {
        let sizeBytes = recordSize - sizes.address - (byteCount == nil ? 4 : 0)
        guard byteCount == nil ? (1...8).contains(sizeBytes) : sizeBytes == 0 else {
            throw cursor.malformed("a record of an HDF5 chunk takes \(recordSize) bytes")
        }
        let address = try self.address(&cursor)
        var stored = HDF5ChunkRecord(address: address ?? 0, byteCount: byteCount ?? 0)
        if byteCount == nil {
            stored.byteCount = try cursor.readNumber(sizeBytes)
            stored.skippedFilters = try cursor.readUInt32()
        }
        return address == nil ? nil : stored
    }

    /// The bytes of a structure without the checksum at its end, which must be right. `signature` is `nil` for a page.
    func structure(
        _ signature: String?, at address: Int, byteCount: Int
    ) throws(ContainerError) -> [UInt8] {
        try limits.check(.metadataBytes, byteCount, at: address, in: Self.path)
        var bytes = try bytes(at: address, count: byteCount + 4)
        if let signature, !bytes.starts(with: signature.utf8) {
            throw ContainerError(
                .malformed(rule: "structure of an HDF5 index does not start with \(signature)"), at: address,
                in: Self.path)
        }
        try checkSum(bytes[...], at: address)
        bytes.removeLast(4)
        return bytes
    }
}

extension ByteCursor {
    /// Reads a number of up to 8 bytes, the least significant first.
    mutating func readNumber(_ byteCount: Int) throws(ContainerError) -> Int {
        guard (1...8).contains(byteCount) else {
            throw malformed("number of HDF5 takes \(byteCount) bytes, not 1 to 8")
        }
        let start = offset
        let value = try readBytes(byteCount).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: value) else {
            throw ContainerError(.arithmeticOverflow, at: start, in: path)
        }
        return number
    }
}
