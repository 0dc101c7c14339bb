internal import DepthMaps

/// The surfaces in the cells that a depth edge crosses, up to their outlines.
///
/// Outlines divide a cell into a polygon for each of its surfaces, with vertices on the lines between samples
/// (``OutlineCrossings``), once for each surface. Seen from the camera, the polygons cover the cell; seen from the side, they
/// are apart. Where outlines branch, they meet in the middle of the cell.
package struct MeshOutline: Sendable {
    /// A vertex of a rim.
    struct RimPoint: Hashable, Sendable {
        /// Two samples that it is between.
        let ends: SIMD2<Int32>
        /// The position from the first to the second, 0…1.
        let position: Float
        /// 1/Z.
        var inverseDepth: Float
        /// The sample whose surface it belongs to.
        let owner: Int32
    }

    /// Corners are samples of the map from 0 on, and rim points −1 − n.
    private(set) var triangles: [SIMD3<Int32>] = []
    private(set) var points: [RimPoint] = []
    private let grid: OutlineGrid
    private var crossings: OutlineCrossings
    /// The rim points of the first and second ends of crossings; −1 until they are needed.
    private var numbers: [SIMD2<Int32>] = []

    /// The largest relative change of 1/Z over a sample that is continued to an outline: a slope seen at 30° has it.
    private let steepest: Float
    /// How often rims are smoothed: over about four samples.
    private static let passes = 8

    /// The surfaces of a cloud's cut cells, by what is known of outlines.
    package init(_ cloud: GridCloud, _ guide: OutlineGuide) {
        grid = OutlineGrid(cloud)
        steepest = (grid.ratio - 1) / 4
        crossings = OutlineCrossings(grid, guide)
        let cells = cutCells
        for cell in cells {
            let cut = ring(of: cell).compactMap(\.crossing)
            if cut.count == 2 { crossings.link(cut[0], cut[1]) }
        }
        crossings.smooth()
        numbers = [SIMD2<Int32>](repeating: SIMD2(-1, -1), count: crossings.crossings.count)
        for cell in cells { fill(cell) }
        for _ in 0..<Self.passes { smoothRims() }
    }

    /// Moves the points of each rim along their rays towards the mean of the next ones: noise of depth would fray the rim.
    private mutating func smoothRims() {
        let old = points.map(\.inverseDepth)
        for (number, crossing) in crossings.crossings.enumerated() where crossing.links.min() >= 0 {
            for isNear in [true, false] {
                guard let point = rim(of: number, isNear: isNear),
                    let first = rim(of: Int(crossing.links.x), isNear: isNear),
                    let second = rim(of: Int(crossing.links.y), isNear: isNear)
                else { continue }
                let mean = (old[first] + old[second]) / 2
                guard abs(mean - old[point]) <= old[point] * (grid.ratio - 1) else { continue }
                points[point].inverseDepth = (old[point] + mean) / 2
            }
        }
    }

    /// The rim point of a crossing on the nearer or the farther surface.
    private func rim(of number: Int, isNear: Bool) -> Int? {
        let ends = crossings.crossings[number].ends
        let isFirst = (grid.meters[Int(ends.x)] < grid.meters[Int(ends.y)]) == isNear
        let point = isFirst ? numbers[number].x : numbers[number].y
        return point >= 0 ? Int(point) : nil
    }

    /// The first corners of the cells that have four points and a crossing, in reading order.
    private var cutCells: [Int] {
        var cells: [Int] = []
        let (stride, width) = (grid.stride, grid.width)
        for crossing in crossings.crossings {
            let (first, second) = (Int(crossing.ends.x), Int(crossing.ends.y))
            let isDown = second - first == stride * width
            cells.append(first)
            let isAtRim = isDown ? first % width < stride : first < stride * width
            if !isAtRim { cells.append(first - (isDown ? stride : stride * width)) }
        }
        cells.sort()
        return cells.indices.compactMap { index in
            let cell = cells[index]
            return (index == 0 || cells[index - 1] != cell) && grid.isComplete(cell) ? cell : nil
        }
    }

    /// The corners of a cell counter-clockwise from the first, and the crossing between each and the next.
    private func ring(of cell: Int) -> [(sample: Int, crossing: Int?)] {
        let (right, below) = (cell + grid.stride, cell + grid.stride * grid.width)
        let last = below + grid.stride
        return [
            (cell, crossings.number(at: cell, isDown: true)),
            (below, crossings.number(at: below, isDown: false)),
            (last, crossings.number(at: right, isDown: true)),
            (right, crossings.number(at: cell, isDown: false)),
        ]
    }

    /// Adds the polygons of a cell.
    private mutating func fill(_ cell: Int) {
        let ring = ring(of: cell)
        let cuts = ring.indices.filter { ring[$0].crossing != nil }
        if cuts.count == 1, let number = ring[cuts[0]].crossing {
            return fillSlit(ring.map(\.sample), after: cuts[0], number)
        }
        for (index, cut) in cuts.enumerated() {
            let next = cuts[(index + 1) % cuts.count]
            guard let first = ring[cut].crossing, let last = ring[next].crossing else { continue }
            let samples = (1...(next - cut + 3) % 4 + 1).map { ring[(cut + $0) % 4].sample }
            var corners = [point(of: first, at: samples[0])] + samples.map { Int32($0) }
            corners.append(point(of: last, at: samples[samples.count - 1]))
            if cuts.count > 2 { corners.insert(middle(of: cell, at: samples[0]), at: 0) }
            for corner in 1..<corners.count - 1 {
                triangles.append(SIMD3(corners[0], corners[corner], corners[corner + 1]))
            }
        }
    }

    /// A cell with a single crossing, where an edge ends: three triangles meet there, and the last one is on the other side.
    private mutating func fillSlit(_ samples: [Int], after cut: Int, _ number: Int) {
        let corners = (1...4).map { samples[(cut + $0) % 4] }
        let (first, last) = (point(of: number, at: corners[0]), point(of: number, at: corners[3]))
        triangles.append(SIMD3(first, Int32(corners[0]), Int32(corners[1])))
        triangles.append(SIMD3(first, Int32(corners[1]), Int32(corners[2])))
        triangles.append(SIMD3(last, Int32(corners[2]), Int32(corners[3])))
    }

    /// The rim point of a crossing on the surface of the sample at one of its ends.
    private mutating func point(of number: Int, at sample: Int) -> Int32 {
        let crossing = crossings.crossings[number]
        let isFirst = Int(crossing.ends.x) == sample
        let known = isFirst ? numbers[number].x : numbers[number].y
        if known >= 0 { return -1 - known }
        let other = Int(isFirst ? crossing.ends.y : crossing.ends.x)
        let distance = isFirst ? crossing.position : 1 - crossing.position
        let point = Int32(points.count)
        points.append(
            RimPoint(
                ends: crossing.ends, position: crossing.position,
                inverseDepth: inverseDepth(at: distance, from: sample, to: other), owner: Int32(sample)))
        if isFirst { numbers[number].x = point } else { numbers[number].y = point }
        return -1 - point
    }

    /// The middle of a cell on the surface of one of its corners.
    private mutating func middle(of cell: Int, at sample: Int) -> Int32 {
        let last = cell + grid.stride * (grid.width + 1)
        points.append(
            RimPoint(
                ends: SIMD2(Int32(cell), Int32(last)), position: 0.5, inverseDepth: 1 / grid.meters[sample],
                owner: Int32(sample)))
        return Int32(-points.count)
    }

    /// 1/Z of a sample's surface, continued towards a sample of another surface.
    private func inverseDepth(at distance: Float, from sample: Int, to other: Int) -> Float {
        let own = 1 / grid.meters[sample]
        guard let before = grid.neighbor(behind: sample, other) else { return own }
        let slope = own - 1 / grid.meters[before]
        let limit = own * steepest
        return own + distance * min(max(slope, -limit), limit)
    }
}
