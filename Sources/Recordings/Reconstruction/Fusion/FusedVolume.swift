/// The voxels of a recording after fusion.
struct FusedVolume: Sendable {
    let shards: [VoxelShard]
    /// The edge of a voxel, in meters.
    let voxelSize: Float
    /// In how many frames voxels must be near the surface.
    let minimumHits: Int
    /// The memory that the voxels take, and that is left.
    let memory: FusionMemory

    /// In how many of `frameCount` frames a voxel must be near the surface.
    static func hits(of frameCount: Int) -> Int { frameCount >= 8 ? 2 : 1 }

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
}
