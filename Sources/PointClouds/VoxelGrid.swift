internal import DepthCore

extension PointCloud {
    /// One point for each cube of edge `size` that has some: their mean position, color, normal and confidence, in the
    /// order in which cubes are first met.
    ///
    /// Cubes start half an edge below the least coordinates, as those of Open3D's `voxel_down_sample`. Throws where
    /// the cloud is 2³¹ cubes long.
    public func downsampled(voxelSize size: Float) throws(CloudError) -> PointCloud {
        precondition(size > 0 && size.isFinite, "a voxel has a size")
        guard !positions.isEmpty else { return self }
        let bounds = CloudBounds(of: positions)
        let extent = SIMD3<Double>(bounds.maximum) - SIMD3<Double>(bounds.minimum)
        guard extent.max() / Double(size) < 0x7FFF_FFF0 else {
            throw CloudError(description: "voxels of \(size) are too small for a cloud of \(extent.max())")
        }
        var table = VoxelTable(origin: bounds.minimum, size: size)
        let slots = positions.map { table.slot(of: $0) }
        let count = table.count
        var result = PointCloud()
        result.provenance = provenance
        let positions = means(positions.lazy.map { SIMD3<Double>($0) }, slots, count)
        result.positions = positions.map { SIMD3<Float>($0) }
        if !colors.isEmpty {
            let sums = colors.lazy.map { SIMD3(Double($0.red), Double($0.green), Double($0.blue)) }
            result.colors = means(sums, slots, count).map {
                RGB(red: UInt8($0.x + 0.5), green: UInt8($0.y + 0.5), blue: UInt8($0.z + 0.5))
            }
        }
        if !normals.isEmpty {
            result.normals = means(normals.lazy.map { SIMD3<Double>($0) }, slots, count).map { mean in
                let length = (mean * mean).sum().squareRoot()
                return length > 0 ? SIMD3<Float>(mean / length) : SIMD3(0, 0, 1)
            }
        }
        if !confidences.isEmpty {
            result.confidences = means(confidences.lazy.map { SIMD3(Double($0), 0, 0) }, slots, count).map {
                Float($0.x)
            }
        }
        return result
    }
}

private func means(_ values: some Sequence<SIMD3<Double>>, _ slots: [UInt32], _ count: Int) -> [SIMD3<Double>]
{
    var sums = [SIMD4<Double>](repeating: .zero, count: count)
    for (value, slot) in zip(values, slots) { sums[Int(slot)] += SIMD4(value, 1) }
    return sums.map { SIMD3($0.x, $0.y, $0.z) / $0.w }
}

/// Numbers for cubes of space, in the order in which they are met: a hash table with linear probing.
private struct VoxelTable {
    private let origin: SIMD3<Double>
    private let size: Double
    private var cells: [SIMD3<Int32>] = []
    /// Places in ``cells``, plus one; 0 is free. The count is a power of two.
    private var places = [UInt32](repeating: 0, count: 1 << 16)
    private var last: UInt32 = 0

    init(origin: SIMD3<Float>, size: Float) {
        self.origin = SIMD3<Double>(origin) - Double(size) / 2
        self.size = Double(size)
    }

    var count: Int { cells.count }

    mutating func slot(of point: SIMD3<Float>) -> UInt32 {
        let cell = SIMD3<Int32>(truncatingIfNeeded: SIMD3<Int64>((SIMD3<Double>(point) - origin) / size))
        // Neighbors in a map are often neighbors in space.
        if last < cells.count, cells[Int(last)] == cell { return last }
        if cells.count * 2 > places.count { grow() }
        var place = hash(cell)
        while places[place] != 0 {
            let slot = places[place] - 1
            if cells[Int(slot)] == cell {
                last = slot
                return slot
            }
            place = (place + 1) & (places.count - 1)
        }
        cells.append(cell)
        places[place] = UInt32(cells.count)
        last = UInt32(cells.count - 1)
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

    private func hash(_ cell: SIMD3<Int32>) -> Int {
        let wide = SIMD3<UInt64>(truncatingIfNeeded: cell)
        let mixed =
            wide.x &* 0x9E37_79B9_7F4A_7C15 ^ wide.y &* 0xC2B2_AE3D_27D4_EB4F ^ wide.z
            &* 0x1656_67B1_9E37_79F9
        return Int(truncatingIfNeeded: (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9 >> 32)
            & (places.count - 1)
    }
}
