internal import DepthMaps

/// The maximum distance of a mesh from the samples that it omits.
package struct SurfaceTolerance: Hashable, Sendable {
    /// The quantity that is bounded.
    package enum Measure: Hashable, Sendable {
        /// The distance along the optical axis, in the map's unit.
        case distance
        /// The reciprocal distance: the quantity of stored disparity.
        case disparity
    }

    /// The quantity that is bounded.
    package var measure: Measure
    /// The bound; 0 keeps every sample that is not exactly on a plane with its neighbors.
    package var bound: Float

    /// A bound of distance or of disparity.
    package init(_ measure: Measure, bound: Float) {
        self.measure = measure
        self.bound = bound
    }
}

/// The errors of a hierarchy of right triangles over a grid of samples (W. Evans, D. Kirkpatrick, G. Townsend: Right-triangulated
/// irregular networks, 2001).
///
/// Every triangle is halved at the middle of its longest side, which is a sample. So each sample represents the two
/// triangles, one on either side, that are halved there, and its error is the larger of theirs. A triangle's error is
/// the error of the plane through its corners, at *every* sample in the triangle. The errors of its halves are no
/// larger than the one stored for it, so halving wherever the error exceeds a limit leaves no cracks. Planes are linear
/// in 1/Z over the rays, so flat walls need few triangles at any slant.
///
/// Where a cell of the grid is not two triangles of one surface, errors are infinite: there the mesh keeps every sample.
struct SurfaceErrors {
    /// Samples in a row of the grid.
    let columns: Int
    /// Rows of the grid.
    let rows: Int
    /// The side of the initial square of the hierarchy: a power of two that covers the grid.
    let side: Int
    /// One for each sample, in the measure of the tolerance.
    private(set) var errors: [Float]
    private let surface: Surface

    /// The grid in 1/Z, with the rays if a lens bends them; `broken` is 1 at the first corner of each cell that is not two
    /// triangles.
    init(
        inverseDepth: [Float], columns: Int, rows: Int, broken: [UInt8], rays: (x: [Float], y: [Float])?,
        measure: SurfaceTolerance.Measure
    ) {
        self.columns = columns
        self.rows = rows
        var side = 2
        while side < max(columns, rows) - 1 { side *= 2 }
        self.side = side
        surface = Surface(
            inverseDepth: inverseDepth, columns: columns, rows: rows, broken: broken, x: rays?.x ?? [],
            y: rays?.y ?? [], measure: measure)
        errors = [Float](repeating: 0, count: columns * rows)
        var step = 2
        while step <= side {
            measureSides(step)
            measureSquares(step)
            step *= 2
        }
    }

    /// The error of the triangles that are halved at a sample; infinite outside the grid.
    func error(column: Int, row: Int) -> Float {
        column < columns && row < rows ? errors[row * columns + column] : .infinity
    }

    /// Triangles whose longest side is the side of a square of `step` samples: their middles are odd multiples of half of
    /// that in one direction, and multiples of `step` in the other.
    private mutating func measureSides(_ step: Int) {
        let half = step / 2
        update(everyRow: half, from: 0) { surface, errors, row, take in
            let isHorizontal = (row / half) % 2 == 0
            for column in Swift.stride(from: isHorizontal ? half : 0, to: surface.columns, by: step) {
                var worst: Float = 0
                for sign in [-1, 1] where worst < .infinity {
                    worst = max(
                        worst,
                        surface.sideError(column, row, half: half, sign, isHorizontal: isHorizontal, errors))
                }
                take(column, worst)
            }
        }
    }

    /// Triangles that are halves of a square of `step` samples: their middles are odd multiples of half of that.
    private mutating func measureSquares(_ step: Int) {
        let half = step / 2
        update(everyRow: step, from: half) { surface, errors, row, take in
            for column in Swift.stride(from: half, to: surface.columns, by: step) {
                take(column, surface.squareError(column, row, half: half, errors))
            }
        }
    }

