package import Bytes

/// A typed reference from one item to others (`iref`, ISO/IEC 14496-12 §8.11.12).
package struct ItemReference: Sendable {
    /// The meaning of the reference, such as `auxl` or `dimg`.
    package var type: FourCharacterCode
    /// The number of the item that refers to others.
    package var from: Int
    /// The numbers of the others.
    package var to: [Int]

    /// A reference of one item to others.
    package init(type: FourCharacterCode, from: Int, to: [Int]) {
        (self.type, self.from, self.to) = (type, from, to)
    }

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
