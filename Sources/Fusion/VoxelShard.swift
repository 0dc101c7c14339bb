/// A part of the voxels, by hash: shards are filled on several cores, each by one.
///
/// Voxels lie in the order in which they are first seen, and a table with linear probing finds them. Memory grows with the number of
/// voxels that hold something: 56 to 112 bytes each.
struct VoxelShard {
    private(set) var voxels: [Voxel] = []
    /// The sum of confidences times weights for each voxel; empty where frames have none.
    private(set) var confidences: [Float] = []
    /// Places in ``voxels``, plus one; 0 is free. The count is a power of two.
    private var places = [UInt32](repeating: 0, count: 1 << 8)
    private let hasConfidence: Bool

    init(hasConfidence: Bool) { self.hasConfidence = hasConfidence }

    /// Adds what a frame sees, in order.
    mutating func add(_ samples: [VoxelSamples], frame: UInt32) {
        for index in samples.indices {
            let samples = samples[index]
            let slot = slot(of: samples.key)
            if slot < voxels.count {
                voxels[slot].add(samples, frame: frame)
                if hasConfidence { confidences[slot] += samples.confidence }
            } else {
                voxels.append(Voxel(samples, frame: frame))
                if hasConfidence { confidences.append(samples.confidence) }
            }
        }
    }

    /// The place of a voxel; the number of voxels for a new one, which the table then expects there.
    private mutating func slot(of key: VoxelKey) -> Int {
        if voxels.count * 3 >= places.count * 2 { grow() }
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: key.hash >> 8) & mask
        while true {
            let entry = places[place]
            if entry == 0 {
                places[place] = UInt32(voxels.count + 1)
                return voxels.count
            }
            if voxels[Int(entry) - 1].key == key { return Int(entry) - 1 }
            place = (place + 1) & mask
        }
    }

    private mutating func grow() {
        places = [UInt32](repeating: 0, count: places.count * 2)
        let mask = places.count - 1
        for index in voxels.indices {
            var place = Int(truncatingIfNeeded: voxels[index].key.hash >> 8) & mask
            while places[place] != 0 { place = (place + 1) & mask }
            places[place] = UInt32(index + 1)
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
