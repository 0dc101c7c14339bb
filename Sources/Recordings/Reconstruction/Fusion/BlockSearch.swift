/// Finds the blocks that are near the surface in a band of a frame's rows, by shard. Its memory is reused from frame to
/// frame.
struct BlockSearch: Sendable {
    /// The blocks of each shard; most of them once.
    private(set) var blocks = [[VoxelKey]](repeating: [], count: VoxelShard.count)
    /// The last block for each value of some bits of the hash: neighboring rays go through the same blocks.
    private var recent = [VoxelKey](repeating: .none, count: 1 << bits)

    private static let bits = 10
    /// The steps of a ray, as fractions of the band on both sides of the surface: less than a block apart.
    private static let steps: [Float] = [-1, -0.34, 0.34, 1]
    /// Positions around the surface, in voxels: it goes through blocks between the rays.
    private static let surroundings: [SIMD3<Float>] = (0..<8).map { corner in
        SIMD3<Float>(SIMD3(corner & 1, corner >> 1 & 1, corner >> 2)) * 4 - 2
    }
    /// How many blocks a ray goes through at most.
    static var blocksOfRay: Int { steps.count + surroundings.count }
    /// Rays are this fraction of a block apart, or less.
    private static let density: Float = 0.5

    /// Surfels from one ray to the next.
    static func spacing(_ frame: FusionFrame) -> Int {
        let surfel = frame.surfels.far / min(frame.surfels.focal.x, frame.surfels.focal.y)
        return max(1, Int(min(density * Float(VoxelShard.edge) * frame.voxelSize / surfel, 64)))
    }

    /// Follows the rays of some rows of surfels, near the surface.
    mutating func collect(_ rows: Range<Int>, of frame: FusionFrame) {
        for shard in blocks.indices { blocks[shard].removeAll(keepingCapacity: true) }
        for index in recent.indices { recent[index] = .none }
        let (surfels, pose) = (frame.surfels, frame.pose)
        let spacing = Self.spacing(frame)
        let inverse = 1 / frame.voxelSize
        let first = (rows.lowerBound + spacing - 1) / spacing * spacing
        for row in stride(from: first, to: rows.upperBound, by: spacing) {
            let y = (Float(row) - surfels.center.y) / surfels.focal.y
            let start = (pose.down * y + pose.forward) * inverse
            for column in stride(from: 0, to: surfels.width, by: spacing) {
                let plane = surfels.planes[(row + 1) * surfels.pitch + column + 1]
                guard plane.x > 0 else { continue }
                let x = (Float(column) - surfels.center.x) / surfels.focal.x
                let direction = pose.right * (x * inverse) + start
                let z = 1 / plane.x
                let band = frame.band(at: z)
                for step in Self.steps { add(pose.base, direction * (z + step * band) + pose.rest) }
                let point = direction * z + pose.rest
                for corner in Self.surroundings { add(pose.base, point + corner) }
            }
        }
    }

    /// Adds the block of a position in voxels relative to `base`.
    @inline(__always)
    private mutating func add(_ base: SIMD3<Int>, _ offset: SIMD3<Float>) {
        // 1.5 · 2²³: adding it leaves the rounded integer in the low bits of the sum.
        let magic: Float = 0x1.8p23
        let whole = (
            Int((offset.x + magic).bitPattern), Int((offset.y + magic).bitPattern),
            Int((offset.z + magic).bitPattern)
        )
        let zero = Int(magic.bitPattern)
        let key = VoxelKey(
            x: base.x &+ whole.0 &- zero, y: base.y &+ whole.1 &- zero, z: base.z &+ whole.2 &- zero
        ).block
        let hash = key.hash
        let slot = Int(truncatingIfNeeded: hash >> 8) & (1 << Self.bits - 1)
        guard recent[slot] != key else { return }
        recent[slot] = key
        blocks[Int(truncatingIfNeeded: hash) & (VoxelShard.count - 1)].append(key)
    }
}
