/// Colors, or slopes, at the four corners of a cell; the last element of each is 0.
struct CellCorners {
    let upperLeft: SIMD4<Float>
    let upperRight: SIMD4<Float>
    let lowerLeft: SIMD4<Float>
    let lowerRight: SIMD4<Float>

    /// The corners that `vector` returns for a padded plane; the upper left corner is at `row` and `column`.
    @inline(__always)
    init(row: Int, column: Int, _ vector: (Int, Int) -> SIMD4<Float>) {
        upperLeft = vector(row, column)
        upperRight = vector(row, column &+ 1)
        lowerLeft = vector(row &+ 1, column)
        lowerRight = vector(row &+ 1, column &+ 1)
    }

    /// The value at the left side at height `y`, 0…1, and the difference to the right side.
    @inline(__always)
    func row(at y: Float) -> (left: SIMD4<Float>, step: SIMD4<Float>) {
        let left = upperLeft + (lowerLeft - upperLeft) * y
        return (left, upperRight + (lowerRight - upperRight) * y - left)
    }

    /// Whether all are 0.
    var areZero: Bool {
        all(upperLeft .== 0) && all(upperRight .== 0) && all(lowerLeft .== 0) && all(lowerRight .== 0)
    }
}
