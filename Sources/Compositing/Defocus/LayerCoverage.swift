internal import DepthCore

/// Which of the sheets of a ``DefocusField`` have something in which cells of 32 × 32 pixels: a bit a sheet.
struct LayerCoverage: Sendable {
    private let masks: [UInt64]
    private let columns: Int
    private let rows: Int
    /// Pixels in a cell, across and down; divisible by the cells of every ``LayerBlur``.
    static var cell: Int { 32 }

    init(_ field: DefocusField) {
        let (columns, rows) = (
            (field.width + Self.cell - 1) / Self.cell, (field.height + Self.cell - 1) / Self.cell
        )
        self.columns = columns
        self.rows = rows
        masks = parallelMapRows(width: columns, height: rows, minimum: 1) { band, output in
            for row in band {
                for column in 0..<columns {
                    output[(row - band.lowerBound) * columns + column] = Self.mask(field, column, row)
                }
            }
        }
    }

    private static func mask(_ field: DefocusField, _ column: Int, _ row: Int) -> UInt64 {
        var mask: UInt64 = 0
        for y in row * cell..<min((row + 1) * cell, field.height) {
            let places = field.places.span.extracting(
                y * field.width + column * cell..<y * field.width + min((column + 1) * cell, field.width))
            for index in places.indices {
                let place = places[index]
                mask |= 1 << UInt64(place >> 8)
                if place & 255 != 0 { mask |= 2 << UInt64(place >> 8) }
            }
        }
        return mask
    }

    /// The sheets that have something in the cell of a pixel.
    func mask(at column: Int, _ row: Int) -> UInt64 { masks[row / Self.cell * columns + column / Self.cell] }

    /// The sheets that have something in a rectangle of pixels; what is outside the picture does not count.
    func mask(_ x: Range<Int>, _ y: Range<Int>) -> UInt64 {
        let first = (max(x.lowerBound, 0) / Self.cell, max(y.lowerBound, 0) / Self.cell)
        let last = (
            min((x.upperBound - 1) / Self.cell, columns - 1), min((y.upperBound - 1) / Self.cell, rows - 1)
        )
        guard first.0 <= last.0, first.1 <= last.1 else { return 0 }
        var mask: UInt64 = 0
        for row in first.1...last.1 {
            for column in first.0...last.0 { mask |= masks[row * columns + column] }
        }
        return mask
    }
}
