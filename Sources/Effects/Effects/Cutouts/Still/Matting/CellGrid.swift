internal import DepthMaps

/// A value for each square cell of a picture, row by row.
struct CellGrid<Value: BitwiseCopyable & Sendable>: Sendable {
    /// Pixels in a cell, horizontally and vertically.
    let cell: Int
    private let columns: Int
    private let rows: Int
    private var values: [Value]

    /// `value` gets the columns and rows of each cell's pixels; cells at the right and the lower edge may have fewer.
    init(
        width: Int, height: Int, cell: Int,
        _ value: @Sendable (_ columns: Range<Int>, _ rows: Range<Int>) -> Value
    ) {
        let (columns, rows) = ((width + cell - 1) / cell, (height + cell - 1) / cell)
        (self.cell, self.columns, self.rows) = (cell, columns, rows)
        values = Self.made(columns, rows) { column, row in
            value(
                column * cell..<min((column + 1) * cell, width), row * cell..<min((row + 1) * cell, height))
        }
    }

    private init(_ values: [Value], _ cell: Int, _ columns: Int, _ rows: Int) {
        (self.values, self.cell, self.columns, self.rows) = (values, cell, columns, rows)
    }

    private static func made<New: BitwiseCopyable>(
        _ columns: Int, _ rows: Int, _ value: @Sendable (_ column: Int, _ row: Int) -> New
    ) -> [New] {
        parallelMapRows(width: columns, height: rows) { band, output in
            for row in band {
                let start = (row - band.lowerBound) * columns
                for column in 0..<columns { output[start + column] = value(column, row) }
            }
        }
    }

    /// The value of the cell that contains a pixel.
    @inline(__always)
    func value(atColumn column: Int, row: Int) -> Value {
        values[row / cell * columns + column / cell]
    }

    /// The grid with each value transformed.
    func map<New>(_ transform: (Value) -> New) -> CellGrid<New> {
        CellGrid<New>(values.map(transform), cell, columns, rows)
    }

    /// The grid with each value computed from those of two grids of the same cells.
    func merged<Other, New>(with other: CellGrid<Other>, _ transform: (Value, Other) -> New) -> CellGrid<New>
    {
        CellGrid<New>(zip(values, other.values).map(transform), cell, columns, rows)
    }

    /// The grid with each value computed from the cells around it, itself included, up to `across` columns and `down` rows
    /// away, in reading order.
    func mapNeighborhoods(
        across: Int, down: Int, _ transform: @Sendable (_ value: Value, _ around: Neighborhood) -> Value
    ) -> CellGrid {
        let made = Self.made(columns, rows) { column, row in
            transform(values[row * columns + column], neighborhood(column, row, across: across, down: down))
        }
        return CellGrid(made, cell, columns, rows)
    }

    private func neighborhood(_ column: Int, _ row: Int, across: Int, down: Int) -> Neighborhood {
        Neighborhood(
            columns: max(column - across, 0)...min(column + across, columns - 1),
            rows: max(row - down, 0)...min(row + down, rows - 1), grid: self)
    }

    /// The cells around a cell.
    struct Neighborhood {
        fileprivate let columns: ClosedRange<Int>
        fileprivate let rows: ClosedRange<Int>
        fileprivate let grid: CellGrid

        /// Calls `body` with each value, in reading order.
        @inline(__always)
        func forEach(_ body: (Value) -> Void) {
            let values = grid.values.span
            for row in rows {
                for column in columns { body(values[row * grid.columns + column]) }
            }
        }
    }
}

/// The value of a cell, which may be unknown.
protocol CellValue: BitwiseCopyable, Sendable {
    static var zero: Self { get }
    var isKnown: Bool { get }
    static func += (sum: inout Self, value: Self)
    static func / (sum: Self, count: Float) -> Self
}

extension Float: CellValue {
    var isKnown: Bool { !isNaN }
}

extension CellGrid where Value: CellValue {
    /// The grid with unknown cells set to the mean of their known neighbors, ring by ring outwards, `passes` times or
    /// until none is left, only cells where `mask` is set.
    func extended(passes: Int = .max, where mask: CellGrid<Bool>? = nil) -> CellGrid {
        var grid = self
        // Cells that are known, in the ring or excluded.
        var isDone = values.indices.map { place in
            values[place].isKnown || mask.map { !$0.values[place] } ?? false
        }
        // Unknown cells beside known ones: a pass visits only this ring.
        var ring = values.indices.filter { !isDone[$0] && grid.meanOfNeighbors(of: $0) != nil }
        for place in ring { isDone[place] = true }
        var pass = 0
        while pass < passes, !ring.isEmpty {
            for (place, mean) in ring.map({ ($0, grid.meanOfNeighbors(of: $0)) }) {
                if let mean { grid.values[place] = mean }
            }
            var next: [Int] = []
            for place in ring {
                let around = grid.neighborhood(place % columns, place / columns, across: 1, down: 1)
                for row in around.rows {
                    for column in around.columns where !isDone[row * columns + column] {
                        isDone[row * columns + column] = true
                        next.append(row * columns + column)
                    }
                }
            }
            ring = next
            pass += 1
        }
        return grid
    }

    /// The mean of the known cells beside one; `nil` if missing.
    private func meanOfNeighbors(of place: Int) -> Value? {
        var (sum, count) = (Value.zero, Float(0))
        neighborhood(place % columns, place / columns, across: 1, down: 1).forEach { neighbor in
            guard neighbor.isKnown else { return }
            sum += neighbor
            count += 1
        }
        return count > 0 ? sum / count : nil
    }
}

extension CellGrid<Bool> {
    /// Whether a cell up to `reach` away, horizontally and vertically, is set.
    func dilated(by reach: Int) -> CellGrid {
        CellGrid(values.dilated(width: columns, height: rows, by: reach), cell, columns, rows)
    }
}

extension [Bool] {
    /// Whether a sample up to `reach` away, horizontally and vertically, is set, in a plane of these sides.
    func dilated(width: Int, height: Int, by reach: Int) -> [Bool] {
        let across: [Bool] = parallelMapRows(width: width, height: height) { rows, output in
            for row in rows {
                let line = span.extracting(row * width..<(row + 1) * width)
                let start = (row - rows.lowerBound) * width
                var last = -reach - 1
                // The last set sample up to `reach` ahead.
                for column in 0..<width + reach {
                    if column < width, line[column] { last = column }
                    if column >= reach { output[start + column - reach] = column - last <= 2 * reach }
                }
            }
        }
        return parallelMapRows(width: width, height: height) { rows, output in
            // For each column, the last set sample up to `reach` ahead.
            var last = [Int32](repeating: .min, count: width)
            for ahead in Swift.max(rows.lowerBound - reach, 0)..<rows.upperBound + reach {
                for column in 0..<width where ahead < height && across[ahead * width + column] {
                    last[column] = Int32(ahead)
                }
                guard rows.contains(ahead - reach) else { continue }
                let start = (ahead - reach - rows.lowerBound) * width
                for column in 0..<width { output[start + column] = last[column] >= Int32(ahead - 2 * reach) }
            }
        }
    }
}
