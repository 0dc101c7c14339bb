internal import DepthCore

extension GridCloud {
    /// The cloud without the samples of small pieces of surface, and the number of these pieces.
    ///
    /// A piece is what triangles of ``GridMesh`` join. It is small if it has fewer corners than a share of the samples.
    package func withoutSpecks(share: Double = 0.0003) -> (cloud: GridCloud, count: Int) {
        let pieces = GridPieces(GridCells(self))
        let smallest = Int(Double(selected.count) * share)
        let (mask, count) = pieces.mask(atLeast: smallest)
        let samples = SelectedSamples(mask: mask, width: depth.width, height: depth.height)
        return (GridCloud(self, selecting: samples, hasTextureCoordinates: false), count)
    }
}

/// The pieces of a surface, by its corners.
private struct GridPieces {
    private var sets: DisjointSets
    private let cells: GridCells

    init(_ cells: GridCells) {
        self.cells = cells
        sets = DisjointSets(count: cells.patterns.count)
        let (stride, width) = (cells.stride, cells.width)
        for a in cells.patterns.indices where cells.patterns[a] != 0 {
            let (b, c) = (a + stride, a + stride * width)
            let d = c + stride
            let pattern = cells.patterns[a]
            if pattern & (GridCells.acb | GridCells.bcd) != 0 { sets.join(b, c) }
            if pattern & (GridCells.acd | GridCells.adb) != 0 { sets.join(a, d) }
            if pattern & GridCells.acb != 0 { sets.join(a, b) }
            if pattern & GridCells.bcd != 0 { sets.join(b, d) }
            if pattern & GridCells.acd != 0 { sets.join(a, c) }
            if pattern & GridCells.adb != 0 { sets.join(a, b) }
        }
    }

    /// The corners of pieces with this many corners, and the number of smaller pieces.
    func mask(atLeast smallest: Int) -> (mask: [UInt8], smaller: Int) {
        let roots = sets.roots
        let corners = cells.corners.mask
        var sizes = [Int32](repeating: 0, count: roots.count)
        for index in roots.indices where corners[index] != 0 { sizes[Int(roots[index])] += 1 }
        let mask = roots.indices.map { corners[$0] != 0 && sizes[Int(roots[$0])] >= smallest ? UInt8(1) : 0 }
        return (mask, sizes.count { $0 > 0 && $0 < smallest })
    }
}
