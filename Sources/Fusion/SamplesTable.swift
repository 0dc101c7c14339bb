/// What the samples of a band add to voxels, in the order in which voxels are met. Runs of rows in one voxel are added up before the
/// voxel is looked up: rows below see the same voxels again.
///
/// A small table, in which a voxel has one place, says where what was added to it last is. A voxel that takes the place of another
/// makes that one begin anew. Nothing is removed from the table: what is left of another band does not have the key.
struct SamplesTable: Sendable {
    private static let bits = 11

    /// The first ``count`` of these.
    private(set) var samples: [VoxelSamples] = []
    private(set) var count = 0
    /// Indices of ``samples``, shard by shard, each in order, and their keys.
    private(set) var order: [UInt32] = []
    private(set) var keys: [VoxelKey] = []
    /// Where each shard begins in ``order``, and the end.
    private(set) var starts = [Int](repeating: 0, count: VoxelShard.count + 1)
    private var places = [UInt32](repeating: 0, count: 1 << bits)

    /// Forgets everything and keeps the memory.
    mutating func removeAll() { count = 0 }

    /// Adds the runs of a row to what is there of their voxels.
    mutating func add(_ runs: SampleRuns) {
        if samples.count < count + runs.count {
            samples += repeatElement(
                VoxelSamples(key: .none, offsets: .zero, colors: .zero), count: count + runs.count + 1024)
        }
        count = Self.add(runs, &samples, from: count, &places)
    }

    /// Adds runs to samples that have room for them, and returns the number of samples.
    private static func add(
        _ runs: SampleRuns, _ samples: inout [VoxelSamples], from start: Int, _ places: inout [UInt32]
    ) -> Int {
        let more = runs.samples.span
        var count = start
        var samples = samples.mutableSpan
        var places = places.mutableSpan
        precondition(
            runs.count <= more.count && count + runs.count <= samples.count && places.count == 1 << bits)
        // SAFETY: there is room for all runs, as was checked, and a hash has as many bits as the table's size.
        for index in 0..<runs.count {
            let run = unsafe more[unchecked: index]
            let hash = Int(truncatingIfNeeded: (run.key.packed &* 0x9E37_79B9_7F4A_7C15) >> (64 - bits))
            let place = unsafe Int(places[unchecked: hash])
            if place < count, unsafe samples[unchecked: place].key == run.key {
                unsafe samples[unchecked: place].confidence += run.confidence
                unsafe samples[unchecked: place].offsets += run.offsets
                unsafe samples[unchecked: place].colors += run.colors
            } else {
                unsafe places[unchecked: hash] = UInt32(truncatingIfNeeded: count)
                unsafe samples[unchecked: count] = run
                unsafe samples[unchecked: count].shard = run.key.shard
                count &+= 1
            }
        }
        return count
    }

    /// Puts samples in the order of their shards.
    mutating func sortByShard() {
        if order.count < count {
            order = [UInt32](repeating: 0, count: samples.count)
            keys = [VoxelKey](repeating: .none, count: samples.count)
        }
        for index in starts.indices { starts[index] = 0 }
        for index in 0..<count { starts[Int(samples[index].shard)] += 1 }
        for shard in 1..<starts.count { starts[shard] += starts[shard - 1] }
        // Backward, so that each shard begins where its last one is put.
        for index in stride(from: count - 1, through: 0, by: -1) {
            let shard = Int(samples[index].shard)
            starts[shard] -= 1
            order[starts[shard]] = UInt32(truncatingIfNeeded: index)
            keys[starts[shard]] = samples[index].key
        }
    }
}
