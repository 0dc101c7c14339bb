/// The vertical alignment of a right picture to the left one.
///
/// Toed-in, turned or unequal cameras see a point in different rows. For small angles, with x and y from the center in halves
/// of the width, a homography between the two moves points by
///
///     Δy = shift + turn · x + scale · y + yaw · x · y + pitch · y²
///     Δx = scale · x − turn · y + yaw · x² + pitch · x · y
///
/// (R. Hartley and A. Zisserman, "Multiple View Geometry", 2nd ed., §8.4: a turn of the camera moves points by a homography;
/// linear in the angles here.) Only Δy can be measured without knowing distances. A constant part of Δx cannot: it remains in
/// the disparity.
package struct VerticalAlignment: Sendable, Hashable {
    /// All in pixels of the picture.
    package var shift = 0.0
    /// How much lower the right end is than the center, for a rotated right picture.
    package var turn = 0.0
    /// How much lower the lower end is.
    package var scale = 0.0
    /// How much lower the lower right corner is, for a toed-in camera.
    package var yaw = 0.0
    /// How much lower both ends are.
    package var pitch = 0.0
    /// The picture's size.
    var size = SIMD2(1, 1)

    /// The maximum distance between matching rows, in pixels.
    package var largest: Double {
        let aspect = Double(size.y) / Double(max(1, size.x))
        return abs(shift) + abs(turn) + abs(scale) * aspect + abs(yaw) * aspect + abs(pitch) * aspect * aspect
    }

    /// The right picture with its rows aligned to the left picture.
    func applied(to image: GrayImage, reducedBy reduction: Int) -> GrayImage {
        let unit = 1 / Float(reduction)
        let half = Float(image.width) / 2
        let (middle, center) = (Float(image.width - 1) / 2, Float(image.height - 1) / 2)
        let model = (
            Float(shift) * unit, Float(turn) * unit, Float(scale) * unit, Float(yaw) * unit,
            Float(pitch) * unit
        )
        return image.displaced { column, row in
            let (x, y) = ((column - middle) / half, (row - center) / half)
            return SIMD2(
                model.2 * x - model.1 * y + model.3 * x * x + model.4 * x * y,
                model.0 + model.1 * x + model.2 * y + model.3 * x * y + model.4 * y * y)
        }
    }

    /// The alignment by points visible in both pictures; `nil` if it is less than half a pixel, or if too few points agree on
    /// it.
    init?(of pair: ImagePyramid) {
        let level = pair.level(atMost: 256)
        let fine = max(0, pair.level(atMost: 1024))
        let points = PointMatches(pair, level: level, fine: fine).points
        guard points.count >= 40 else { return nil }
        let full = pair.levels[0].left
        let size = SIMD2(Double(full.width), Double(full.height))
        self.size = SIMD2(full.width, full.height)
        // Iteratively trimmed least squares: keeps points that agree better each time.
        var limit = 0.02 * size.x
        var model = [Double](repeating: 0, count: 5)
        var agreeing = 0
        for _ in 0..<8 {
            var normal = NormalEquations(count: 5)
            agreeing = 0
            for point in points {
                let row = Self.terms(point.at, size)
                let residual = point.rise - zip(row, model).reduce(0) { $0 + $1.0 * $1.1 }
                guard abs(residual) <= limit else { continue }
                agreeing += 1
                normal.add(row, point.rise)
            }
            guard agreeing >= 40, agreeing * 2 >= points.count, let solution = normal.solution else {
                return nil
            }
            model = solution
            limit = max(limit / 2, 1)
        }
        (shift, turn, scale, yaw, pitch) = (model[0], model[1], model[2], model[3], model[4])
        guard largest >= 0.5 else { return nil }
    }

    /// The factors of the five numbers at a point of the right picture.
    private static func terms(_ point: SIMD2<Double>, _ size: SIMD2<Double>) -> [Double] {
        let x = (point.x - (size.x - 1) / 2) / (size.x / 2)
        let y = (point.y - (size.y - 1) / 2) / (size.x / 2)
        return [1, x, y, x * y, y * y]
    }
}

/// Sums of a linear least-squares problem.
private struct NormalEquations {
    private var matrix: [[Double]]
    private let count: Int

    init(count: Int) {
        self.count = count
        matrix = [[Double]](repeating: [Double](repeating: 0, count: count + 1), count: count)
    }

    mutating func add(_ row: [Double], _ value: Double) {
        for i in 0..<count {
            for j in 0..<count { matrix[i][j] += row[i] * row[j] }
            matrix[i][count] += row[i] * value
        }
    }

    /// Gaussian elimination with pivoting; `nil` if the points do not determine a solution.
    var solution: [Double]? {
        var rows = matrix
        let most = rows.indices.map { abs(rows[$0][$0]) }.max() ?? 0
        for column in 0..<count {
            guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
                abs(rows[pivot][column]) > most * 1e-9
            else { return nil }
            rows.swapAt(column, pivot)
            for other in 0..<count where other != column {
                let factor = rows[other][column] / rows[column][column]
                for index in column...count { rows[other][index] -= factor * rows[column][index] }
            }
        }
        return rows.indices.map { rows[$0][count] / rows[$0][$0] }
    }
}
