internal import DepthCore

/// Semi-global matching: costs summed along five paths.
///
/// H. Hirschmüller, "Stereo processing by semiglobal matching and mutual information", PAMI 30(2), 2008, equation 13:
///
///     L_r(p, d) = C(p, d) + min(L_r(p − r, d), L_r(p − r, d ± 1) + P1, min_k L_r(p − r, k) + P2) − min_k L_r(p − r, k)
///
/// Paths come from the left, from the right and from the three pixels above, so one pass over the rows is enough, and nothing is
/// kept of a row but what the next one needs. With the three from below, a fifth fewer pixels were wrong or missing on the
/// scenes of `Tools/benchmarks/stereo_quality.py`; it takes longer, and a volume of sums in memory.
///
/// P2 falls where the picture has an edge along the path (equation 11's discontinuities). L stays at C + P2 at most, which fits
/// a byte.
struct PathAggregation {
    /// The penalty of a disparity that changes by one.
    var smallStep: UInt8 = 16
    /// The penalty of one that changes by more, where the picture is flat.
    var largeStep = 100
    /// And at the strongest edge.
    var leastLargeStep = 32

    /// P2 for each difference of two neighbors' luma.
    var largeSteps: [UInt8] {
        (0...255).map { UInt8(max(leastLargeStep, largeStep - $0 * 2)) }
    }
}

/// A path's costs along one row of pixels: 16 bytes of a large number, then the disparities, for each pixel in turn.
///
/// The numbers between them are what d ± 1 is at either end. Pixels −1 and `width` hold zeros: paths start there.
private struct PathRow: ~Copyable {
    static let fence: UInt8 = 200
    private let memory: LaneBuffer
    private let minima: LaneBuffer
    private let stride: Int

    init(width: Int, depth: Int) {
        stride = depth + 16
        memory = LaneBuffer(count: (width + 2) * stride + 16, filledWith: Self.fence)
        minima = LaneBuffer(count: width + 2, filledWith: 0)
        for pixel in 0..<width + 2 {
            for index in 0..<depth { memory.lanes[byte: pixel * stride + 16 + index] = 0 }
        }
    }

    var path: Path { Path(lanes: memory.lanes, least: minima.lanes, stride: stride) }
}

/// What of a ``PathRow`` the loops need.
private struct Path {
    /// The costs.
    let lanes: Lanes
    /// The least cost of each pixel.
    let least: Lanes
    let stride: Int

    /// Where a pixel's first cost is.
    @inline(__always) func place(_ column: Int) -> Int { (column &+ 1) &* stride &+ 16 }
}

/// Where a path comes from, at one pixel.
private struct Step {
    let lanes: Lanes
    let from: Int
    let floor: Costs
    let ceiling: Costs

    @inline(__always) init(_ path: Path, _ column: Int, _ largeStep: UInt8) {
        lanes = path.lanes
        from = path.place(column)
        let least = path.least[byte: column &+ 1]
        floor = Costs(repeating: least)
        ceiling = Costs(repeating: least &+ largeStep)
    }

    @_transparent func callAsFunction(_ cost: Costs, _ index: Int, _ smallStep: Costs) -> Costs {
        let at = from &+ index
        let beside = lesser(lanes[costs: at &- 1], lanes[costs: at &+ 1]) &+ smallStep
        return cost &+ (lesser(lesser(lanes[costs: at], ceiling), beside) &- floor)
    }
}

/// The paths that come from the row before: from its pixel behind, from the same, from the one ahead.
private struct ThreeRows: ~Copyable {
    let behind: PathRow
    let middle: PathRow
    let ahead: PathRow

    init(width: Int, depth: Int) {
        behind = PathRow(width: width, depth: depth)
        middle = PathRow(width: width, depth: depth)
        ahead = PathRow(width: width, depth: depth)
    }

    var paths: (behind: Path, middle: Path, ahead: Path) { (behind.path, middle.path, ahead.path) }
}

/// A band of rows on its way from costs to disparities.
struct AggregatedBand: ~Copyable {
    let width: Int
    let rows: Range<Int>
    let disparities: Range<Int>
    private let costs: LaneBuffer
    private let sums: LaneBuffer
    private let left: MatchingSignature
    private let right: MatchingSignature
    private let penalties: PathAggregation

    /// Bytes that a band of so many rows takes.
    static func bytes(width: Int, rows: Int, depth: Int) -> Int {
        11 * (width + 2) * (depth + 17) + 10 * rows * (width + depth + 64)
    }

    init(
        _ left: GrayImage, _ right: GrayImage, rows: Range<Int>, disparities: Range<Int>,
        penalties: PathAggregation
    ) {
        precondition(disparities.count % 16 == 0)
        width = left.width
        self.rows = rows
        self.disparities = disparities
        self.penalties = penalties
        costs = LaneBuffer(count: width * disparities.count)
        sums = LaneBuffer(count: 2 * width * disparities.count)
        let margins = (
            before: max(0, -disparities.lowerBound), after: max(0, disparities.upperBound) + 16
        )
        self.left = MatchingSignature(left, rows: rows, isReversed: false, margins: (0, 0))
        self.right = MatchingSignature(right, rows: rows, isReversed: true, margins: margins)
    }

