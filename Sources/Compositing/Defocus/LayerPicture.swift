internal import DepthCore

/// Sheets laid over one another, in cells of one size: light, and in the fourth place how much of what is behind they hide.
struct LayerPicture {
    let area: CellArea
    var light: [SIMD4<Float>]

    /// Nothing yet.
    init(_ area: CellArea) {
        self.area = area
        light = [SIMD4<Float>](repeating: .zero, count: area.count)
    }

    /// Lays a sheet over what is there. It has cells of the same size, and lies inside.
    mutating func lay(_ sheet: LayerMeans) {
        for row in sheet.area.rows {
            let from = sheet.area.index(sheet.area.columns.lowerBound, row)
            let start = area.index(sheet.area.columns.lowerBound, row)
            for column in 0..<sheet.area.columns.count where sheet.light[from + column].w > 0 {
                let known = sheet.known[from + column]
                // Below this, sums are of rounding errors.
                guard known > 1e-5 else { continue }
                light[start + column].cover(by: sheet.light[from + column] / known)
            }
        }
    }

    /// Lays over what is there a picture in larger cells, interpolated between their centers.
    mutating func lay(_ other: LayerPicture) {
        let across = InterpolationTap.taps(
            of: area.columns, of: area.cell, in: other.area.columns, of: other.area.cell)
        let down = InterpolationTap.taps(
            of: area.rows, of: area.cell, in: other.area.rows, of: other.area.cell)
        var line = [SIMD4<Float>](repeating: .zero, count: other.area.columns.count)
        var start = 0
        for y in down {
            let (upper, lower) = (y.first * line.count, y.second * line.count)
            for column in line.indices {
                let above = other.light[upper + column]
                line[column] = above + (other.light[lower + column] - above) * y.fraction
            }
            for column in across.indices {
                let x = across[column]
                light[start + column].cover(by: line[x.first] + (line[x.second] - line[x.first]) * x.fraction)
            }
            start += across.count
        }
    }
}

extension SIMD4<Float> {
    /// Puts light before this one; the fourth element is how much it hides.
    @inline(__always)
    fileprivate mutating func cover(by other: SIMD4<Float>) {
        self = self * (1 - Swift.min(other.w, 1)) + other
    }
}
