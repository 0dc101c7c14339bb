internal import DepthMaps

extension PointCloud {
    /// One point for each occupied cube of edge `size`: the mean position, color, normal and confidence of its points,
    /// in the order of the cubes' first points.
    ///
    /// Cubes start half an edge below the smallest coordinates, as in Open3D's `voxel_down_sample`. Throws if the cloud
    /// extends over 2³¹ cubes.
    public func downsampled(voxelSize size: Float) throws(CloudError) -> PointCloud {
        precondition(size > 0 && size.isFinite, "a voxel has a size")
        guard !positions.isEmpty else { return self }
        let bounds = CloudBounds(of: positions)
        let extent = SIMD3<Double>(bounds.maximum) - SIMD3<Double>(bounds.minimum)
        guard extent.max() / Double(size) < 0x7FFF_FFF0 else {
            throw .voxelsTooSmall(size: size, extent: extent.max())
        }
        let (slots, count) = VoxelTable.slots(of: positions, origin: bounds.minimum, size: size)
        var shares = [Float](repeating: 0, count: count)
        for slot in slots { shares[Int(slot)] += 1 }
        for slot in shares.indices { shares[slot] = 1 / shares[slot] }
        var result = PointCloud()
        result.provenance = provenance
        if splatSpacing != nil { result.splatSpacing = .length(size) }
        result.positions = means(of: positions, slots, shares)
        if !colors.isEmpty { result.colors = means(of: colors, slots, shares) }
        if !normals.isEmpty {
            result.normals = means(of: normals, slots, shares).map { mean in
                let length = (mean * mean).sum().squareRoot()
                return length > 0 ? mean / length : SIMD3(0, 0, 1)
            }
        }
        if !confidences.isEmpty {
            let sums = confidences.map { SIMD3($0, 0, 0) }
            result.confidences = means(of: sums, slots, shares).map(\.x)
        }
        return result
    }
}

/// The means of the vectors of each slot.
private func means(
    of values: [SIMD3<Float>], _ slots: [UInt32], _ shares: [Float]
) -> [SIMD3<Float>] {
    var sums = [SIMD3<Float>](repeating: .zero, count: shares.count)
    // Sums are of offsets from the first point of a slot, so that Float32 keeps its digits.
    var firsts = [UInt32](repeating: .max, count: shares.count)
    for (index, slot) in slots.enumerated() {
        let slot = Int(slot)
        if firsts[slot] == .max { firsts[slot] = UInt32(index) }
        sums[slot] += values[index] - values[Int(firsts[slot])]
    }
    for slot in sums.indices { sums[slot] = values[Int(firsts[slot])] + sums[slot] * shares[slot] }
    return sums
}

private func means(of colors: [RGB<UInt8>], _ slots: [UInt32], _ shares: [Float]) -> [RGB<UInt8>] {
    var sums = [SIMD4<UInt32>](repeating: .zero, count: shares.count)
    for (color, slot) in zip(colors, slots) {
        sums[Int(slot)] &+= SIMD4(UInt32(color.red), UInt32(color.green), UInt32(color.blue), 0)
    }
    return zip(sums, shares).map { sum, share in
        RGB(
            red: UInt8(min(Float(sum.x) * share + 0.5, 255)),
            green: UInt8(min(Float(sum.y) * share + 0.5, 255)),
            blue: UInt8(min(Float(sum.z) * share + 0.5, 255)))
    }
}

/// Numbers cubes of space in the order of their first points: a hash table with linear probing.
private struct VoxelTable {
    private var cells: [SIMD4<Int32>] = []
    /// Indices in ``cells``, plus one; 0 is free. The count is a power of two.
    private var places = [UInt32](repeating: 0, count: 1 << 16)
    private var last = 0

    /// The number of each point's cube, and the number of cubes.
    static func slots(
        of points: [SIMD3<Float>], origin: SIMD3<Float>, size: Float
    ) -> (slots: [UInt32], count: Int) {
        let start = SIMD3<Double>(origin) - Double(size) / 2
        let scale = Double(size)
        let cells: [SIMD4<Int32>] = parallelMapRows(width: 1, height: points.count, minimum: 1 << 14) {
            range, output in
            for index in range {
                let place = (SIMD3<Double>(points[index]) - start) / scale
                output[index - range.lowerBound] = SIMD4(Int32(place.x), Int32(place.y), Int32(place.z), 0)
            }
        }
        var table = VoxelTable()
        var slots = [UInt32](repeating: 0, count: points.count)
        for index in cells.indices { slots[index] = UInt32(table.slot(of: cells[index])) }
        return (slots, table.cells.count)
    }

    private mutating func slot(of cell: SIMD4<Int32>) -> Int {
        // Neighbors in a map are often neighbors in space.
        if last < cells.count, cells[last] == cell { return last }
        if cells.count * 2 > places.count { grow() }
        var place = hash(cell)
        while places[place] != 0 {
            last = Int(places[place] - 1)
            if cells[last] == cell { return last }
            place = (place + 1) & (places.count - 1)
        }
        last = cells.count
        cells.append(cell)
        places[place] = UInt32(cells.count)
        return last
    }

    private mutating func grow() {
        places = [UInt32](repeating: 0, count: places.count * 4)
        for (slot, cell) in cells.enumerated() {
            var place = hash(cell)
            while places[place] != 0 { place = (place + 1) & (places.count - 1) }
            places[place] = UInt32(slot + 1)
        }
    }

    private func hash(_ cell: SIMD4<Int32>) -> Int {
        func wide(_ index: Int32) -> UInt64 { UInt64(UInt32(bitPattern: index)) }
        let mixed =
            wide(cell.x) &* 0x9E37_79B9_7F4A_7C15 ^ wide(cell.y) &* 0xC2B2_AE3D_27D4_EB4F
            ^ wide(cell.z) &* 0x1656_67B1_9E37_79F9
        let spread = (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
        return Int(truncatingIfNeeded: spread >> 32) & (places.count - 1)
    }
}
