/// A known sample beside a hole, with the plane of its surface.
struct RimSample: BitwiseCopyable, Sendable {
    let value: Float
    /// The change of the value from column to column; 0 if the surface is too small to tell.
    let across: Float
    /// The change of the value from row to row.
    let along: Float
    /// 1 for a sample behind all of the hole, about 0 for an occluder.
    var trust: Float = 1
    /// The photo's color, 0…1; zero without a photo.
    let color: SIMD4<Float>

    /// Fits a plane, by least squares, to the known samples of the 7 × 7 around that differ from this one by at most
    /// `tolerance` for each step.
    init(
        _ index: Int, of samples: Span<Float>, _ width: Int, _ height: Int, tolerance: Float,
        color: SIMD4<Float>
    ) {
        let (row, column, value) = (index / width, index % width, samples[index])
        var (count, x, y, z) = (Float(0), Float(0), Float(0), Float(0))
        var (xx, xy, yy, xz, yz) = (Float(0), Float(0), Float(0), Float(0), Float(0))
        for other in max(row - 3, 0)...min(row + 3, height - 1) {
            for place in max(column - 3, 0)...min(column + 3, width - 1) {
                let difference = samples[other &* width &+ place] - value
                let (dx, dy) = (Float(place &- column), Float(other &- row))
                // Unknown samples fail, too.
                guard difference.magnitude <= tolerance * max(dx.magnitude, dy.magnitude) else { continue }
                count += 1
                (x, y, z) = (x + dx, y + dy, z + difference)
                (xx, xy, yy) = (xx + dx * dx, xy + dx * dy, yy + dy * dy)
                (xz, yz) = (xz + dx * difference, yz + dy * difference)
            }
        }
        (xx, xy, yy) = (xx - x * x / count, xy - x * y / count, yy - y * y / count)
        (xz, yz) = (xz - x * z / count, yz - y * z / count)
        let determinant = xx * yy - xy * xy
        // The slope of fewer samples is noise, which a wide hole multiplies.
        let isPlane = count >= 12 && determinant > 0.01 * count * count
        (self.value, self.color) = (value, color)
        across = isPlane ? (xz * yy - yz * xy) / determinant : 0
        along = isPlane ? (yz * xx - xz * xy) / determinant : 0
    }

    /// The plane's value some columns and rows away.
    @inline(__always)
    func value(columns: Int, rows: Int) -> Float { value + (across * Float(columns) + along * Float(rows)) }
}
