/// The ``VerticalAlignment`` that most points agree on, and how reliable it is.
struct AlignmentFit {
    /// Shift, turn, scale, yaw and pitch, in pixels; those that the points do not show are 0.
    private(set) var model = [Double](repeating: 0, count: 5)
    /// The standard deviation of a point's row from the model, in pixels, by the median of the points that agree.
    private(set) var noise = 0.0
    /// The root mean square of what the model moves the points that agree, in pixels.
    private(set) var move = 0.0
    /// The side of a pixel in the copy where points were located, in pixels.
    private let unit: Double

    /// A point: the factors of the five numbers, and what they should add up to.
    private typealias Row = (terms: [Double], rise: Double)

    /// Iteratively trimmed least squares, which keeps points that agree better each time; `nil` if fewer than 40 points or
    /// fewer than half of them agree.
    init?(_ points: [PointMatches.Match], size: SIMD2<Double>, unit: Double) {
        self.unit = unit
        let rows = points.map { Row(Self.terms($0.at, size), $0.rise) }
        var (limit, agreeing) = (0.02 * size.x, [Row]())
        for _ in 0..<10 {
            let near = rows.filter { abs(Self.residual($0, model)) <= limit }
            guard let solution = Self.solution(near, Array(0..<5)) else { return nil }
            model = solution
            agreeing = rows.filter { abs(Self.residual($0, model)) <= limit }
            guard agreeing.count >= 40, agreeing.count * 2 >= rows.count else { return nil }
            let errors = agreeing.map { abs(Self.residual($0, model)) }.sorted()
            // The median of a normal distribution's absolute values is its standard deviation / 1.4826.
            noise = 1.4826 * errors[errors.count / 2]
            limit = max(limit / 2, 3 * noise, 0.25 * unit)
        }
        removeChance(agreeing)
        let squares = agreeing.reduce(0) { $0 + Self.sum($1.terms, model) * Self.sum($1.terms, model) }
        move = (squares / Double(agreeing.count)).squareRoot()
    }

    /// Whether the rows are off by more than the noise of the points. A tenth of a pixel is never worth resampling.
    var isSignificant: Bool { move >= max(2 * noise, 0.1 * unit) }

    /// Sets numbers to 0 that are below three times their standard error, the least certain one first.
    ///
    /// A number's square over its variance is how much the sum of squares grows without it, over the variance of a point.
    private mutating func removeChance(_ rows: [Row]) {
        func squares(_ model: [Double]) -> Double {
            rows.reduce(0) { $0 + Self.residual($1, model) * Self.residual($1, model) }
        }
        let variance = squares(model) / Double(rows.count - model.count)
        var used = Array(model.indices)
        while used.count > 1 {
            let candidates = used.compactMap { number -> (number: Int, model: [Double], squares: Double)? in
                let others = used.filter { $0 != number }
                return Self.solution(rows, others).map { (number, $0, squares($0)) }
            }
            guard let least = candidates.min(by: { $0.squares < $1.squares }),
                least.squares - squares(model) < 9 * variance
            else { return }
            model = least.model
            used.removeAll { $0 == least.number }
        }
    }

    /// The numbers that fit rows best, if only some are used and the others are 0; `nil` if rows do not determine them.
    private static func solution(_ rows: [Row], _ used: [Int]) -> [Double]? {
        var normal = NormalEquations(count: used.count)
        for row in rows { normal.add(used.map { row.terms[$0] }, row.rise) }
        guard let solution = normal.solution else { return nil }
        var model = [Double](repeating: 0, count: 5)
        for (number, value) in zip(used, solution) { model[number] = value }
        return model
    }

    private static func residual(_ row: Row, _ model: [Double]) -> Double {
        row.rise - sum(row.terms, model)
    }

    private static func sum(_ terms: [Double], _ model: [Double]) -> Double {
        zip(terms, model).reduce(0) { $0 + $1.0 * $1.1 }
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
