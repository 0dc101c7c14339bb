/// A part of the blocks of voxels, by hash. Each shard is filled by one core.
///
/// Blocks of 4 × 4 × 4 voxels are in the order of their first frame; a hash table with linear probing finds them. A voxel has
/// 12 bytes, or 14 with confidence.
struct VoxelShard {
    /// How many shards there are.
    static let count = 16
    /// Voxels along the edge of a block.
    static let edge = 4
    /// Voxels in a block.
    static let blockSize = 64
    /// The unit of ``distances``, in voxels.
    static let unit = FusionFrame.mostVoxels / 32767

    /// The first voxel of each block.
    private(set) var keys: [VoxelKey] = []
    /// The mean signed distance of each voxel from the surface, in units of ``unit``: positive in front of it.
    private(set) var distances: [Int16] = []
    /// The sum of weights, as the upper half of a Float32; 0 for voxels that no frame measured. At about 256 times the
    /// weight of a frame it stops growing, and old frames lose theirs.
    private(set) var weights: [UInt16] = []
    /// The mean linear light of red, green and blue, 1…65,535, or 0 without color; and in how many frames the voxel was near
    /// the surface.
    private(set) var colors: [SIMD4<UInt16>] = []
    /// The mean confidence, 0…2 as 0…65,534; empty if frames have none.
    private(set) var confidences: [UInt16] = []
    /// Voxels behind a surface that became free, since frames saw through them.
    private(set) var freedCount = 0

    /// The index of each block plus one in a table whose count is a power of two.
    private var table = [UInt32](repeating: 0, count: 1 << 6)
    /// The last frame that updated each block.
    private var lastFrames: [UInt32] = []
    /// The blocks near the surface of the current frame.
    private var near: [Int] = []
    private let hasConfidence: Bool
    private let memory: FusionMemory
    /// For how many blocks memory is reserved.
    private var capacity = 0

    init(hasConfidence: Bool, _ memory: FusionMemory) {
        self.hasConfidence = hasConfidence
        self.memory = memory
    }

    /// Adds a frame's surface to the blocks that rays of `bands` go through, and to some of the others: each is visited once in
    /// `period` frames. Stops when memory runs out; then ``FusionMemory/check(_:)`` throws.
    mutating func add(_ frame: FusionFrame, _ bands: [[VoxelKey]], period: Int, _ scratch: inout BlockScratch)
    {
        near.removeAll(keepingCapacity: true)
        for band in bands {
            for key in band {
                guard let block = self.block(key) else { return }
                guard lastFrames[block] != frame.number else { continue }
                lastFrames[block] = frame.number
                near.append(block)
            }
        }
        for block in near { update(block, frame, freeWeight: 1, &scratch) }
        for block in stride(from: Int(frame.number) % period, to: keys.count, by: period) {
            guard lastFrames[block] != frame.number, scratch.sees(keys[block], frame) else { continue }
            update(block, frame, freeWeight: Float(period), &scratch)
        }
    }

    private mutating func update(
        _ block: Int, _ frame: FusionFrame, freeWeight: Float, _ scratch: inout BlockScratch
    ) {
        guard scratch.project(keys[block], frame) else { return }
        let start = block * Self.blockSize
        freedCount += scratch.measure(frame, freeWeight: freeWeight, &distances, &weights, at: start)
        scratch.mixColors(frame, &colors, at: start)
        if hasConfidence { scratch.mixConfidences(frame, &confidences, at: start) }
    }

    /// The index of a block; adds it if it is missing. `nil` if there is not enough memory.
    private mutating func block(_ key: VoxelKey) -> Int? {
        let place = self.place(of: key)
        if table[place] > 0 { return Int(table[place]) - 1 }
        guard keys.count < capacity || reserve() else { return nil }
        keys.append(key)
        lastFrames.append(0)
        distances += repeatElement(0, count: Self.blockSize)
        weights += repeatElement(0, count: Self.blockSize)
        colors += repeatElement(.zero, count: Self.blockSize)
        if hasConfidence { confidences += repeatElement(0, count: Self.blockSize) }
        table[place] = UInt32(truncatingIfNeeded: keys.count)
        if keys.count * 2 >= table.count { grow() }
        return keys.count - 1
    }

    /// Reserves memory for half as many blocks again. Returns whether there was enough.
    private mutating func reserve() -> Bool {
        let added = max(64, capacity / 2)
        // Bytes of a block: its distances, weights and colors, its key and last frame, and an entry in the table and in ``near``.
        let byteCount = Self.blockSize * (hasConfidence ? 14 : 12) + 36
        guard memory.reserve(added * byteCount) else { return false }
        capacity += added
        keys.reserveCapacity(capacity)
        lastFrames.reserveCapacity(capacity)
        distances.reserveCapacity(capacity * Self.blockSize)
        weights.reserveCapacity(capacity * Self.blockSize)
        colors.reserveCapacity(capacity * Self.blockSize)
        if hasConfidence { confidences.reserveCapacity(capacity * Self.blockSize) }
        return true
    }

    /// The index of an existing block.
    func existingBlock(_ key: VoxelKey) -> Int? {
        let index = table[place(of: key)]
        return index > 0 ? Int(index) - 1 : nil
    }

    /// The table index of a block, or where to insert it.
    private func place(of key: VoxelKey) -> Int {
        let mask = table.count - 1
        // The lower bits select the shard.
        var place = Int(truncatingIfNeeded: key.hash >> 8) & mask
        while table[place] > 0, keys[Int(table[place]) - 1] != key { place = (place + 1) & mask }
        return place
    }

    private mutating func grow() {
        table = [UInt32](repeating: 0, count: 2 * table.count)
        for index in keys.indices { table[place(of: keys[index])] = UInt32(index + 1) }
    }
}
