/// Colors, or slopes, at the four corners of a cell; the last element of each is 0.
struct CellCorners {
    let upperLeft: SIMD4<Float>
    let upperRight: SIMD4<Float>
    let lowerLeft: SIMD4<Float>
    let lowerRight: SIMD4<Float>

    /// Corners that `vector` gives for a row and a column of a padded plane, where the upper left one is at these.
    @inline(__always)
    init(row: Int, column: Int, _ vector: (Int, Int) -> SIMD4<Float>) {
        upperLeft = vector(row, column)
        upperRight = vector(row, column &+ 1)
        lowerLeft = vector(row &+ 1, column)
        lowerRight = vector(row &+ 1, column &+ 1)
    }

    /// What is at the left side, so far down, 0…1, and how much the right side has more.
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
