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

/// New elements computed from those of an array, on all cores. DepthMaps has a copy: calling it from here for each pixel
/// takes several times as long.
@inline(__always)
func parallelMap<Input: Sendable, Output: BitwiseCopyable>(
    _ input: [Input], _ convert: @Sendable (Input) -> Output
) -> [Output] {
    parallelMapRows(width: 1, height: input.count, minimum: 1 << 14) { indices, output in
        let part = input.span.extracting(indices)
        for index in part.indices { output[index] = convert(part[index]) }
    }
}

/// A plane with rows of `width` at half its size, rounded up. `combined` gets each 2 × 2 samples in reading order; the last
/// column and row are repeated.
@inline(__always)
func parallelHalves<Sample: Sendable, Value: BitwiseCopyable>(
    _ samples: [Sample], width: Int, height: Int,
    _ combined: @Sendable (Sample, Sample, Sample, Sample) -> Value
) -> [Value] {
    let newWidth = (width + 1) / 2
    return parallelMapRows(width: newWidth, height: (height + 1) / 2) { band, output in
        let samples = samples.span
        for row in band {
            let (top, bottom) = (2 * row * width, min(2 * row + 1, height - 1) * width)
            let start = (row - band.lowerBound) * newWidth
            for column in 0..<newWidth {
                let (left, right) = (2 * column, min(2 * column + 1, width - 1))
                output[start + column] = combined(
                    samples[top + left], samples[top + right], samples[bottom + left],
                    samples[bottom + right])
            }
        }
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
