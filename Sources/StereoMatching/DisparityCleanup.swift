internal import DepthCore

/// What is done to disparities once each pixel has its own.
struct DisparityCleanup {
    /// Islands of less than this share of the picture are removed, in millionths.
    var islandMillionths = 300
    /// How far disparities beside each other may differ within an island.
    var islandStep: Float = 1
    /// Whether lone samples are replaced by the median of themselves and their neighbors.
    var takesMedian = true

    func apply(to disparity: inout [Float], _ confidence: inout [UInt8], width: Int, height: Int) {
        if takesMedian { disparity = median(disparity, width, height) }
        removeIslands(&disparity, &confidence, width, height)
    }

    /// The median of each sample and the four beside it, where all are known.
    private func median(_ disparity: [Float], _ width: Int, _ height: Int) -> [Float] {
        guard width > 2, height > 2 else { return disparity }
        return parallelMapRows(width: width, height: height) { rows, output in
            let source = disparity.span
            for row in rows {
                let start = row * width
                for column in 0..<width {
                    let center = source[start + column]
                    var result = center
                    if row > 0, row + 1 < height, column > 0, column + 1 < width {
                        let (a, b) = (source[start + column - 1], source[start + column + 1])
                        let (c, d) = (source[start + column - width], source[start + column + width])
                        // Without the least and the greatest of four, the fifth decides.
                        let low = max(min(a, b), min(c, d))
                        let high = min(max(a, b), max(c, d))
                        if a == a, b == b, c == c, d == d, center == center {
                            result = max(min(low, high), min(max(low, high), center))
                        }
                    }
                    output[(row - rows.lowerBound) * width + column] = result
                }
            }
        }
    }

    /// Removes small connected parts (speckles): most are mistakes.
    private func removeIslands(
        _ disparity: inout [Float], _ confidence: inout [UInt8], _ width: Int, _ height: Int
    ) {
        for pixels in smallIslands(disparity, width, height) {
            for index in pixels {
                disparity[index] = .nan
                confidence[index] = 0
            }
        }
    }

    private func smallIslands(_ disparity: [Float], _ width: Int, _ height: Int) -> [Range<Int>] {
        let least = max(2, min(width * height * islandMillionths / 1_000_000, 400))
        var islands = Islands()
        let values = disparity.span
        // The run of each pixel in the row above and in this one, −1 where there is none.
        var above = [Int](repeating: -1, count: width)
        var current = above
        for row in 0..<height {
            let base = row * width
            swap(&above, &current)
            var (run, last) = (-1, Float.nan)
            var joined = -1
            for column in 0..<width {
                let value = values[base + column]
                // `nan` is near nothing.
                if !(abs(value - last) <= islandStep) {
                    run = value == value ? islands.addRun(at: base + column) : -1
                    joined = -1
                }
                current[column] = run
                last = value
                guard run >= 0 else { continue }
                islands.extend(run)
                let other = above[column]
                guard other >= 0, other != joined, abs(values[base + column - width] - value) <= islandStep
                else { continue }
                islands.join(run, other)
                joined = other
            }
        }
        return islands.smaller(than: least)
    }
}

/// Connected parts of a picture, made of runs along its rows (a disjoint-set forest).
private struct Islands {
    private var starts: [Int32] = []
    private var counts: [Int32] = []
    private var parents: [Int32] = []

    /// A run that begins at a sample, empty so far.
    mutating func addRun(at index: Int) -> Int {
        starts.append(Int32(index))
        counts.append(0)
        parents.append(Int32(parents.count))
        return parents.count - 1
    }

    /// Adds the next sample to a run.
    @inline(__always) mutating func extend(_ run: Int) { counts[run] += 1 }

    mutating func join(_ a: Int, _ b: Int) {
        let (first, second) = (root(a), root(b))
        if first < second { parents[second] = Int32(first) } else { parents[first] = Int32(second) }
    }

    private mutating func root(_ run: Int) -> Int {
        var run = run
        while Int(parents[run]) != run {
            parents[run] = parents[Int(parents[run])]
            run = Int(parents[run])
        }
        return run
    }

    /// The samples of runs in parts of fewer than `least`.
    mutating func smaller(than least: Int) -> [Range<Int>] {
        var totals = [Int](repeating: 0, count: starts.count)
        for run in starts.indices { totals[root(run)] += Int(counts[run]) }
        return starts.indices.compactMap { run in
            totals[root(run)] < least ? Int(starts[run])..<Int(starts[run]) + Int(counts[run]) : nil
        }
    }
}
