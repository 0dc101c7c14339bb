internal import ByteParsing

/// A typed reference from one item to others (`iref`, ISO/IEC 14496-12 §8.11.12).
struct ItemReference {
    var type: FourCharacterCode
    var from: Int
    var to: [Int]

    /// Reads all references of an `iref` box, in file order.
    static func parse(_ box: inout ByteCursor, limits: DecodingLimits) throws(ContainerError)
        -> [ItemReference]
    {
        let (version, _) = try box.readFullBoxHeader()
        guard version <= 1 else { throw box.failure(.unsupported(feature: "version \(version) of iref")) }
        let idSize = version == 0 ? 2 : 4
        var references: [ItemReference] = []
        var total = 0
        while !box.isAtEnd {
            let header = try box.readBoxHeader()
            var entry = try box.payload(of: header)
            let from = try entry.readUnsigned(byteCount: idSize)
            let count = try entry.readUInt16()
            total += count + 1
            try limits.check(.references, total, at: entry.offset, in: entry.path)
            guard count * idSize <= entry.remaining else {
                throw entry.failure(.truncated(needed: count * idSize, available: entry.remaining))
            }
            var to: [Int] = []
            to.reserveCapacity(count)
            for _ in 0..<count { to.append(try entry.readUnsigned(byteCount: idSize)) }
            references.append(ItemReference(type: header.type, from: from, to: to))
        }
        return references
    }
}
