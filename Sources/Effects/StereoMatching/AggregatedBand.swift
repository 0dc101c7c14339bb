internal import DepthMaps

/// A band of rows between matching costs and disparities.
struct AggregatedBand: ~Copyable {
    let width: Int
    let rows: Range<Int>
    let tiles: SearchTiles
    private let costs: LaneBuffer
    private let left: MatchingSignature
    private let right: MatchingSignature
    private let penalties: PathAggregation

    /// The bytes of a band of this many rows.
    static func bytes(width: Int, rows: Int, depth: Int) -> Int {
        9 * (width + 2) * (depth + 33) + 10 * rows * (width + depth + 80)
    }

    init(
        _ left: GrayImage, _ right: GrayImage, rows: Range<Int>, tiles: SearchTiles,
        penalties: PathAggregation
    ) {
        width = left.width
        self.rows = rows
        self.tiles = tiles
        self.penalties = penalties
        costs = LaneBuffer(count: width * tiles.depth)
        let margins = (
            before: max(0, -tiles.disparities.lowerBound),
            after: max(0, tiles.disparities.lowerBound + tiles.depth) + 16
        )
        self.left = MatchingSignature(left, rows: rows, isReversed: false, margins: (0, 0))
        self.right = MatchingSignature(right, rows: rows, isReversed: true, margins: margins)
    }

    /// Sums up the paths of each row, and selects the disparities of its pixels; then calls `finish` with the row.
    func aggregate(
        _ image: GrayImage, _ selection: DisparitySelection, _ selected: borrowing SelectedRow,
        finish: (_ row: Int) -> Void
    ) {
        let depth = tiles.depth
        var steps = LargeSteps(penalties, image, above: rows.lowerBound)
        var fromLeft = PathRow(width: width, depth: depth)
        var fromRight = PathRow(width: width, depth: depth)
        var before = ThreeRows(width: width, depth: depth, holdsZeros: true)
        var now = ThreeRows(width: width, depth: depth, holdsZeros: false)
        // The sums are followed by one vector, and the numbers.
        let total = LaneBuffer(count: 2 * depth + 32)
        // Stored in memory, because compilers split a vector of constants.
        for number in 0..<8 { total.lanes[sum: depth + 8 + number] = UInt16(number) }
        for row in rows {
            let tileRow = row / SearchTiles.side
            steps.load(row)
            fromLeft.prepare(forTiles: tileRow, of: tiles)
            fromRight.prepare(forTiles: tileRow, of: tiles)
            now.prepare(forTiles: tileRow, of: tiles)
            sweepLeft(row, steps.rows.across, fromRight.path)
            let paths = RowPaths(
                steps: steps.rows, across: fromLeft.path, fromRight: fromRight.path, before: before.paths,
                now: now.paths)
            sweepRight(row, paths, total.lanes, selection, selected)
            finish(row)
            swap(&before, &now)
        }
    }

    /// Computes the costs of the row, and the path from the right.
    private func sweepLeft(_ row: Int, _ largeSteps: Lanes, _ path: Path) {
        let depth = tiles.depth
        let small = Costs(repeating: penalties.smallStep)
        let costs = costs.lanes
        let starts = tiles.list.span
        let pixels = MatchingCost(left, right, row - rows.lowerBound, tiles.disparities.lowerBound)
        var column = width &- 1
        while column >= 0 {
            let searched = starts.extracting(
                tiles.vectors(row / SearchTiles.side, column / SearchTiles.side))
            let first = column / SearchTiles.side * SearchTiles.side
            while column >= first {
                let pixel = pixels.pixel(column)
                let step = Step(path, column &+ 1, largeSteps[byte: column &+ 1])
                let (to, base) = (path.place(column), column &* depth)
                var best = Costs(repeating: 255)
                for vector in searched.indices {
                    let index = Int(searched[vector])
                    let cost = pixel.costs(index, storedAt: base &+ index, of: costs)
                    let value = step(cost, index, small)
                    path.lanes[costs: to &+ index] = value
                    best = lesser(best, value)
                }
                path[least: column] = leastOfAll(best)
                column &-= 1
            }
        }
    }

    /// Computes the other four paths and the sums of all paths. `selection` chooses the smallest sum.
    private func sweepRight(
        _ row: Int, _ paths: RowPaths, _ total: Lanes, _ selection: DisparitySelection,
        _ selected: borrowing SelectedRow
    ) {
        let starts = tiles.list.span
        let numbers = total[sums: tiles.depth &+ 8]
        for tile in 0..<tiles.across {
            let searched = starts.extracting(tiles.vectors(row / SearchTiles.side, tile))
            for column in tile &* SearchTiles.side..<min((tile &+ 1) &* SearchTiles.side, width) {
                sum(paths, column, searched, total)
                selection.select(
                    column, searched, total, numbers, low: tiles.disparities.lowerBound, selected)
            }
        }
    }

    /// Continues four paths to a pixel, and sums up all five.
    @inline(__always)
    private func sum(_ paths: RowPaths, _ column: Int, _ searched: Span<UInt8>, _ total: Lanes) {
        let (across, before, now) = (paths.across, paths.before, paths.now)
        let small = Costs(repeating: penalties.smallStep)
        let a = Step(across, column &- 1, paths.steps.across[byte: column])
        let b = Step(before.behind, column &- 1, paths.steps.behind[byte: column])
        let c = Step(before.middle, column, paths.steps.middle[byte: column])
        let d = Step(before.ahead, column &+ 1, paths.steps.ahead[byte: column])
        let (to, base) = (across.place(column), column &* tiles.depth)
        let most = Costs(repeating: 255)
        var best = (most, most, most, most)
        var place = 0
        for vector in searched.indices {
            let index = Int(searched[vector])
            let cost = costs.lanes[costs: base &+ index]
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
            let v = widened(paths.fromRight.lanes[costs: to &+ index])
            let (w, x) = (widened(values.0), widened(values.1))
            let (y, z) = (widened(values.2), widened(values.3))
            total[sums: place] = v.even &+ (w.even &+ x.even) &+ (y.even &+ z.even)
            total[sums: place &+ 8] = v.odd &+ (w.odd &+ x.odd) &+ (y.odd &+ z.odd)
            place &+= 16
        }
        across[least: column] = leastOfAll(best.0)
        now.behind[least: column] = leastOfAll(best.1)
        now.middle[least: column] = leastOfAll(best.2)
        now.ahead[least: column] = leastOfAll(best.3)
    }
}

/// The five paths to the pixels of a row: from both sides along it, and from the row before.
private struct RowPaths {
    let steps: LargeSteps.Rows
    let across: Path
    let fromRight: Path
    let before: ThreeRows.Paths
    let now: ThreeRows.Paths
}
