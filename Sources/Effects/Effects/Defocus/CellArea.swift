internal import DepthMaps

/// A rectangle of square cells of pixels, on a grid that begins at the picture's corner.
struct CellArea: Hashable, Sendable {
    let columns: Range<Int>
    let rows: Range<Int>
    /// Pixels in a cell, horizontally and vertically.
    let cell: Int

    var count: Int { columns.count * rows.count }
    var isEmpty: Bool { columns.isEmpty || rows.isEmpty }

    init(columns: Range<Int>, rows: Range<Int>, cell: Int) {
        (self.columns, self.rows, self.cell) = (columns, rows, cell)
    }

    /// Cells whose centers surround every pixel of another area, for interpolation; that area itself if its cells have this
    /// size.
    init(around other: CellArea, cell: Int) {
        self.init(
            columns: Self.cells(cell, around: other.columns, of: other.cell),
            rows: Self.cells(cell, around: other.rows, of: other.cell), cell: cell)
    }

    private static func cells(_ cell: Int, around places: Range<Int>, of size: Int) -> Range<Int> {
        guard cell != size, !places.isEmpty else { return places }
        // One more cell on each side, for interpolation.
        let pixels = places.lowerBound * size..<places.upperBound * size
        return pixels.lowerBound.dividedDown(by: cell) - 1..<(pixels.upperBound - 1).dividedDown(by: cell) + 2
    }

    func intersection(_ other: CellArea) -> CellArea {
        CellArea(columns: columns.clamped(to: other.columns), rows: rows.clamped(to: other.rows), cell: cell)
    }

    /// The smallest area that contains both; `nil` if both are `nil`.
    static func union(_ first: CellArea?, _ second: CellArea?) -> CellArea? {
        guard let first, !first.isEmpty else { return second.flatMap { $0.isEmpty ? nil : $0 } }
        guard let second, !second.isEmpty else { return first }
        return CellArea(
            columns: first.columns.extended(to: second.columns),
            rows: first.rows.extended(to: second.rows), cell: first.cell)
    }

    /// The index of a cell, row by row.
    @inline(__always)
    func index(_ column: Int, _ row: Int) -> Int {
        (row - rows.lowerBound) * columns.count + column - columns.lowerBound
    }
}

extension Range<Int> {
    /// The smallest range that contains both.
    fileprivate func extended(to other: Range) -> Range {
        Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}

extension Int {
    /// The quotient, rounded down.
    fileprivate func dividedDown(by divisor: Int) -> Int {
        self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
    }
}

extension InterpolationTap {
    /// The positions of the centers of some cells among those of another size.
    static func taps(of cells: Range<Int>, of size: Int, in others: Range<Int>, of otherSize: Int)
        -> [InterpolationTap]
    {
        cells.map { cell in
            let center = (Double(cell) + 0.5) * Double(size) / Double(otherSize) - 0.5
            return InterpolationTap(at: center - Double(others.lowerBound), of: others.count)
        }
    }
}