    /// Computes errors in some rows from existing ones. `body` reads only errors of smaller triangles.
    private mutating func update(
        everyRow step: Int, from first: Int,
        _ body:
            @Sendable (Surface, [Float], _ row: Int, _ take: (_ column: Int, _ error: Float) -> Void) -> Void
    ) {
        guard first < rows else { return }
        let count = (rows - first + step - 1) / step
        let updated = Self.updated(surface, errors, rows: count, everyRow: step, from: first, body)
        for line in 0..<count {
            let row = first + line * step
            errors.replaceSubrange(
                row * columns..<(row + 1) * columns, with: updated[line * columns..<(line + 1) * columns])
        }
    }

    /// Updates some rows of errors. In a separate function, so that nothing else holds a reference to the errors when they
    /// change.
    private static func updated(
        _ surface: Surface, _ errors: [Float], rows count: Int, everyRow step: Int, from first: Int,
        _ body:
            @Sendable (Surface, [Float], _ row: Int, _ take: (_ column: Int, _ error: Float) -> Void) -> Void
    ) -> [Float] {
        let columns = surface.columns
        return parallelMapRows(width: columns, height: count, minimum: 1) { lines, output in
            for line in lines {
                let start = (line - lines.lowerBound) * columns
                let row = first + line * step
                for column in 0..<columns { output[start + column] = errors[row * columns + column] }
                var changed: [(Int, Float)] = []
                body(surface, errors, row) { changed.append(($0, $1)) }
                for (column, error) in changed { output[start + column] = error }
            }
        }
    }
}

/// The samples that triangles are compared with.
private struct Surface: Sendable {
    let inverseDepth: [Float]
    let columns: Int
    let rows: Int
    /// 1 at the first corner of each cell that is not two triangles of one surface.
    let broken: [UInt8]
    /// The rays, X / Z and Y / Z; empty if they are linear in columns and rows.
    let x: [Float]
    let y: [Float]
    let measure: SurfaceTolerance.Measure

    /// The error of the triangle on one side of a square's side, and of its halves.
    func sideError(
        _ column: Int, _ row: Int, half: Int, _ sign: Int, isHorizontal: Bool, _ errors: [Float]
    ) -> Float {
        let (apexColumn, apexRow) = isHorizontal ? (column, row + sign * half) : (column + sign * half, row)
        // Nothing beyond the rim can be wrong.
        let isOutside =
            isHorizontal
            ? (sign < 0 ? row == 0 : row == rows - 1) : (sign < 0 ? column == 0 : column == columns - 1)
        if isOutside { return 0 }
        guard 0..<columns ~= apexColumn, 0..<rows ~= apexRow else { return .infinity }
        let (lastColumn, lastRow) = isHorizontal ? (column + half, row) : (column, row + half)
        guard lastColumn < columns, lastRow < rows else { return .infinity }
        var worst: Float = 0
        if half == 1 {
            let cells =
                isHorizontal
                ? [(column - 1, min(row, apexRow)), (column, min(row, apexRow))]
                : [(min(column, apexColumn), row - 1), (min(column, apexColumn), row)]
            if cells.contains(where: { broken[$0.1 * columns + $0.0] != 0 }) { return .infinity }
        } else {
            let quarter = half / 2
            let children =
                isHorizontal
                ? [
                    (column - quarter, row + sign * quarter), (column + quarter, row + sign * quarter),
                ]
                : [(column + sign * quarter, row - quarter), (column + sign * quarter, row + quarter)]
            for child in children { worst = max(worst, errors[child.1 * columns + child.0]) }
            if worst == .infinity { return worst }
        }
        let firstEnd = isHorizontal ? (column - half, row) : (column, row - half)
        let plane = Plane(self, firstEnd, (lastColumn, lastRow), (apexColumn, apexRow))
        for distance in 0...half {
            if isHorizontal {
                let first = column - half + distance
                worst = max(
                    worst, error(of: plane, row + sign * distance, first...column + half - distance))
            } else {
                // Rows above and below the middle, from the side towards the apex.
                let reach = sign * (half - distance)
                let range = min(column, column + reach)...max(column, column + reach)
                worst = max(worst, error(of: plane, row + distance, range))
                if distance > 0 { worst = max(worst, error(of: plane, row - distance, range)) }
            }
        }
        return worst
    }

