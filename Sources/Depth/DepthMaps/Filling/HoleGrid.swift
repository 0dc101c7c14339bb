/// The holes of a plane, with the distances that let rays cross them in a few jumps, and their rim: the known samples beside
/// them.
struct HoleGrid: Sendable {
    let width: Int
    let height: Int
    /// For each sample: the steps to the nearest known one, to any of 8 neighbors; 0 if it is known itself; the complement
    /// of its number in ``rim`` if it is also beside a hole.
    let cells: [Int32]
    /// The indices of the rim's samples.
    let rim: [Int]
    /// The squares inside holes.
    let scales: HoleScales
    /// Whether a sample is in a part of a hole that is too wide for rays, see ``HoleContinuation``.
    let isWide: [Bool]

    /// The nearest of a body is less than this times as near as its farthest.
    private static let bodyRatio: Float = 1.5
    /// How much farther than a body a background is put of which nothing is known.
    private static let backgroundRatio: Float = 8
    /// The narrowest squares of wide parts, as a fraction of the plane's shorter side, and in samples.
    private static let wideSide = (fraction: 1.0 / 24, samples: 16.0)

    /// The holes are the samples that are not finite. `nil` without any.
    init?(_ samples: [Float], _ width: Int, _ height: Int) {
        guard samples.contains(where: { !$0.isFinite }) else { return nil }
        (self.width, self.height) = (width, height)
        var cells = Self.distances(samples, width, height)
        let scales = HoleScales(cells.map { $0 > 0 }, width, height)
        let side = Int(max(Double(min(width, height)) * Self.wideSide.fraction, Self.wideSide.samples))
        let least = Int.bitWidth - (side - 1).leadingZeroBitCount
        isWide = parallelMapRows(width: width, height: height) { [cells] rows, output in
            for index in rows.lowerBound * width..<rows.upperBound * width {
                output[index - rows.lowerBound * width] =
                    cells[index] > 0
                    && scales.level(atRow: index / width, column: index % width, least: least) != nil
            }
        }
        self.scales = scales
        var rim: [Int] = []
        for index in cells.indices where cells[index] == 1 {
            let (row, column) = (index / width, index % width)
            for row in max(row - 1, 0)...min(row + 1, height - 1) {
                for column in max(column - 1, 0)...min(column + 1, width - 1) {
                    let neighbor = row * width + column
                    guard cells[neighbor] == 0 else { continue }
                    cells[neighbor] = ~Int32(truncatingIfNeeded: rim.count)
                    rim.append(neighbor)
                }
            }
        }
        (self.cells, self.rim) = (cells, rim)
    }

    /// The indices of the samples at the plane's edges.
    var border: [Int] {
        (0..<width).flatMap { [$0, (height - 1) * width + $0] }
            + (0..<height).flatMap { [$0 * width, $0 * width + width - 1] }
    }

    /// The value of a background of which nothing is known: wide holes have more than half of the plane and two thirds of its
    /// border, and all known samples are one body, at least a hundredth of the plane.
    func unknownBackground(of samples: [Float]) -> Float? {
        let known = samples.filter(\.isFinite)
        guard 2 * isWide.count(where: \.self) > samples.count, 100 * known.count > samples.count,
            3 * border.count(where: { isWide[$0] }) > 2 * border.count,
            let ends = OrderStatistics(known)?.percentiles([0.01, 0.99]), ends[1] < Self.bodyRatio * ends[0],
            let farthest = known.min(), farthest > 0
        else { return nil }
        return farthest / Self.backgroundRatio
    }

    /// Two sweeps of chessboard distances (A. Rosenfeld and J. Pfaltz, "Distance functions on digital pictures", 1968).
    private static func distances(_ samples: [Float], _ width: Int, _ height: Int) -> [Int32] {
        var cells = samples.map { $0.isFinite ? 0 : Int32(truncatingIfNeeded: max(width, height)) }
        var span = cells.mutableSpan
        for row in 0..<height {
            for column in 0..<width {
                let index = row &* width &+ column
                var least = span[index] &- 1
                guard least >= 0 else { continue }
                if column > 0 { least = min(least, span[index &- 1]) }
                if row > 0 {
                    let above = index &- width
                    if column > 0 { least = min(least, span[above &- 1]) }
                    least = min(least, span[above])
                    if column < width &- 1 { least = min(least, span[above &+ 1]) }
                }
                span[index] = least &+ 1
            }
        }
        for row in stride(from: height - 1, through: 0, by: -1) {
            for column in stride(from: width - 1, through: 0, by: -1) {
                let index = row &* width &+ column
                var least = span[index] &- 1
                guard least >= 0 else { continue }
                if column < width &- 1 { least = min(least, span[index &+ 1]) }
                if row < height &- 1 {
                    let below = index &+ width
                    if column > 0 { least = min(least, span[below &- 1]) }
                    least = min(least, span[below])
                    if column < width &- 1 { least = min(least, span[below &+ 1]) }
                }
                span[index] = least &+ 1
            }
        }
        return cells
    }
}

/// One of 8 directions in a plane. The opposite of a direction is 4 numbers away.
struct HoleDirection: Sendable {
    static let all = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)].map {
        HoleDirection(columns: $0, rows: $1)
    }

    /// The columns and rows of a step: -1, 0 or 1.
    let columns: Int
    let rows: Int

    /// The steps from a sample to the edge of the plane.
    @inline(__always)
    func limit(_ row: Int, _ column: Int, in grid: HoleGrid) -> Int {
        let across = columns > 0 ? grid.width &- 1 &- column : columns < 0 ? column : .max
        let along = rows > 0 ? grid.height &- 1 &- row : rows < 0 ? row : .max
        return min(across, along)
    }

    /// The steps from a sample of a hole to the rim; `nil` if the ray leaves the plane, or needs too many jumps: it then runs
    /// beside a rim that is much closer.
    @inline(__always)
    func steps(_ row: Int, _ column: Int, in grid: HoleGrid, _ cells: Span<Int32>) -> Int? {
        let (limit, stride) = (limit(row, column, in: grid), rows &* grid.width &+ columns)
        let start = row &* grid.width &+ column
        var steps = Int(cells[start])
        for _ in 0..<32 {
            guard steps <= limit else { return nil }
            let cell = cells[start &+ steps &* stride]
            guard cell > 0 else { return steps }
            steps &+= Int(cell)
        }
        return nil
    }
}
