/// Where a voxel is: its place in three directions, 21 bits each, counted from −2²⁰.
///
/// Voxel n is centered at n times its edge.
struct VoxelKey: Hashable, BitwiseCopyable {
    let packed: UInt64

    /// A voxel at a place within ±2²⁰.
    init(x: Int, y: Int, z: Int) {
        let offset = VoxelKey.reach
        packed =
            UInt64(truncatingIfNeeded: x &+ offset) | UInt64(truncatingIfNeeded: y &+ offset) << 21
            | UInt64(truncatingIfNeeded: z &+ offset) << 42
    }

    /// A voxel by its packed place.
    init(packed: UInt64) { self.packed = packed }

    /// No voxel is farther from the origin, in voxels.
    static let reach = 1 << 20
    /// A voxel that no sample can lie in stands for none.
    static let none = VoxelKey(packed: .max)
    /// What a step of one in all three directions adds to ``packed``.
    static let step: UInt64 = 1 | 1 << 21 | 1 << 42

    private static let mask: UInt64 = 1 << 21 - 1

    /// The place.
    var x: Int { Int(packed & Self.mask) &- Self.reach }
    var y: Int { Int(packed >> 21 & Self.mask) &- Self.reach }
    var z: Int { Int(packed >> 42 & Self.mask) &- Self.reach }

    /// The block of 4 × 4 × 4 voxels that this one is in: its first voxel.
    var block: VoxelKey { VoxelKey(packed: packed & ~(3 * Self.step)) }
    /// Which of the block's 64 voxels this one is.
    var placeInBlock: Int {
        Int(truncatingIfNeeded: packed & 3 | packed >> 19 & 12 | packed >> 38 & 48)
    }

    /// Bits that differ between neighbors (a step of SplitMix64).
    var hash: UInt64 {
        var bits = packed &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        return bits ^ bits >> 31
    }
}

/// What neighboring samples of one frame add to a voxel.
struct VoxelSamples: BitwiseCopyable {
    var key: VoxelKey
    /// The confidence, 0…2, times the weight.
    var confidence: Float = 0
    /// Offsets from the voxel's center, in voxels, times the weight, and the weight.
    var offsets: SIMD4<Float>
    /// Red, green and blue times the weight, and the weight of the samples that have a color.
    var colors: SIMD4<Float>
}

/// A voxel that holds points. 48 bytes.
struct Voxel: BitwiseCopyable {
    var key: VoxelKey
    /// The last frame that saw it, counted from 1.
    var lastFrame: UInt32
    /// In how many frames it was seen, 65,535 at most.
    var hits: UInt16
    /// In how many frames it was seen through, 65,535 at most.
    var misses: UInt16
    /// As in ``VoxelSamples``.
    var offsets: SIMD4<Float>
    /// As in ``VoxelSamples``.
    var colors: SIMD4<Float>

    /// A voxel that no frame saw yet.
    init(_ key: VoxelKey) {
        (self.key, lastFrame, hits, misses, offsets, colors) = (key, 0, 0, 0, .zero, .zero)
    }

    /// Adds what a frame sees.
    @inline(__always)
    mutating func add(_ samples: VoxelSamples) {
        offsets += samples.offsets
        colors += samples.colors
    }

    /// Halves its sums where they are large: in Float32 they take nothing more in once they are 2²⁴ times what is added.
    ///
    /// - Returns: what sums that are kept beside it are to be multiplied by.
    @inline(__always)
    mutating func limitSums() -> Float {
        guard offsets.w > Self.greatestWeight else { return 1 }
        offsets *= 0.5
        colors *= 0.5
        return 0.5
    }

    /// Counts a frame that sees it, once.
    @inline(__always)
    mutating func count(_ frame: UInt32) {
        hits = hits == .max || lastFrame == frame ? hits : hits &+ 1
        lastFrame = frame
    }

    /// Old frames lose half of their weight where the sum passes this.
    static let greatestWeight: Float = 0x1p20

    /// Whether the voxel becomes a point.
    func stays(minimumHits: Int, removesGhosts: Bool) -> Bool {
        hits >= minimumHits && (!removesGhosts || misses <= hits)
    }
}
