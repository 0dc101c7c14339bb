internal import Glibc

/// A symmetric 6 × 6 matrix over twists, such as the information of an estimated motion.
package struct Matrix6: Sendable {
    /// Its rows; lanes 6 and 7 are 0.
    private(set) var rows = [Twist](repeating: .zero, count: 6)

    /// Zero.
    init() {}

    /// Adds a symmetric matrix.
    static func += (left: inout Matrix6, right: Matrix6) {
        for row in 0..<6 { left.rows[row] += right.rows[row] }
    }

    static func * (matrix: Matrix6, factor: Double) -> Matrix6 {
        var result = matrix
        for row in 0..<6 { result.rows[row] *= factor }
        return result
    }

    /// The product with a column.
    static func * (matrix: Matrix6, column: Twist) -> Twist {
        var result = Twist.zero
        for row in 0..<6 { result[row] = (matrix.rows[row] * column).sum() }
        return result
    }

    subscript(row: Int, column: Int) -> Double {
        get { rows[row][column] }
        set { rows[row][column] = newValue }
    }

    /// aᵀ·M·a.
    func quadratic(_ column: Twist) -> Double { (column * (self * column)).sum() }

    /// Solves M·x = b by Cholesky's decomposition; `nil` if the matrix is not positive definite.
    func solved(_ right: Twist) -> Twist? { Cholesky6(self)?.solved(right) }

    /// M⁻¹; `nil` if the matrix is not positive definite.
    var inverse: Matrix6? {
        guard let factor = Cholesky6(self) else { return nil }
        var result = Matrix6()
        for column in 0..<6 {
            var unit = Twist.zero
            unit[column] = 1
            let solution = factor.solved(unit)
            for row in 0..<6 { result.rows[row][column] = solution[row] }
        }
        return result
    }

    /// The eigenvalues, in ascending order, by Jacobi's rotations.
    var eigenvalues: [Double] {
        var matrix = self
        for _ in 0..<12 {
            for first in 0..<5 {
                for second in first + 1..<6 { matrix.rotate(first, second) }
            }
        }
        return (0..<6).map { matrix.rows[$0][$0] }.sorted()
    }

    /// Makes the element (p, q) zero (Golub and Van Loan, Matrix Computations, §8.5.2).
    private mutating func rotate(_ p: Int, _ q: Int) {
        let off = rows[p][q]
        guard off != 0 else { return }
        let tau = (rows[q][q] - rows[p][p]) / (2 * off)
        let tangent = (tau < 0 ? -1 : 1) / (abs(tau) + (1 + tau * tau).squareRoot())
        let cosine = 1 / (1 + tangent * tangent).squareRoot()
        let sine = tangent * cosine
        let (rowP, rowQ) = (rows[p], rows[q])
        rows[p] = rowP * cosine - rowQ * sine
        rows[q] = rowP * sine + rowQ * cosine
        for row in 0..<6 {
            let (left, right) = (rows[row][p], rows[row][q])
            rows[row][p] = left * cosine - right * sine
            rows[row][q] = left * sine + right * cosine
        }
    }
}

/// L of a positive definite matrix L·Lᵀ.
struct Cholesky6 {
    private var lower = [Twist](repeating: .zero, count: 6)

    /// `nil` if the matrix is not positive definite.
    init?(_ matrix: Matrix6) {
        for row in 0..<6 {
            for column in 0...row {
                let rest = matrix[row, column] - (lower[row] * lower[column]).sum()
                guard row == column else {
                    lower[row][column] = rest / lower[column][column]
                    continue
                }
                guard rest > 0, rest.isFinite else { return nil }
                lower[row][row] = rest.squareRoot()
            }
        }
    }

    /// Solves L·Lᵀ·x = b.
    func solved(_ right: Twist) -> Twist {
        var middle = Twist.zero
        for row in 0..<6 { middle[row] = (right[row] - (lower[row] * middle).sum()) / lower[row][row] }
        var result = Twist.zero
        for row in (0..<6).reversed() {
            var rest = middle[row]
            for other in row + 1..<6 { rest -= lower[other][row] * result[other] }
            result[row] = rest / lower[row][row]
        }
        return result
    }
}
