/// The voxels of a recording after fusion.
struct FusedVolume: Sendable {
    private(set) var shards: [VoxelShard]
    /// The edge of a voxel, in meters.
    let voxelSize: Float
    /// In how many frames voxels must be near the surface.
    let minimumHits: Int

    /// Ranges of blocks, each in one shard, in order.
    var pieces: [(shard: Int, blocks: Range<Int>)] {
        shards.indices.flatMap { shard in
            let count = shards[shard].keys.count
            return stride(from: 0, to: count, by: 1024).map { (shard, $0..<min($0 + 1024, count)) }
        }
    }

    /// Voxels behind a surface that became free, since frames saw through them.
    var freedCount: Int { shards.reduce(0) { $0 + $1.freedCount } }

    /// A position in voxels, from a voxel, in meters.
    func meters(_ offset: SIMD3<Float>, from voxel: VoxelKey) -> SIMD3<Float> {
        let whole = SIMD3(Double(voxel.x), Double(voxel.y), Double(voxel.z))
        return SIMD3<Float>((whole + SIMD3<Double>(offset)) * Double(voxelSize))
    }

    /// Adds empty blocks before those whose first cells the surface goes through. A cell belongs to the block of its first voxel,
    /// and without that block the surface would have a gap, although the voxels of its crossed edges are known.
    mutating func addFirstCells() {
        var missing: Set<UInt64> = []
        var cells = BlockCells()
        for shard in shards.indices {
            for block in shards[shard].keys.indices {
                cells.load(block, of: shard, in: self, hits: minimumHits)
                let key = cells.key
                cells.forEachCrossed { x, y, z, _ in
                    let sides = (x == 0 ? 1 : 0, y == 0 ? 1 : 0, z == 0 ? 1 : 0)
                    for index in 1..<8 {
                        let step = (index & 1, index >> 1 & 1, index >> 2)
                        guard step.0 <= sides.0, step.1 <= sides.1, step.2 <= sides.2 else { continue }
                        let former = key.neighbor(-step.0, -step.1, -step.2)
                        if shards[former.shard].existingBlock(former) == nil { missing.insert(former.packed) }
                    }
                }
            }
        }
        // In order, so that the result is always the same.
        for packed in missing.sorted() {
            let key = VoxelKey(packed: packed)
            shards[key.shard].addEmpty(key)
        }
    }
}
