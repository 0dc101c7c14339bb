/// Sums of the normal equations of least squares: JᵀWJ and JᵀWr, of rows J with six numbers.
struct NormalSums: Sendable {
    private var row0 = SIMD8<Float>.zero
    private var row1 = SIMD8<Float>.zero
    private var row2 = SIMD8<Float>.zero
    private var row3 = SIMD8<Float>.zero
    private var row4 = SIMD8<Float>.zero
    private var row5 = SIMD8<Float>.zero
    private var right = SIMD8<Float>.zero

    /// Adds a residual with its weight. `direction` is its derivative by the position, `moment` by the rotation.
    @inline(__always)
    mutating func add(
        _ residual: Float, direction: SIMD3<Float>, moment: SIMD3<Float>, weight: Float
    ) {
        let row = SIMD8(
            direction.x, direction.y, direction.z, moment.x, moment.y, moment.z, 0, 0)
        let weighted = row * SIMD8(repeating: weight)
        row0 += weighted * SIMD8(repeating: direction.x)
        row1 += weighted * SIMD8(repeating: direction.y)
        row2 += weighted * SIMD8(repeating: direction.z)
        row3 += weighted * SIMD8(repeating: moment.x)
        row4 += weighted * SIMD8(repeating: moment.y)
        row5 += weighted * SIMD8(repeating: moment.z)
        right += weighted * SIMD8(repeating: residual)
    }

    /// JᵀWJ.
    var matrix: Matrix6 {
        var matrix = Matrix6()
        for (row, values) in [row0, row1, row2, row3, row4, row5].enumerated() {
            for column in 0..<6 { matrix[row, column] = Double(values[column]) }
        }
        return matrix
    }

    /// JᵀWr.
    var column: Twist { Twist(right) }
}

/// Sums of rows, in Float64.
struct NormalTotals: Sendable {
    private(set) var matrix = Matrix6()
    private(set) var column = Twist.zero

    mutating func add(_ sums: NormalSums) {
        matrix += sums.matrix
        column += sums.column
    }

    static func += (left: inout NormalTotals, right: NormalTotals) {
        left.matrix += right.matrix
        left.column += right.column
    }
}
