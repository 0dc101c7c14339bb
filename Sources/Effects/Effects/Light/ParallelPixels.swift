internal import DepthMaps

/// A new plane whose samples are computed one by one, on all cores.
@inline(__always)
func parallelPixels<Value: BitwiseCopyable>(
    width: Int, height: Int, minimum: Int = 16, _ value: @Sendable (_ column: Int, _ row: Int) -> Value
) -> [Value] {
    parallelMapRows(width: width, height: height, minimum: minimum) { band, output in
        for row in band {
            let start = (row - band.lowerBound) * width
            for column in 0..<width { output[start + column] = value(column, row) }
        }
    }
}

/// A plane of `width` × `height` samples at half its size, rounded up. `value` gets the indices of each 2 × 2 samples in
/// reading order; the last column and row are repeated.
@inline(__always)
func parallelHalves<Value: BitwiseCopyable>(
    width: Int, height: Int, _ value: @Sendable (Int, Int, Int, Int) -> Value
) -> [Value] {
    parallelPixels(width: (width + 1) / 2, height: (height + 1) / 2) { column, row in
        let (top, bottom) = (2 * row * width, min(2 * row + 1, height - 1) * width)
        let (left, right) = (2 * column, min(2 * column + 1, width - 1))
        return value(top + left, top + right, bottom + left, bottom + right)
    }
}

/// A number or a vector of numbers that can be interpolated.
protocol Interpolatable {
    static func + (first: Self, second: Self) -> Self
    static func - (first: Self, second: Self) -> Self
    static func * (first: Self, second: Float) -> Self
}

extension Float: Interpolatable {}
extension SIMD2: Interpolatable where Scalar == Float {}
extension SIMD4: Interpolatable where Scalar == Float {}

extension Array where Element: Interpolatable {
    /// Interpolates between four samples of a plane with rows of `width`.
    @inline(__always)
    func between(_ x: InterpolationTap, _ y: InterpolationTap, width: Int) -> Element {
        let (upper, lower) = (y.first * width, y.second * width)
        let left = self[upper + x.first] + (self[lower + x.first] - self[upper + x.first]) * y.fraction
        let right = self[upper + x.second] + (self[lower + x.second] - self[upper + x.second]) * y.fraction
        return left + (right - left) * x.fraction
    }
}
