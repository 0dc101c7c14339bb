internal import DepthModel

/// Smooths along rows and columns by recursion from neighbor to neighbor, each link of which lets through a share.
///
/// The recursive filter of E. Gastal and M. Oliveira, "Domain Transform for Edge-Aware Image and Video Processing"
/// (2011), with shares of links for its distances. Its cost does not depend on the radius.
struct EdgeAwareSmoother {
    private let width: Int
    private let height: Int
    /// The share between each sample and the one on its left, transposed.
    private let linksLeft: [Float]
    /// The share between each sample and the one above.
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
        let left: [Float] = parallelMapRows(width: width, height: height) { rows, output in
            for row in rows {
                let start = (row - rows.lowerBound) * width
                output[start] = 0
                for column in 1..<max(width, 1) {
                    output[start + column] = share(row, column, 0, 1)
                }
            }
        }
        linksLeft = Self.transposed(left, width, height)
        linksUp = parallelMapRows(width: width, height: height) { rows, output in
            for row in rows {
                let start = (row - rows.lowerBound) * width
                for column in 0..<width {
                    output[start + column] = row == 0 ? 0 : share(row, column, 1, 0)
                }
            }
        }
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
            let turned = Self.columnsSmoothed(
                Self.transposed(result, width, height), linksLeft, height, width, share)
            result = Self.columnsSmoothed(
                Self.transposed(turned, height, width), linksUp, width, height, share)
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

    private static func transposed(_ samples: [Float], _ width: Int, _ height: Int) -> [Float] {
        reoriented(samples, width: width, height: height, by: .leftMirrored)
    }

    /// Columns smoothed down and up, strips of them on all cores. Along rows each sample would have to wait for the one before it.
    private static func columnsSmoothed(
        _ samples: [Float], _ links: [Float], _ width: Int, _ height: Int, _ share: Float
    ) -> [Float] {
        unsafe [Float](unsafeUninitializedCapacity: samples.count) { output, count in
            nonisolated(unsafe) let output = output.baseAddress
            parallelForRows(of: height == 0 ? 0 : width, minimum: 128) { columns in
                guard let output = unsafe output else { return }
                // SAFETY: all three planes have width · height samples. Strips are disjoint; each writes its first row and then what it
                // reads rows from.
                unsafe samples.withUnsafeBufferPointer { samples in
                    unsafe links.withUnsafeBufferPointer { links in
                        guard let from = samples.baseAddress, let links = links.baseAddress else { return }
                        let first = columns.lowerBound
                        unsafe (output + first).initialize(from: from + first, count: columns.count)
                        for row in 1..<max(height, 1) {
                            let place = row * width + first
                            unsafe smooth(
                                from + place, toward: output + place - width, links + place, share,
                                into: output + place, count: columns.count)
                        }
                        for row in (0..<max(height - 1, 0)).reversed() {
                            let place = row * width + first
                            unsafe smooth(
                                output + place, toward: output + place + width, links + place + width, share,
                                into: output + place, count: columns.count)
                        }
                    }
                }
            }
            count = samples.count
        }
    }

    /// Takes a row toward the one beside it. Compilers make vectors of this loop if the function stands alone.
    @inline(never)
    private static func smooth(
        _ values: UnsafePointer<Float>, toward others: UnsafePointer<Float>, _ links: UnsafePointer<Float>,
        _ share: Float, into output: UnsafeMutablePointer<Float>, count: Int
    ) {
        for column in 0..<count {
            let value = unsafe values[column]
            unsafe output[column] = value + share * links[column] * (others[column] - value)
        }
    }
}