    /// The error of both halves of a square around a sample, and of their halves.
    func squareError(_ column: Int, _ row: Int, half: Int, _ errors: [Float]) -> Float {
        let (left, right, top, bottom) = (column - half, column + half, row - half, row + half)
        guard right < columns, bottom < rows else { return .infinity }
        var worst: Float = 0
        for (column, row) in [(left, row), (right, row), (column, top), (column, bottom)] {
            worst = max(worst, errors[row * columns + column])
        }
        if worst == .infinity { return worst }
        // Diagonals meet where columns and rows are odd multiples of the square's side.
        let isFalling = (left / (2 * half) + top / (2 * half)) % 2 == 0
        let ends = isFalling ? ((left, top), (right, bottom)) : ((right, top), (left, bottom))
        let leftPlane = Plane(self, ends.0, ends.1, (left, isFalling ? bottom : top))
        let rightPlane = Plane(self, ends.0, ends.1, (right, isFalling ? top : bottom))
        for distance in 0...2 * half {
            let diagonal = isFalling ? left + distance : right - distance
            worst = max(worst, error(of: leftPlane, top + distance, left...diagonal))
            worst = max(worst, error(of: rightPlane, top + distance, diagonal...right))
        }
        return worst
    }

    /// The greatest error of a plane over some samples of a row.
    private func error(of plane: Plane, _ row: Int, _ range: ClosedRange<Int>) -> Float {
        let start = row * columns
        let places = start + range.lowerBound..<start + range.upperBound + 1
        let samples = inverseDepth.span.extracting(places)
        // Positive floats sort like their bits, and integers have a maximum in one instruction.
        var worst: UInt32 = 0
        if x.isEmpty {
            let base =
                plane.constant + plane.alongRow * Float(row) + plane.alongColumn * Float(range.lowerBound)
            switch measure {
            case .disparity:
                for index in samples.indices {
                    let value = base + plane.alongColumn * Float(index)
                    worst = max(worst, (value - samples[index]).magnitude.bitPattern)
                }
            case .distance:
                for index in samples.indices {
                    let value = base + plane.alongColumn * Float(index)
                    worst = max(worst, (1 / value - 1 / samples[index]).magnitude.bitPattern)
                }
            }
        } else {
            let (x, y) = (x.span.extracting(places), y.span.extracting(places))
            for index in samples.indices {
                let value = plane.constant + plane.alongColumn * x[index] + plane.alongRow * y[index]
                let error =
                    measure == .disparity ? value - samples[index] : 1 / value - 1 / samples[index]
                worst = max(worst, error.magnitude.bitPattern)
            }
        }
        // A plane requires three finite numbers.
        return worst > Float.infinity.bitPattern ? .infinity : Float(bitPattern: worst)
    }
}

/// 1/Z linear over columns and rows, or over rays if a lens bends them: a plane in space.
private struct Plane {
    let constant: Float
    let alongColumn: Float
    let alongRow: Float

    /// The plane through three samples.
    init(_ surface: Surface, _ a: (Int, Int), _ b: (Int, Int), _ c: (Int, Int)) {
        func corner(_ place: (column: Int, row: Int)) -> SIMD3<Double> {
            let index = place.row * surface.columns + place.column
            let depth = Double(surface.inverseDepth[index])
            return surface.x.isEmpty
                ? SIMD3(Double(place.column), Double(place.row), depth)
                : SIMD3(Double(surface.x[index]), Double(surface.y[index]), depth)
        }
        let first = corner(a)
        let (u, v) = (corner(b) - first, corner(c) - first)
        let area = u.x * v.y - v.x * u.y
        let (column, row) = ((u.z * v.y - v.z * u.y) / area, (u.x * v.z - v.x * u.z) / area)
        (alongColumn, alongRow) = (Float(column), Float(row))
        constant = Float(first.z - column * first.x - row * first.y)
    }
}
