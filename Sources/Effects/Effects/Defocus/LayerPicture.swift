internal import DepthMaps

/// Composited sheets, in cells of one size: light, with the opacity as the fourth element.
struct LayerPicture {
    let area: CellArea
    var light: [SIMD4<Float>]

    /// Empty.
    init(_ area: CellArea) {
        self.area = area
        light = [SIMD4<Float>](repeating: .zero, count: area.count)
    }

    /// Composites a sheet over the present ones. It has cells of the same size, and is inside the area.
    mutating func lay(_ sheet: LayerMeans) {
        for row in sheet.area.rows {
            let from = sheet.area.index(sheet.area.columns.lowerBound, row)
            let start = area.index(sheet.area.columns.lowerBound, row)
            for column in 0..<sheet.area.columns.count where sheet.light[from + column].w > 0 {
                let known = sheet.known[from + column]
                let trust = min(known / LayerMeans.trustedShare - 0.5, 1)
                guard trust > 0 else { continue }
                light[start + column].cover(by: sheet.light[from + column] * (trust / known))
            }
        }
    }

    /// Composites a picture with larger cells over the present one, interpolated between their centers.
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
    /// Composites light over this one; the fourth element is its opacity.
    @inline(__always)
    fileprivate mutating func cover(by other: SIMD4<Float>) {
        self = self * (1 - Swift.min(other.w, 1)) + other
    }
}
