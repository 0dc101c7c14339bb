/// Smooths along rows, then along columns, forth and back, and stops at edges: a recursive filter after the domain transform
/// of Gastal and Oliveira (2011).
///
/// A sample becomes α times itself plus 1 − α times the smoothed one before it, if both differed by less than δ. Unknown
/// samples stay unknown.
final class SpatialFilter: DepthFilter {
    private let alpha: Float
    private let delta: Float
    private let iterations: Int
    private var (former, smoothed): ([Float], [Float]) = ([], [])

    init(alpha: Float, delta: Float, iterations: Int) {
        (self.alpha, self.delta, self.iterations) = (alpha, delta, iterations)
    }

    func apply(to frame: inout SequenceFrame) {
        let (width, height) = (frame.depth.width, frame.depth.height)
        if former.count != width {
            former = [Float](repeating: .nan, count: width)
            smoothed = former
        }
        // SAFETY: indices stay below width · height, and below the width of the stored row.
        unsafe frame.depth.samples.withUnsafeMutableBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            unsafe former.withUnsafeMutableBufferPointer { former in
                unsafe smoothed.withUnsafeMutableBufferPointer { smoothed in
                    guard let former = former.baseAddress, let smoothed = smoothed.baseAddress else { return }
                    for _ in 0..<iterations {
                        unsafe smoothRows(base, width, height)
                        unsafe smoothColumns(base, width, height, former, smoothed)
                    }
                }
            }
        }
    }

    /// Four rows at a time: in each row every sample depends on the one before it.
    private func smoothRows(_ samples: UnsafeMutablePointer<Float>, _ width: Int, _ height: Int) {
        for first in stride(from: 0, to: height, by: 4) {
            let rows = min(4, height - first)
            let start = unsafe samples + first * width
            for (from, step) in [(0, 1), (width - 1, -1)] {
                var (former, state) = (SIMD4<Float>(repeating: .nan), SIMD4<Float>(repeating: .nan))
                var place = from
                for _ in 0..<width {
                    var value = SIMD4<Float>(repeating: .nan)
                    for row in 0..<rows { value[row] = unsafe start[row * width + place] }
                    let difference = value - former
                    // Comparisons with `nan` are false.
                    let isClose = (difference .< delta) .& (difference .> -delta)
                    state = value.replacing(with: value * alpha + state * (1 - alpha), where: isClose)
                    former = value
                    for row in 0..<rows { unsafe start[row * width + place] = state[row] }
                    place += step
                }
            }
        }
    }

    /// A row at a time, so that compilers vectorize over columns. The row before is stored both as it was and as smoothed.
    private func smoothColumns(
        _ samples: UnsafeMutablePointer<Float>, _ width: Int, _ height: Int,
        _ former: UnsafeMutablePointer<Float>, _ smoothed: UnsafeMutablePointer<Float>
    ) {
        let (alpha, rest, delta) = (alpha, 1 - alpha, delta)
        for (from, step) in [(0, 1), (height - 1, -1)] {
            for column in 0..<width { unsafe former[column] = .nan }
            var row = from
            for _ in 0..<height {
                let line = unsafe samples + row * width
                for column in 0..<width {
                    let value = unsafe line[column]
                    let difference = unsafe abs(value - former[column])
                    unsafe former[column] = value
                    let state = unsafe difference < delta ? value * alpha + smoothed[column] * rest : value
                    unsafe smoothed[column] = state
                    unsafe line[column] = state
                }
                row += step
            }
        }
    }
}
