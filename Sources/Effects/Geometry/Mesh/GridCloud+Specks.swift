internal import DepthMaps

extension GridCloud {
    /// Which samples have a distance and no point.
    package var omissions: [Bool] {
        depth.meters.indices.map { depth.meters[$0] > 0 && selected.mask[$0] == 0 }
    }

    /// The cloud without the samples of small pieces of surface, and the number of these pieces.
    ///
    /// A piece is what neighbors on one surface join. It is small if it has fewer samples than a share of all.
    package func withoutSpecks(share: Double = 0.0003) -> (cloud: GridCloud, count: Int) {
        let (mask, count) = GridPieces(self).mask(atLeast: Int(Double(selected.count) * share))
        guard count > 0 else { return (self, 0) }
        let samples = SelectedSamples(mask: mask, width: depth.width, height: depth.height)
        return (GridCloud(self, selecting: samples, texture: texture), count)
    }
}

/// The pieces of a surface, by its samples.
private struct GridPieces {
    private var sets: DisjointSets
    private let samples: [UInt8]

    init(_ cloud: GridCloud) {
        samples = cloud.selected.mask
        sets = DisjointSets(count: samples.count)
        let (grid, stride, width) = (OutlineGrid(cloud), cloud.stride, cloud.depth.width)
        for index in samples.indices where samples[index] != 0 {
            let (right, below) = (index + stride, index + stride * width)
            if index % width + stride < width, grid.isLevel(index, right) { sets.join(index, right) }
            if below < samples.count, grid.isLevel(index, below) { sets.join(index, below) }
        }
    }

    /// The samples of pieces with this many, and the number of smaller pieces.
    func mask(atLeast smallest: Int) -> (mask: [UInt8], smaller: Int) {
        let roots = sets.roots
        var sizes = [Int32](repeating: 0, count: roots.count)
        for index in roots.indices where samples[index] != 0 { sizes[Int(roots[index])] += 1 }
        let mask = roots.indices.map { samples[$0] != 0 && sizes[Int(roots[$0])] >= smallest ? UInt8(1) : 0 }
        return (mask, sizes.count { $0 > 0 && $0 < smallest })
    }
}
