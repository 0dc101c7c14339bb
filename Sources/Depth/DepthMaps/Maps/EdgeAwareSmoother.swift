internal import DepthTypes

/// Smooths along rows and columns by recursion from neighbor to neighbor. Each link between two neighbors has a weight.
///
/// This is the recursive filter of E. Gastal and M. Oliveira, "Domain Transform for Edge-Aware Image and Video Processing"
/// (2011), with link weights instead of distances. Its cost does not depend on the radius.
struct EdgeAwareSmoother {
    private let width: Int
    private let height: Int
    /// The weight of the link between each sample and its left neighbor, transposed.
    private let linksLeft: [Float]
    /// The weight of the link between each sample and the one above.
    private let linksUp: [Float]

    /// `share` returns the link weight for a difference between neighbors. Links of non-finite samples have weight 0.
    @inline(__always)
    init(_ samples: [Float], _ width: Int, _ height: Int, share: @Sendable (Float) -> Float) {
        self.init(width, height) { row, column, up, left in
            let place = row &* width &+ column
            let difference = samples[place] - samples[place &- up &* width &- left]
            return difference.isFinite ? share(difference.magnitude) : 0
        }
    }

    /// `share` returns the weight of the link from the sample at a row and column to the one `left` columns to the left and
    /// `up` rows above.
    @inline(__always)
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

    /// Smooths with a total standard deviation of `radius` samples, by passes of falling radius: pass i of n has radius · √3
    /// · 2^(n − i) / √(4^n − 1).
    ///
    /// Samples must be finite, one for each link.
    func smooth(_ samples: inout [Float], radius: Float, passes: Int = 3) {
        precondition(samples.count == width * height)
        let last = radius * Float(3).squareRoot() / Float(1 << (2 * passes) - 1).squareRoot()
        unsafe samples.withUnsafeMutableBufferPointer { samples in
            guard let samples = samples.baseAddress else { return }
            for pass in 1...passes {
                let share = Self.share(forRadius: last * Float(1 << (passes - pass)))
                unsafe smoothRows(samples, share)
                unsafe smoothColumns(samples, share)
            }
        }
    }

    /// Smooths samples, smooths the removed difference as well, and adds that back: so curved surfaces keep their shape
    /// ("twicing", J. W. Tukey, "Exploratory Data Analysis", 1977).
    func smoothTwice(_ samples: inout [Float], radius: Float, passes: Int = 3) {
        var once = samples
        smooth(&once, radius: radius, passes: passes)
        Self.combine(&samples, once, -)
        smooth(&samples, radius: radius, passes: passes)
        Self.combine(&samples, once, +)
    }

    @inline(__always)
    private static func combine(
        _ samples: inout [Float], _ others: [Float], _ operation: (Float, Float) -> Float
    ) {
        precondition(samples.count == others.count)
        let others = others.span
        var samples = samples.mutableSpan
        // SAFETY: all arrays have the same count, as checked above.
        for index in samples.indices {
            unsafe samples[unchecked: index] = operation(samples[unchecked: index], others[unchecked: index])
        }
    }

    /// The weight a of the neighbor's value for which a recursion forth and back has variance r²: 2a / (1 − a)² = r².
    private static func share(forRadius radius: Float) -> Float {
        guard radius > 0 else { return 0 }
        let half = 1 + 1 / (radius * radius)
        return half - (half * half - 1).squareRoot()
    }

    private static func transposed(_ samples: [Float], _ width: Int, _ height: Int) -> [Float] {
        reoriented(samples, width: width, height: height, by: .leftMirrored)
    }

    /// Smooths rows from left to right and back. Blocks of rows are transposed: along a row, each sample would have to wait
    /// for the one before it.
    // SAFETY: there are width · height samples, and one link for each.
    private func smoothRows(_ samples: UnsafeMutablePointer<Float>, _ share: Float) {
        nonisolated(unsafe) let samples = unsafe samples
        parallelFor(count: width == 0 ? 0 : height, minimum: Self.blockHeight) { rows in
            unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.blockHeight * width) {
                block in
                unsafe linksLeft.withUnsafeBufferPointer { links in
                    guard let block = block.baseAddress, let links = links.baseAddress else { return }
                    for first in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.blockHeight) {
                        let count = min(Self.blockHeight, rows.upperBound - first)
                        unsafe smoothBlock(samples + first * width, links + first, share, block, count)
                    }
                }
            }
        }
    }

    /// Smooths `count` rows in a transposed block, which is large enough for them.
    private func smoothBlock(
        _ rows: UnsafeMutablePointer<Float>, _ links: UnsafePointer<Float>, _ share: Float,
        _ block: UnsafeMutablePointer<Float>, _ count: Int
    ) {
        unsafe transpose(rows, width, into: block, count, columns: width, rows: count)
        for column in 1..<max(width, 1) {
            let place = unsafe block + column * count
            unsafe Self.smooth(place, toward: place - count, links + column * height, share, count)
        }
        for column in (0..<width - 1).reversed() {
            let place = unsafe block + column * count
            unsafe Self.smooth(place, toward: place + count, links + (column + 1) * height, share, count)
        }
        unsafe transpose(block, count, into: rows, width, columns: count, rows: width)
    }

    /// Smooths columns down and up, in strips on all cores.
    // SAFETY: there are width · height samples, and one link for each. Strips are disjoint.
    private func smoothColumns(_ samples: UnsafeMutablePointer<Float>, _ share: Float) {
        nonisolated(unsafe) let samples = unsafe samples
        parallelFor(count: height == 0 ? 0 : width, minimum: Self.stripWidth) { columns in
            unsafe linksUp.withUnsafeBufferPointer { links in
                guard let links = links.baseAddress else { return }
                for first in stride(from: columns.lowerBound, to: columns.upperBound, by: Self.stripWidth) {
                    let count = min(Self.stripWidth, columns.upperBound - first)
                    for row in 1..<max(height, 1) {
                        let place = row * width + first
                        unsafe Self.smooth(
                            samples + place, toward: samples + place - width, links + place, share, count)
                    }
                    for row in (0..<height - 1).reversed() {
                        let place = row * width + first
                        unsafe Self.smooth(
                            samples + place, toward: samples + place + width, links + place + width, share,
                            count)
                    }
                }
            }
        }
    }

    /// Moves samples toward their neighbors. Compilers vectorize this loop if the function is separate and reads the memory
    /// that it writes.
    @inline(never)
    private static func smooth(
        _ samples: UnsafeMutablePointer<Float>, toward others: UnsafePointer<Float>,
        _ links: UnsafePointer<Float>, _ share: Float, _ count: Int
    ) {
        for index in 0..<count {
            let sample = unsafe samples[index]
            unsafe samples[index] = sample + share * links[index] * (others[index] - sample)
        }
    }

    /// How many rows, and how many columns, are smoothed at once: long enough for efficient loops, small enough for the
    /// second-level cache.
    private static let blockHeight = 64
    private static let stripWidth = 64
}
