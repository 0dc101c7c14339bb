internal import ByteParsing

extension HDF5File {
    /// An object that has data, with its path from the root group, as in `scene/depth`.
    typealias NamedObject = (name: String, messages: [HDF5Message])

    /// All datasets that hard links lead to, each once. Soft and external links are not followed.
    func datasets() throws(ContainerError) -> [NamedObject] {
        var (pending, found) = ([(name: "", address: root, depth: 0)], [NamedObject]())
        var visited: Set<Int> = [root]
        while let next = pending.popLast() {
            let messages = try messages(ofHeaderAt: next.address)
            guard !messages.contains(where: { $0.kind == .layout }) else {
                found.append((next.name, messages))
                continue
            }
            try limits.check(.nesting, next.depth, at: next.address, in: Self.path)
            for link in try links(of: messages).reversed() where visited.insert(link.address).inserted {
                let name = next.name.isEmpty ? link.name : "\(next.name)/\(link.name)"
                pending.append((name, link.address, next.depth + 1))
            }
            try limits.check(.items, visited.count, at: next.address, in: Self.path)
        }
        return found
    }

    private typealias Link = (name: String, address: Int)

    private func links(of group: [HDF5Message]) throws(ContainerError) -> [Link] {
        var links: [Link] = []
        for message in group {
            var cursor = ByteCursor(hdf5: message.bytes.span, at: message.offset)
            switch message.kind {
            case .symbolTable:
                let (tree, heap) = (try requiredAddress(&cursor), try requiredAddress(&cursor))
                let names = try localHeap(at: heap)
                for table in try leaves(ofTreeAt: tree, kind: 0, keySize: sizes.length) {
                    links += try self.links(inTableAt: table.address, names)
                    try limits.check(.items, links.count, at: table.address, in: Self.path)
                }
            case .link:
                if let link = try link(&cursor) { links.append(link) }
            case .linkInfo:
                try cursor.skip(1)
                let flags = try cursor.readByte()
                try cursor.skip(flags & 1 == 0 ? 0 : 8)
                guard try address(&cursor) == nil else {
                    throw cursor.failure(.unsupported(feature: "an HDF5 group with an index of many links"))
                }
            default: break
            }
        }
        return links
    }

    /// A link message (§IV.A.2.g); `nil` unless it is a hard link.
    private func link(_ cursor: inout ByteCursor) throws(ContainerError) -> Link? {
        try cursor.skip(1)
        let flags = Int(try cursor.readByte())
        let kind = flags & 8 == 0 ? 0 : try cursor.readByte()
        try cursor.skip((flags & 4 == 0 ? 0 : 8) + (flags & 0x10 == 0 ? 0 : 1))
        let count = try cursor.readUnsigned(byteCount: 1 << (flags & 3))
        let name = String(decoding: try cursor.readBytes(count), as: UTF8.self)
        return kind == 0 ? (name, try requiredAddress(&cursor)) : nil
    }

    /// The hard links of a symbol table node (§III.B).
    private func links(inTableAt node: Int, _ names: [UInt8]) throws(ContainerError) -> [Link] {
        let start = try bytes(at: node, count: 8)
        guard start.starts(with: "SNOD".utf8) else {
            throw ContainerError(
                .malformed(rule: "symbol table of HDF5 does not start with SNOD"), at: node, in: Self.path)
        }
        let count = Int(start[6]) | Int(start[7]) << 8
        let entrySize = 2 * sizes.address + 24
        let entries = try bytes(at: node + 8, count: count * entrySize)
        var cursor = ByteCursor(hdf5: entries.span, at: node + 8)
        var links: [Link] = []
        for _ in 0..<count {
            let (nameOffset, target) = (try requiredAddress(&cursor), try address(&cursor))
            let cacheType = try cursor.readUInt32()
            try cursor.skip(20)
            guard cacheType != 2, let target else { continue }
            guard nameOffset < names.count else {
                throw cursor.malformed("name of an HDF5 link is outside of its heap")
            }
            links.append((String(decoding: names[nameOffset...].prefix { $0 != 0 }, as: UTF8.self), target))
        }
        return links
    }

    /// The data of a local heap (§III.D).
    private func localHeap(at address: Int) throws(ContainerError) -> [UInt8] {
        let start = try bytes(at: address, count: 8 + 2 * sizes.length + sizes.address)
        var cursor = ByteCursor(hdf5: start.span, at: address)
        guard start.starts(with: "HEAP".utf8) else {
            throw cursor.malformed("local heap of HDF5 does not start with HEAP")
        }
        try cursor.skip(8)
        let count = try length(&cursor)
        try cursor.skip(sizes.length)
        try limits.check(.metadataBytes, count, at: address, in: Self.path)
        return try bytes(at: requiredAddress(&cursor), count: count)
    }

    /// What the leaves of a version 1 B-tree (§III.A.1) refer to, each with the key before it.
    ///
    /// `kind` is 0 for links, and 1 for chunks. At most `limit` nodes and leaves are read.
    func leaves(
        ofTreeAt root: Int, kind: UInt8, keySize: Int, countedBy limit: DecodingLimits.Name = .items
    ) throws(ContainerError) -> [(key: [UInt8], address: Int)] {
        var (pending, nodes) = ([(address: root, level: UInt8?.none)], 0)
        var leaves: [(key: [UInt8], address: Int)] = []
        while let next = pending.popLast() {
            nodes += 1
            let headSize = 8 + 2 * sizes.address
            let head = try bytes(at: next.address, count: headSize)
            guard head.starts(with: "TREE".utf8), head[4] == kind, next.level.map({ $0 == head[5] }) ?? true
            else {
                throw ContainerError(
                    .malformed(rule: "node of an HDF5 tree has another signature, kind or level"),
                    at: next.address, in: Self.path)
            }
            let (level, count) = (head[5], Int(head[6]) | Int(head[7]) << 8)
            let entries = try bytes(
                at: next.address + headSize, count: count * (keySize + sizes.address))
            var cursor = ByteCursor(hdf5: entries.span, at: next.address + headSize)
            for _ in 0..<count {
                let key = try cursor.readBytes(keySize)
                let child = try requiredAddress(&cursor)
                if level == 0 { leaves.append((key, child)) } else { pending.append((child, level - 1)) }
            }
            try limits.check(
                limit, leaves.count + pending.count + nodes, at: next.address, in: Self.path)
        }
        return leaves
    }
}
