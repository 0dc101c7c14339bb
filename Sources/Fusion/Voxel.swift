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
    /// The index of this voxel among the 64 of its block.
    var placeInBlock: Int {
        Int(truncatingIfNeeded: packed & 3 | packed >> 19 & 12 | packed >> 38 & 48)
    }

    /// A hash that differs in many bits even between neighboring voxels (a step of SplitMix64).
    var hash: UInt64 {
        var bits = packed &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        return bits ^ bits >> 31
    }
}

/// The contribution of neighboring samples of one frame to a voxel.
struct VoxelSamples: BitwiseCopyable {
    var key: VoxelKey
    /// The confidence, 0…2, times the weight.
    var confidence: Float = 0
    /// Offsets from the voxel's center, in voxels, times the weight; and the weight.
    var offsets: SIMD4<Float>
    /// Red, green and blue times the weight, and the weight of the samples that have a color.
    var colors: SIMD4<Float>
}

/// An occupied voxel, 48 bytes.
struct Voxel: BitwiseCopyable {
    var key: VoxelKey
    /// The last frame that saw it, starting at 1.
    var lastFrame: UInt32
    /// In how many frames it was seen, at most 65,535.
    var hits: UInt16
    /// In how many frames it was seen through, at most 65,535.
    var misses: UInt16
    /// As in ``VoxelSamples``.
    var offsets: SIMD4<Float>
    /// As in ``VoxelSamples``.
    var colors: SIMD4<Float>

    /// A voxel that no frame has seen yet.
    init(_ key: VoxelKey) {
        (self.key, lastFrame, hits, misses, offsets, colors) = (key, 0, 0, 0, .zero, .zero)
    }

    /// Adds the contribution of a frame.
    @inline(__always)
    mutating func add(_ samples: VoxelSamples) {
        offsets += samples.offsets
        colors += samples.colors
    }

    /// Halves its sums when they are large: in Float32, sums stop growing at 2²⁴ times the summand.
    ///
    /// - Returns: the factor for sums that are stored separately.
    @inline(__always)
    mutating func limitSums() -> Float {
        guard offsets.w > Self.greatestWeight else { return 1 }
        offsets *= 0.5
        colors *= 0.5
        return 0.5
    }

    /// Counts each frame that sees the voxel once.
    @inline(__always)
    mutating func count(_ frame: UInt32) {
        hits = hits == .max || lastFrame == frame ? hits : hits &+ 1
        lastFrame = frame
    }

    /// When the sum exceeds this weight, old frames lose half of theirs.
    static let greatestWeight: Float = 0x1p20

    /// Whether the voxel becomes a point.
    func stays(minimumHits: Int, removesGhosts: Bool) -> Bool {
        hits >= minimumHits && (!removesGhosts || misses <= hits)
    }
}
