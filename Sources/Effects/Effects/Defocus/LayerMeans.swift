internal import DepthMaps

/// Means over the disc around each cell of an area: of light and fraction on a sheet, and of the fraction that is not
/// hidden from the sheet.
struct LayerMeans {
    let area: CellArea
    /// Red, green and blue light times the sheet's fraction, and the fraction.
    var light: [SIMD4<Float>]
    /// The part of the disc that nothing nearer hides.
    var known: [Float]

    /// If less is known, the surroundings are included.
    private static var mostlyKnown: Float { 0.25 }
    /// If less of the surroundings is known, wider ones are included.
    private static var leastKnown: Float { 0.00005 }
    /// If still less is known, about a fiftieth of the widest surroundings, it fades out: sums of it are inexact.
    static var trustedShare: Float { 0.00001 }

    /// The cells of `area` that are mostly hidden.
    func hidden(in area: CellArea) -> CellArea? { cells(of: area, knownBelow: Self.mostlyKnown) }
    /// The cells of `area` that are almost entirely hidden.
    func unknown(in area: CellArea) -> CellArea? { cells(of: area, knownBelow: Self.leastKnown) }

    /// The bounding box of the cells in `searched` of which less than `limit` is known; `nil` without any.
    private func cells(of searched: CellArea, knownBelow limit: Float) -> CellArea? {
        let searched = searched.intersection(area)
        var (left, right, top, bottom) = (Int.max, Int.min, Int.max, Int.min)
        for row in searched.rows {
            let start = area.index(0, row)
            for column in searched.columns where known[start + column] < limit {
                (left, right) = (min(left, column), max(right, column))
                (top, bottom) = (min(top, row), row)
            }
        }
        guard top <= bottom else { return nil }
        return CellArea(columns: left..<right + 1, rows: top..<bottom + 1, cell: area.cell)
    }

    /// Adds wider means where more is hidden, with a weight of a two-thousandth at most.
    mutating func fillHidden(_ cells: CellArea, from wide: LayerMeans) {
        add(wide, to: cells) { known in
            let hidden = max(1 - max(known, 0) / Self.mostlyKnown, 0)
            return hidden * hidden * hidden * hidden * 0.0005
        }
    }

    /// Blends in wider means. The less is known about a cell, the greater their weight.
    mutating func fillUnknown(_ cells: CellArea, from wide: LayerMeans) {
        add(wide, to: cells) { known in
            let missing = max(1 - max(known, 0) / Self.leastKnown, 0)
            return missing * missing * 0.0005
        }
    }

    private mutating func add(_ wide: LayerMeans, to cells: CellArea, by weight: (Float) -> Float) {
        let across = InterpolationTap.taps(
            of: cells.columns, of: cells.cell, in: wide.area.columns, of: wide.area.cell)
        let down = InterpolationTap.taps(
            of: cells.rows, of: cells.cell, in: wide.area.rows, of: wide.area.cell)
        for (row, y) in zip(cells.rows, down) {
            let start = area.index(cells.columns.lowerBound, row)
            for column in across.indices {
                let weight = weight(known[start + column])
                guard weight > 0 else { continue }
                let (x, width) = (across[column], wide.area.columns.count)
                light[start + column] += wide.light.between(x, y, width: width) * weight
                known[start + column] += wide.known.between(x, y, width: width) * weight
            }
        }
    }
}
