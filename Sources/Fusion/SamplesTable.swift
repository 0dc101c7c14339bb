/// Adds up what samples near each other add to one voxel, before the voxel is looked up: rows below see the same voxels again.
///
/// A table in which a voxel has one place, and pushes out whatever is there.
struct VoxelCache: Sendable {
    private static let count = 1024
    /// A voxel that no sample can lie in: it stands for a free place.
    private static let nowhere = VoxelSamples(
        key: VoxelKey(x: -VoxelKey.reach, y: -VoxelKey.reach, z: -VoxelKey.reach), confidence: 0,
        offsets: .zero, colors: .zero)

    private var entries = [VoxelSamples](repeating: nowhere, count: count)

    /// Adds samples; what they push out goes to `shards`, by hash, whose number is a power of two.
    @inline(__always)
    mutating func add(_ samples: VoxelSamples, to shards: inout [[VoxelSamples]]) {
        let place = Int(truncatingIfNeeded: (samples.key.packed &* 0x9E37_79B9_7F4A_7C15) >> 54)
        let entry = entries[place]
        if entry.key == samples.key {
            entries[place].confidence = entry.confidence + samples.confidence
            entries[place].offsets = entry.offsets + samples.offsets
            entries[place].colors = entry.colors + samples.colors
            return
        }
        entries[place] = samples
        if entry.key != Self.nowhere.key { Self.hand(entry, to: &shards) }
    }

    /// Hands on everything that is left.
    mutating func empty(into shards: inout [[VoxelSamples]]) {
        for place in entries.indices where entries[place].key != Self.nowhere.key {
            Self.hand(entries[place], to: &shards)
            entries[place].key = Self.nowhere.key
        }
    }

    private static func hand(_ samples: VoxelSamples, to shards: inout [[VoxelSamples]]) {
        shards[Int(truncatingIfNeeded: samples.key.hash) & (shards.count - 1)].append(samples)
    }
}
