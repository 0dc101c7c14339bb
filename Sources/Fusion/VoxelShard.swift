/// A part of the voxels, by hash of their blocks. Each shard is filled by one core.
///
/// Voxels are in the order of their first sample. A hash table with linear probing finds blocks of 4 × 4 × 4 voxels,
/// which store the indices of their voxels. Memory grows with the number of occupied voxels: a surface crosses at least
/// 16 voxels of a block, so each takes 64 to 120 bytes.
struct VoxelShard {
    /// How many shards there are.
    static let count = 16
    private static let voxelsOfBlock = 64

    private(set) var voxels: [Voxel] = []
    /// The sum of confidences times weights for each voxel; empty if frames have no confidence.
    private(set) var confidences: [Float] = []
    /// For each voxel of each block, its index in ``voxels`` plus one; 0 if missing.
    private var slots: [UInt32] = []
    /// The table of blocks. The count is a power of two.
    private var blocks = [Block](repeating: Block(), count: 1 << 6)
    private var blockCount = 0
    private let hasConfidence: Bool
    /// The voxels of the samples being added; before they are resolved, their indices in ``slots``.
    private var found = [Int](repeating: 0, count: SamplesTable.pieceSize)

    /// A block and the start of its voxels in ``slots``.
    private struct Block {
        var key = VoxelKey.none
        var firstSlot = 0
    }

    init(hasConfidence: Bool) { self.hasConfidence = hasConfidence }

    /// Adds the samples of a frame's band in a shard, in order.
    mutating func add(_ band: SamplesTable, shard: Int, frame: UInt32) {
        for range in band.ranges(of: shard) {
            let samples = band.samples.span.extracting(range)
            find(samples)
            // Separate loops: the voxels' indices are known now, so the processor prefetches several at once.
            Self.add(samples, to: &voxels, at: found, frame)
            if hasConfidence {
                for index in samples.indices { confidences[found[index]] += samples[index].confidence }
            }
            limitSums(count: samples.count)
        }
    }

    private static func add(
        _ samples: Span<VoxelSamples>, to voxels: inout [Voxel], at found: [Int], _ frame: UInt32
    ) {
        let found = found.span
        var voxels = voxels.mutableSpan
        // A short loop prefetches more of them than a long one.
        for index in samples.indices { voxels[found[index]].count(frame) }
        for index in samples.indices { voxels[found[index]].add(samples[index]) }
    }

    /// Halves all sums of the changed voxels with a large weight, so that means stay.
    private mutating func limitSums(count: Int) {
        for index in 0..<count {
            let factor = voxels[found[index]].limitSums()
            if hasConfidence, factor < 1 { confidences[found[index]] *= factor }
        }
    }

    /// Finds the voxels of samples; adds missing ones.
    private mutating func find(_ samples: Span<VoxelSamples>) {
        Self.find(samples, in: blocks, &found)
        for index in samples.indices where found[index] < 0 {
            let key = samples[index].key
            found[index] = firstSlot(of: key.block) + key.placeInBlock
        }
        if !Self.areThere(found.span.extracting(first: samples.count), in: slots.span) { addNew(samples) }
        Self.replace(&found, by: slots, count: samples.count)
    }

    /// Finds the slots of samples whose blocks are in their first table position; others become −1.
    ///
    /// The code does not branch on whether an entry exists, because that is unpredictable.
    private static func find(_ samples: Span<VoxelSamples>, in blocks: [Block], _ found: inout [Int]) {
        let (blocks, mask) = (blocks.span, blocks.count - 1)
        var found = found.mutableSpan
        for index in samples.indices {
            let key = samples[index].key
            let block = blocks[key.block.hashInShard & mask]
            let slot = block.firstSlot &+ key.placeInBlock
            found[index] = block.key == key.block ? slot : -1
        }
    }

    private static func areThere(_ found: Span<Int>, in slots: Span<UInt32>) -> Bool {
        var least = UInt32.max
        for index in found.indices { least = min(least, slots[found[index]]) }
        return least > 0
    }

    private static func replace(_ found: inout [Int], by slots: [UInt32], count: Int) {
        let slots = slots.span
        var found = found.mutableSpan
        for index in 0..<count { found[index] = Int(slots[found[index]]) - 1 }
    }

    /// Adds the missing voxels of samples.
    private mutating func addNew(_ samples: Span<VoxelSamples>) {
        for index in samples.indices where slots[found[index]] == 0 {
            voxels.append(Voxel(samples[index].key))
            if hasConfidence { confidences.append(0) }
            slots[found[index]] = UInt32(truncatingIfNeeded: voxels.count)
        }
    }

    /// The start of a block's voxels in ``slots``. Adds the block if it is missing.
    private mutating func firstSlot(of block: VoxelKey) -> Int {
        let place = self.place(of: block)
        if blocks[place].key == block { return blocks[place].firstSlot }
        let firstSlot = slots.count
        slots += repeatElement(0, count: Self.voxelsOfBlock)
        blocks[place] = Block(key: block, firstSlot: firstSlot)
        blockCount += 1
        if blockCount * 2 >= blocks.count { grow() }
        return firstSlot
    }

    /// The table index of a block, or where to insert it.
    private func place(of block: VoxelKey) -> Int {
        let mask = blocks.count - 1
        var place = block.hashInShard & mask
        while blocks[place].key != block, blocks[place].key != .none { place = (place + 1) & mask }
        return place
    }

    private mutating func grow() {
        let former = blocks
        blocks = [Block](repeating: Block(), count: 2 * former.count)
        for block in former where block.key != .none { blocks[place(of: block.key)] = block }
    }

    /// Counts a miss for each voxel that a frame sees through.
    mutating func countMisses(_ view: FreeSpaceView, count: Int) {
        for index in voxels.indices where voxels[index].lastFrame != view.frame {
            guard view.seesThrough(voxels[index]) else { continue }
            voxels[index].misses = UInt16(clamping: Int(voxels[index].misses) + count)
        }
    }
}

extension VoxelKey {
    /// The shard of its block.
    var shard: Int { Int(truncatingIfNeeded: block.hash) & (VoxelShard.count - 1) }

    /// The bits of a block's hash that do not select its shard.
    fileprivate var hashInShard: Int { Int(truncatingIfNeeded: hash >> 8) }
}
