internal import ByteParsing

/// A message of an object's header: one of the object's properties (§IV.A).
struct HDF5Message: Sendable {
    /// The kinds that are read.
    enum Kind: Int {
        case dataspace = 1, linkInfo, datatype
        case link = 6, externalFiles, layout
        case filters = 0xB
        case continuation = 0x10, symbolTable
    }

    /// The property; `nil` for all that are not read.
    let kind: Kind?
    /// Whether the property is stored elsewhere, such as a committed datatype.
    let isShared: Bool
    /// Its bytes, and the offset of the first.
    let bytes: [UInt8]
    let offset: Int
}

extension HDF5File {
    /// All messages of the header at an address, including those of its continuations.
    func messages(ofHeaderAt address: Int) throws(ContainerError) -> [HDF5Message] {
        let start = try source.readPrefix(at: address, count: 32)
        var cursor = ByteCursor(hdf5: start.span, at: address)
        let isNew = start.starts(with: "OHDR".utf8)
        if isNew { try cursor.skip(4) }
        let version = try cursor.readByte()
        guard version == (isNew ? 2 : 1) else {
            throw cursor.malformed("version of an HDF5 object's header is \(version), not 1 or 2")
        }
        var flags = 0
        let byteCount: Int
        if isNew {
            flags = Int(try cursor.readByte())
            try cursor.skip((flags & 0x20 == 0 ? 0 : 16) + (flags & 0x10 == 0 ? 0 : 4))
            byteCount = try cursor.readUnsigned(byteCount: 1 << (flags & 3))
        } else {
            try cursor.skip(7)
            byteCount = try cursor.readUInt32()
            try cursor.skip(4)
        }
        var blocks = [HeaderBlock(address: address, prefix: cursor.position, byteCount: byteCount)]
        var (messages, total, next) = ([HDF5Message](), 0, 0)
        while next < blocks.count {
            let block = blocks[next]
            next += 1
            let (sum, overflow) = total.addingReportingOverflow(block.byteCount)
            total = sum
            try limits.check(.metadataBytes, overflow ? .max : total, at: block.address, in: Self.path)
            for message in try self.messages(in: block, isNew: isNew, hasOrder: flags & 4 != 0) {
                guard message.kind == .continuation else {
                    messages.append(message)
                    continue
                }
                blocks.append(try continuation(message, isNew: isNew))
            }
            try limits.check(.items, messages.count + blocks.count, at: block.address, in: Self.path)
        }
        return messages
    }

    /// Messages between a prefix and, in new headers, a checksum.
    private struct HeaderBlock {
        var address: Int
        var prefix: Int
        var byteCount: Int
    }

    private func continuation(_ message: HDF5Message, isNew: Bool) throws(ContainerError) -> HeaderBlock {
        var cursor = ByteCursor(hdf5: message.bytes.span, at: message.offset)
        let (address, count) = (try requiredAddress(&cursor), try length(&cursor))
        guard isNew else { return HeaderBlock(address: address, prefix: 0, byteCount: count) }
        guard count >= 8, try bytes(at: address, count: 4).elementsEqual("OCHK".utf8) else {
            throw ContainerError(
                .malformed(rule: "continuation of an HDF5 header does not start with OCHK"), at: address,
                in: Self.path)
        }
        return HeaderBlock(address: address, prefix: 4, byteCount: count - 8)
    }

    private func messages(
        in block: HeaderBlock, isNew: Bool, hasOrder: Bool
    ) throws(ContainerError) -> [HDF5Message] {
        let all = try bytes(at: block.address, count: block.prefix + block.byteCount + (isNew ? 4 : 0))
        if isNew { try checkSum(all[...], at: block.address) }
        var cursor = ByteCursor(hdf5: all.span, at: block.address)
        try cursor.skip(block.prefix)
        var body = try cursor.child(byteCount: block.byteCount)
        var messages: [HDF5Message] = []
        // A shorter rest is a gap.
        while body.remaining >= (isNew ? (hasOrder ? 6 : 4) : 8) {
            let kind = isNew ? Int(try body.readByte()) : try body.readUInt16()
            let count = try body.readUInt16()
            let flags = try body.readByte()
            try body.skip(isNew ? (hasOrder ? 2 : 0) : 3)
            let offset = body.offset
            messages.append(
                HDF5Message(
                    kind: HDF5Message.Kind(rawValue: kind), isShared: flags & 2 != 0,
                    bytes: try body.readBytes(count), offset: offset))
        }
        return messages
    }
}
