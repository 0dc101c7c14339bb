internal import DepthMaps

/// Which sheets of a ``DefocusField`` have samples in which cells of 16 × 16 pixels: one bit per sheet.
struct LayerCoverage: Sendable {
    private let masks: [UInt64]
    /// Whether a cell has mixed pixels.
    private let isSoft: [Bool]
    private let columns: Int
    private let rows: Int
    /// Pixels in a cell, horizontally and vertically; divisible by the cells of every ``LayerBlur``.
    static var cell: Int { 16 }

    init(_ field: DefocusField) {
        let (columns, rows) = (
            (field.width + Self.cell - 1) / Self.cell, (field.height + Self.cell - 1) / Self.cell
        )
        self.columns = columns
        self.rows = rows
        isSoft = parallelPixels(width: columns, height: rows, minimum: 1) { column, row in
            Self.isSoft(field, column, row)
        }
        masks = parallelPixels(width: columns, height: rows, minimum: 1) { column, row in
            Self.mask(field, column, row)
        }
    }

    private static func isSoft(_ field: DefocusField, _ column: Int, _ row: Int) -> Bool {
        (row * cell..<min((row + 1) * cell, field.height)).contains { y in
            let start = y * field.width + column * cell
            return field.coverage[start..<start + min(cell, field.width - column * cell)].contains {
                $0 < 255
            }
        }
    }

    private static func mask(_ field: DefocusField, _ column: Int, _ row: Int) -> UInt64 {
        var mask: UInt64 = 0
        for y in row * cell..<min((row + 1) * cell, field.height) {
            let places = field.places.span.extracting(
                y * field.width + column * cell..<y * field.width + min((column + 1) * cell, field.width))
            var isMixed = false
            for index in places.indices {
                mask |= sheets(of: places[index] & ~DefocusField.mixedFlag)
                isMixed = isMixed || places[index] & DefocusField.mixedFlag != 0
            }
            guard isMixed, let behind = field.behind else { continue }
            for index in places.indices where places[index] & DefocusField.mixedFlag != 0 {
                mask |= sheets(of: behind.value(atColumn: column * cell + index, row: y))
            }
        }
        return mask
    }

    /// The sheets that a position is between.
    @inline(__always)
    private static func sheets(of place: UInt16) -> UInt64 {
        (place & 255 == 0 ? 1 : 3) << UInt64(place >> 8)
    }

    /// The sheets that have samples in the cell of a pixel.
    func mask(at column: Int, _ row: Int) -> UInt64 { masks[row / Self.cell * columns + column / Self.cell] }

    /// The part of `tile` within `margin` pixels of a sheet's samples; `nil` if empty.
    func extent(of sheet: Int, _ tile: CellArea, margin: Int) -> CellArea? {
        extent(tile, margin) { masks[$0] & 1 << UInt64(sheet) != 0 }
    }

    /// The part of `tile` within `margin` pixels of soft cells; `nil` if empty.
    func softExtent(_ tile: CellArea, margin: Int) -> CellArea? { extent(tile, margin) { isSoft[$0] } }

    private func extent(_ tile: CellArea, _ margin: Int, where counts: (Int) -> Bool) -> CellArea? {
        let (columns, rows) = cells(around: tile, margin)
        var (left, right, top, bottom) = (Int.max, Int.min, Int.max, Int.min)
        for row in rows {
            for column in columns where counts(row * self.columns + column) {
                (left, right) = (min(left, column), max(right, column))
                (top, bottom) = (min(top, row), row)
            }
        }
        guard left <= right else { return nil }
        return CellArea(
            columns: (left * Self.cell - margin..<(right + 1) * Self.cell + margin).clamped(to: tile.columns),
            rows: (top * Self.cell - margin..<(bottom + 1) * Self.cell + margin).clamped(to: tile.rows),
            cell: 1)
    }

    /// The cells of `tile` and of `margin` pixels around it, clipped to the picture.
    private func cells(around tile: CellArea, _ margin: Int) -> (columns: Range<Int>, rows: Range<Int>) {
        let left = max(tile.columns.lowerBound - margin, 0) / Self.cell
        let top = max(tile.rows.lowerBound - margin, 0) / Self.cell
        let right = min((tile.columns.upperBound + margin - 1) / Self.cell, columns - 1)
        let bottom = min((tile.rows.upperBound + margin - 1) / Self.cell, rows - 1)
        return (left..<max(right + 1, left), top..<max(bottom + 1, top))
    }
}
