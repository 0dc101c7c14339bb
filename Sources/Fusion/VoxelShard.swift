/// A part of the voxels, by hash of their blocks: shards are filled on several cores, each by one.
///
/// Voxels lie in the order in which they are first seen. A table with linear probing finds blocks of 4 × 4 × 4 voxels, and each block
/// says where its voxels are: what a frame adds comes block by block, mostly. Memory grows with the number of voxels that hold
/// something: a surface goes through 16 voxels of a block or more, so that 64 to 120 bytes is what each takes.
struct VoxelShard {
    /// How many shards there are.
    static let count = 16
    private static let blockCount = 64

    private(set) var voxels: [Voxel] = []
    /// The sum of confidences times weights for each voxel; empty where frames have none.
    private(set) var confidences: [Float] = []
    /// The blocks, and for each voxel of each its place in ``voxels``, plus one; 0 for none.
    private var blocks: [VoxelKey] = []
    private var slots: [UInt32] = []
    /// Places in ``blocks``, plus one; 0 is free. The count is a power of two.
    private var places = [UInt32](repeating: 0, count: 1 << 6)
    private let hasConfidence: Bool
    /// The voxels of what is being added; before they are known, their places in ``slots``. What is behind them is of an earlier band.
    private var found: [Int] = []

    init(hasConfidence: Bool) { self.hasConfidence = hasConfidence }

    /// Adds what a band of a frame sees in a shard, in order.
    mutating func add(_ band: SamplesTable, shard: Int, frame: UInt32) {
        let order = band.starts[shard]..<band.starts[shard + 1]
        find(band, order)
        // In loops of their own: where voxels are is known now, so that the processor fetches several at once.
        Self.add(band, order, to: &voxels, at: found, frame)
        guard hasConfidence else { return }
        for (place, voxel) in zip(order, found) {
            confidences[voxel] += band.samples[Int(band.order[place])].confidence
        }
    }

    private static func add(
        _ band: SamplesTable, _ order: Range<Int>, to voxels: inout [Voxel], at found: [Int], _ frame: UInt32
    ) {
        let (indices, samples, found) = (band.order.span, band.samples.span, found.span)
        var voxels = voxels.mutableSpan
        // A short loop fetches more of them at once than a long one.
        for index in 0..<order.count { voxels[found[index]].count(frame) }
        for place in order { voxels[found[place &- order.lowerBound]].add(samples[Int(indices[place])]) }
    }

    /// Finds the voxels of samples; new ones are added, and empty.
    private mutating func find(_ band: SamplesTable, _ order: Range<Int>) {
        let keys = band.keys.span.extracting(order)
        if found.count < order.count { found += repeatElement(0, count: order.count - found.count) }
        var block = VoxelKey.none
        var firstSlot = 0
        for index in keys.indices {
            let key = keys[index]
            if key.block != block {
                block = key.block
                firstSlot = self.index(of: block) * Self.blockCount
            }
            found[index] = firstSlot + key.placeInBlock
        }
        for index in keys.indices {
            let slot = found[index]
            var place = slots[slot]
            if place == 0 {
                voxels.append(Voxel(keys[index]))
                if hasConfidence { confidences.append(0) }
                place = UInt32(truncatingIfNeeded: voxels.count)
                slots[slot] = place
            }
            found[index] = Int(place) - 1
        }
    }

    /// The index of a block, which is added where it is not there yet.
    private mutating func index(of block: VoxelKey) -> Int {
        if blocks.count * 3 >= places.count * 2 { grow() }
        let mask = places.count - 1
        var place = block.hashInShard & mask
        while true {
            let entry = places[place]
            if entry == 0 {
                blocks.append(block)
                slots += repeatElement(0, count: Self.blockCount)
                places[place] = UInt32(truncatingIfNeeded: blocks.count)
                return blocks.count - 1
            }
            if blocks[Int(entry) - 1] == block { return Int(entry) - 1 }
            place = (place + 1) & mask
        }
    }

    private mutating func grow() {
        places = [UInt32](repeating: 0, count: places.count * 2)
        let mask = places.count - 1
        for index in blocks.indices {
            var place = blocks[index].hashInShard & mask
            while places[place] != 0 { place = (place + 1) & mask }
            places[place] = UInt32(truncatingIfNeeded: index + 1)
        }
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
    /// Which shard its block is in.
    var shard: UInt32 { UInt32(truncatingIfNeeded: block.hash) & UInt32(VoxelShard.count - 1) }

    /// What of a block's hash is not its shard.
    fileprivate var hashInShard: Int { Int(truncatingIfNeeded: hash >> 8) }
}
