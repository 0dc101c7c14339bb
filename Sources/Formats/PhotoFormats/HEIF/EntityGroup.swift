package import Bytes

/// A group of items (`grpl`, ISO/IEC 14496-12 §8.18.3): alternatives (`altr`), a stereo pair (`ster`: left, right) …
package struct EntityGroup: Sendable {
    /// The meaning of the group.
    package var type: FourCharacterCode
    /// The number of the group, from the same numbers as the items'.
    package var id: Int
    /// The numbers of its items and groups.
    package var entities: [Int]
    /// The range in the file of version, flags and number, after the UUID of a `uuid` box.
    package var head: Range<Int>
    /// The range in the file after the members, which some types of group have.
    package var rest: Range<Int>

    /// Reads the groups of a `grpl` box. Apple puts `uuid` boxes of the same layout among them.
    static func parse(_ box: inout ByteCursor, limits: DecodingLimits) throws(ContainerError) -> [EntityGroup]
    {
        var groups: [EntityGroup] = []
        var total = 0
        while !box.isAtEnd {
            let header = try box.readBoxHeader()
            var entry = try box.payload(of: header)
            _ = try entry.readFullBoxHeader()
            let id = try entry.readUInt32()
            let count = try entry.readUInt32()
            guard count <= entry.remaining / 4 else {
                throw entry.failure(.truncated(needed: count, available: entry.remaining))
            }
            total += count + 1
            try limits.check(.references, total, at: entry.offset, in: entry.path)
            var entities: [Int] = []
            for _ in 0..<count { entities.append(try entry.readUInt32()) }
            let start = header.offset + header.headerSize
            groups.append(
                EntityGroup(
                    type: header.type, id: id, entities: entities,
                    head: start - (header.uuid == nil ? 0 : 16)..<start + 8, rest: entry.remainingRange))
        }
        return groups
    }
}
