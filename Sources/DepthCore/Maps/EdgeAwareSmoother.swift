internal import DepthModel

/// Smooths along rows and columns by recursion from neighbor to neighbor, each link of which lets through a share.
///
/// The recursive filter of E. Gastal and M. Oliveira, "Domain Transform for Edge-Aware Image and Video Processing"
/// (2011), with shares of links for its distances. Its cost does not depend on the radius.
struct EdgeAwareSmoother {
    private let width: Int
    private let height: Int
    /// The share between each sample and the one on its left.
    private let linksLeft: [Float]
    /// The share between each sample and the one above, transposed.
    private let linksUp: [Float]

    /// `share` says how much passes between neighbors with a difference; nothing passes what is not finite.
    init(_ samples: [Float], _ width: Int, _ height: Int, share: @Sendable (Float) -> Float) {
        self.init(width, height) { row, column, up, left in
            let place = row &* width &+ column
            let difference = samples[place] - samples[place &- up &* width &- left]
            return difference.isFinite ? share(difference.magnitude) : 0
        }
    }

    /// `share` says how much passes between the sample at a row and column and the one `left` columns to the left and `up` rows above.
    init(
        _ width: Int, _ height: Int,
        share: @Sendable (_ row: Int, _ column: Int, _ up: Int, _ left: Int) -> Float
    ) {
        self.width = width
        self.height = height
        linksLeft = parallelMapRows(width: width, height: height) { rows, output in
            for row in rows {
                let start = (row - rows.lowerBound) * width
                output[start] = 0
                for column in 1..<max(width, 1) {
                    output[start + column] = share(row, column, 0, 1)
                }
            }
        }
        let up: [Float] = parallelMapRows(width: width, height: height) { rows, output in
            for row in rows {
                let start = (row - rows.lowerBound) * width
                for column in 0..<width {
                    output[start + column] = row == 0 ? 0 : share(row, column, 1, 0)
                }
            }
        }
        linksUp = reoriented(up, width: width, height: height, by: .leftMirrored)
    }

    /// Samples smoothed with a standard deviation of `radius` samples in all, by passes of falling radius: pass i of n
    /// has radius · √3 · 2^(n − i) / √(4^n − 1).
    ///
    /// Samples must be finite.
    func smoothed(_ samples: [Float], radius: Float, passes: Int = 3) -> [Float] {
        var result = samples
        let last = radius * Float(3).squareRoot() / Float(1 << (2 * passes) - 1).squareRoot()
        for pass in 1...passes {
            let share = Self.share(forRadius: last * Float(1 << (passes - pass)))
            result = Self.rowsSmoothed(result, linksLeft, width, height, share)
            let turned = reoriented(result, width: width, height: height, by: .leftMirrored)
            result = reoriented(
                Self.rowsSmoothed(turned, linksUp, height, width, share), width: height, height: width,
                by: .leftMirrored)
        }
        return result
    }

    /// The share a of the neighbor's value that makes a recursion forth and back have variance r²:
    /// 2a / (1 − a)² = r².
    private static func share(forRadius radius: Float) -> Float {
        guard radius > 0 else { return 0 }
        let half = 1 + 1 / (radius * radius)
        return half - (half * half - 1).squareRoot()
    }

    /// Rows smoothed forth and back, four at a time: each sample waits for the one before, and in another row there is work meanwhile.
    private static func rowsSmoothed(
        _ samples: [Float], _ links: [Float], _ width: Int, _ height: Int, _ share: Float
    ) -> [Float] {
        parallelMapRows(width: width, height: height) { rows, output in
            let (samples, links) = (samples.span, links.span)
            let start = rows.lowerBound * width
            for first in stride(from: rows.lowerBound, to: rows.upperBound, by: 4) {
                // What is left of the last four repeats the last row.
                let four = SIMD4(first, first + 1, first + 2, first + 3)
                let at =
                    four.clamped(
                        lowerBound: SIMD4(repeating: first), upperBound: SIMD4(repeating: rows.upperBound - 1)
                    ) &* width
                @inline(__always)
                func load(_ span: Span<Float>, _ column: Int) -> SIMD4<Float> {
                    SIMD4(
                        span[at.x &+ column], span[at.y &+ column], span[at.z &+ column], span[at.w &+ column]
                    )
                }
                let to = at &- start
                func store(_ value: SIMD4<Float>, _ column: Int, _ output: inout MutableSpan<Float>) {
                    output[to.x &+ column] = value.x
                    output[to.y &+ column] = value.y
                    output[to.z &+ column] = value.z
                    output[to.w &+ column] = value.w
                }
                var previous = load(samples, 0)
                for column in 0..<width {
                    let value = load(samples, column)
                    previous = value + share * load(links, column) * (previous - value)
                    store(previous, column, &output)
                }
                for column in (0..<width - 1).reversed() {
                    let value = SIMD4(
                        output[to.x &+ column], output[to.y &+ column], output[to.z &+ column],
                        output[to.w &+ column])
                    previous = value + share * load(links, column &+ 1) * (previous - value)
                    store(previous, column, &output)
                }
            }
        }
    }
}
