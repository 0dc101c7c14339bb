/// A voxel's position in three directions, 21 bits each, with an offset of 2²⁰.
///
/// Voxel n is centered at n times its edge.
struct VoxelKey: Hashable, BitwiseCopyable {
    let packed: UInt64

    /// A voxel at a position within ±2²⁰.
    init(x: Int, y: Int, z: Int) {
        let offset = VoxelKey.reach
        packed =
            UInt64(truncatingIfNeeded: x &+ offset) | UInt64(truncatingIfNeeded: y &+ offset) << 21
            | UInt64(truncatingIfNeeded: z &+ offset) << 42
    }

    /// A voxel by its packed position.
    init(packed: UInt64) { self.packed = packed }

    /// The largest distance from the origin along an axis, in voxels.
    static let reach = 1 << 20
    /// Represents no voxel; no sample can have this position.
    static let none = VoxelKey(packed: .max)
    /// The difference of ``packed`` for a step of one in all three directions.
    static let step: UInt64 = 1 | 1 << 21 | 1 << 42

    private static let mask: UInt64 = 1 << 21 - 1

    /// The position.
    var x: Int { Int(packed & Self.mask) &- Self.reach }
    var y: Int { Int(packed >> 21 & Self.mask) &- Self.reach }
    var z: Int { Int(packed >> 42 & Self.mask) &- Self.reach }

    /// The first voxel of the block of 4 × 4 × 4 that contains this one.
    var block: VoxelKey { VoxelKey(packed: packed & ~(3 * Self.step)) }

    /// The block after this one along some axes, each 0 or 1.
    func neighbor(_ x: Int, _ y: Int, _ z: Int) -> VoxelKey {
        VoxelKey(packed: packed &+ UInt64(truncatingIfNeeded: 4 &* (x | y << 21 | z << 42)))
    }

    /// A hash that differs in many bits even between neighboring voxels (a step of SplitMix64).
    var hash: UInt64 {
        var bits = packed &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        return bits ^ bits >> 31
    }

    /// The shard of a block.
    var shard: Int { Int(truncatingIfNeeded: hash) & (VoxelShard.count - 1) }
}