    /// Sums up the paths of each row. `select` gets the sums of its pixels from left to right, then `finish` the row.
    func aggregate(
        _ image: GrayImage, select: (_ column: Int, _ sums: Lanes) -> Void, finish: (_ row: Int) -> Void
    ) {
        let depth = disparities.count
        let table = penalties.largeSteps
        let samples = image.samples.span
        let across = PathRow(width: width, depth: depth)
        let total = LaneBuffer(count: 2 * depth)
        var before = ThreeRows(width: width, depth: depth)
        var now = ThreeRows(width: width, depth: depth)
        for row in rows {
            let above = max(row - 1, rows.lowerBound)
            let luma = samples.extracting(row * width..<(row + 1) * width)
            let lumaAbove = samples.extracting(above * width..<(above + 1) * width)
            MatchingCost.fill(
                costs.lanes, row: row - rows.lowerBound, left: left, right: right, disparities: disparities)
            fromRight(luma, table.span, across.path)
            fromLeftAndAbove(
                luma, lumaAbove, table.span, across.path, before.paths, now.paths, total.lanes, select)
            finish(row)
            swap(&before, &now)
        }
    }

    private func fromRight(_ luma: Span<UInt8>, _ table: Span<UInt8>, _ across: Path) {
        let depth = disparities.count
        let small = Costs(repeating: penalties.smallStep)
        let (costs, sums) = (costs.lanes, sums.lanes)
        for number in 0..<width {
            let column = width &- 1 &- number
            let a = Step(across, column &+ 1, Edges(luma, luma, column, 1, table).across)
            let to = across.place(column)
            let base = column &* depth
            var best = Costs(repeating: 255)
            var index = 0
            while index < depth {
                let value = a(costs[costs: base &+ index], index, small)
                across.lanes[costs: to &+ index] = value
                best = lesser(best, value)
                let sum = widened(value)
                sums[sums: base &+ index] = sum.even
                sums[sums: base &+ index &+ 8] = sum.odd
                index &+= 16
            }
            across.least[byte: column &+ 1] = least(best)
        }
    }

    private func fromLeftAndAbove(
        _ luma: Span<UInt8>, _ above: Span<UInt8>, _ table: Span<UInt8>, _ across: Path,
        _ before: (behind: Path, middle: Path, ahead: Path), _ now: (behind: Path, middle: Path, ahead: Path),
        _ total: Lanes, _ select: (_ column: Int, _ sums: Lanes) -> Void
    ) {
        let depth = disparities.count
        let small = Costs(repeating: penalties.smallStep)
        let (costs, sums) = (costs.lanes, sums.lanes)
        for column in 0..<width {
            let edges = Edges(luma, above, column, -1, table)
            // A row starts at a pixel without costs, whatever the row before left there.
            let a = Step(across, column &- 1, edges.across)
            let b = Step(before.behind, column &- 1, edges.behind)
            let c = Step(before.middle, column, edges.middle)
            let d = Step(before.ahead, column &+ 1, edges.ahead)
            let to = across.place(column)
            let base = column &* depth
            var best = (
                Costs(repeating: 255), Costs(repeating: 255), Costs(repeating: 255), Costs(repeating: 255)
            )
            var index = 0
            while index < depth {
                let cost = costs[costs: base &+ index]
                let values = (
                    a(cost, index, small), b(cost, index, small), c(cost, index, small), d(cost, index, small)
                )
                across.lanes[costs: to &+ index] = values.0
                now.behind.lanes[costs: to &+ index] = values.1
                now.middle.lanes[costs: to &+ index] = values.2
                now.ahead.lanes[costs: to &+ index] = values.3
                best.0 = lesser(best.0, values.0)
                best.1 = lesser(best.1, values.1)
                best.2 = lesser(best.2, values.2)
                best.3 = lesser(best.3, values.3)
                let (w, x, y, z) = (
                    widened(values.0), widened(values.1), widened(values.2), widened(values.3)
                )
                let (even, odd) = (sums[sums: base &+ index], sums[sums: base &+ index &+ 8])
                total[sums: index] = even &+ (w.even &+ x.even) &+ (y.even &+ z.even)
                total[sums: index &+ 8] = odd &+ (w.odd &+ x.odd) &+ (y.odd &+ z.odd)
                index &+= 16
            }
            across.least[byte: column &+ 1] = least(best.0)
            now.behind.least[byte: column &+ 1] = least(best.1)
            now.middle.least[byte: column &+ 1] = least(best.2)
            now.ahead.least[byte: column &+ 1] = least(best.3)
            select(column, total)
        }
    }
}

/// P2 of the four paths to a pixel.
private struct Edges {
    let across: UInt8
    let behind: UInt8
    let middle: UInt8
    let ahead: UInt8

    /// `back` is −1 where paths go to the right.
    @inline(__always) init(
        _ luma: Span<UInt8>, _ before: Span<UInt8>, _ column: Int, _ back: Int, _ table: Span<UInt8>
    ) {
        let center = luma[column]
        let last = luma.count &- 1
        let (behind, ahead) = (min(max(column &+ back, 0), last), min(max(column &- back, 0), last))
        @inline(__always) func largeStep(_ other: UInt8) -> UInt8 {
            table[Int(max(center, other) &- min(center, other))]
        }
        across = largeStep(luma[behind])
        self.behind = largeStep(before[behind])
        middle = largeStep(before[column])
        self.ahead = largeStep(before[ahead])
    }
}
