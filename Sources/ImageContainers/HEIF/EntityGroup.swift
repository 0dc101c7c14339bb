internal import ByteParsing

/// A group of items (`grpl`, ISO/IEC 14496-12 §8.18.3): alternatives (`altr`), a stereo pair (`ster`: left, right) …
struct EntityGroup {
    var type: FourCharacterCode
    var id: Int
    var entities: [Int]

    /// Reads the groups of a `grpl` box. Apple puts `uuid` boxes among them; they have the same layout.
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
            groups.append(EntityGroup(type: header.type, id: id, entities: entities))
        }
        return groups
    }
}
