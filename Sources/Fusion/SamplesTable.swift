/// The contributions of a band's samples to voxels, shard by shard, each in the order of the voxels' first samples.
/// Runs of rows in one voxel are added up before the voxel is looked up: rows below see the same voxels again.
///
/// A small table with one slot per voxel stores the index of the last contribution to it. A voxel that overwrites the slot of
/// another makes that one start a new entry.
struct SamplesTable: Sendable {
    private static let bits = 11
    /// The samples of a shard are in blocks of this size.
    static let pieceSize = 64

    /// The samples of all shards; the first block holds only zeros of no voxel.
    private(set) var samples: [VoxelSamples] = []
    /// The offsets of the blocks of each shard, in order, and the next free index in the last of them.
    private var pieces = [[Int]](repeating: [], count: VoxelShard.count)
    private var ends = [Int](repeating: 0, count: VoxelShard.count)
    /// The end of the last block of each shard, and of all blocks.
    private var limits = [Int](repeating: 0, count: VoxelShard.count)
    private var limit = pieceSize
    private var places = [UInt32](repeating: 0, count: 1 << bits)

    private static let none = VoxelSamples(key: .none, offsets: .zero, colors: .zero)

    /// Clears everything and keeps the memory.
    mutating func removeAll() {
        for index in places.indices { places[index] = 0 }
        for shard in pieces.indices {
            pieces[shard].removeAll(keepingCapacity: true)
            (ends[shard], limits[shard]) = (0, 0)
        }
        limit = Self.pieceSize
    }

    /// The index ranges of a shard's samples, in order.
    func ranges(of shard: Int) -> [Range<Int>] {
        pieces[shard].map { start in
            let end = start + Self.pieceSize
            return start..<(end == limits[shard] ? ends[shard] : end)
        }
    }

    /// Adds the runs of a row to the existing sums of their voxels.
    mutating func add(_ runs: SampleRuns) {
        // Each shard may start a new block.
        let needed = limit + runs.count + VoxelShard.count * Self.pieceSize
        if samples.count < needed {
            samples += repeatElement(Self.none, count: needed + needed / 4 - samples.count)
        }
        var index = 0
        while true {
            index = Self.add(runs, from: index, to: &samples, &places, &ends, limits)
            guard index < runs.count else { return }
            let shard = runs.samples[index].key.shard
            pieces[shard].append(limit)
            ends[shard] = limit
            limit += Self.pieceSize
            limits[shard] = limit
        }
    }

    /// Adds runs to samples, starting with one of them, and returns the index of the first one whose shard needs a new block,
    /// or the number of runs.
    ///
    /// The code does not branch on whether a voxel has an entry, because that is unpredictable.
    private static func add(
        _ runs: SampleRuns, from first: Int, to samples: inout [VoxelSamples], _ places: inout [UInt32],
        _ ends: inout [Int], _ limits: [Int]
    ) -> Int {
        let (more, limits) = (runs.samples.span, limits.span)
        var samples = samples.mutableSpan
        var places = places.mutableSpan
        var ends = ends.mutableSpan
        precondition(runs.count <= more.count && first >= 0 && places.count == 1 << bits)
        precondition(ends.count == VoxelShard.count && limits.count == VoxelShard.count)
        // SAFETY: a hash has as many bits as the table's size, a shard is below their number, and indices are in allocated
        // blocks.
        for index in first..<runs.count {
            let run = unsafe more[unchecked: index]
            let hash = Int(truncatingIfNeeded: (run.key.packed &* 0x9E37_79B9_7F4A_7C15) >> (64 - bits))
            let shard = run.key.shard
            let end = unsafe ends[unchecked: shard]
            guard unsafe end != limits[unchecked: shard] else { return index }
            let known = unsafe Int(truncatingIfNeeded: places[unchecked: hash])
            let isKnown = unsafe samples[unchecked: known].key == run.key
            // A new entry is added to zeros.
            var sum = unsafe samples[unchecked: isKnown ? known : 0]
            sum.key = run.key
            sum.confidence += run.confidence
            sum.offsets += run.offsets
            sum.colors += run.colors
            let place = isKnown ? known : end
            unsafe samples[unchecked: place] = sum
            unsafe places[unchecked: hash] = UInt32(truncatingIfNeeded: place)
            unsafe ends[unchecked: shard] = end &+ (isKnown ? 0 : 1)
        }
        return runs.count
    }
}
