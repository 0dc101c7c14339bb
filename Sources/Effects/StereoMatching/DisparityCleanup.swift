internal import DepthMaps

/// Post-processing of disparities.
struct DisparityCleanup {
    /// Islands smaller than this fraction of the picture are removed, in millionths.
    var islandMillionths = 300
    /// The largest difference between neighboring disparities within an island.
    var islandStep: Float = 1
    /// Whether samples are replaced by the median of themselves and their neighbors.
    var takesMedian = true

    func apply(to disparity: inout [Float], _ confidence: inout [UInt8], width: Int, height: Int) {
        if takesMedian { disparity = median(disparity, width, height) }
        removeIslands(&disparity, &confidence, width, height)
    }

    /// The median of each sample and its four neighbors, if all are known.
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
                        // After dropping the minimum and maximum of four, the fifth decides.
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

    /// Removes small connected regions (speckles), which are mostly errors.
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
        var above = 0..<0
        for row in 0..<height {
            let rowStart = row * width
            let current = islands.addRuns(
                of: values.extracting(rowStart..<rowStart + width), at: rowStart, islandStep)
            islands.join(current, with: above, values, width, islandStep)
            above = current
        }
        return islands.smaller(than: least)
    }
}

/// Connected regions of a picture, made of runs along its rows (a disjoint-set forest).
private struct Islands {
    private var starts: [Int32] = []
    private var counts: [Int32] = []
    private var parents: [Int32] = []

    /// Adds the runs of a row whose first sample is at `start`: adjacent samples that differ by at most a step.
    mutating func addRuns(of row: Span<Float>, at start: Int, _ step: Float) -> Range<Int> {
        let first = starts.count
        var column = 0
        while column < row.count {
            var last = row[column]
            let begin = column
            column += 1
            guard last == last else { continue }
            // Comparisons with `nan` are false.
            while column < row.count, abs(row[column] - last) <= step {
                last = row[column]
                column += 1
            }
            parents.append(Int32(starts.count))
            starts.append(Int32(start + begin))
            counts.append(Int32(column - begin))
        }
        return first..<starts.count
    }

    /// Joins runs of a row with touching runs of the row above, both in order, if they differ by at most a step.
    mutating func join(
        _ runs: Range<Int>, with above: Range<Int>, _ values: Span<Float>, _ width: Int, _ step: Float
    ) {
        var first = above.lowerBound
        for run in runs {
            let samples = samples(run)
            // The same columns in the row above.
            let shadow = samples.lowerBound - width..<samples.upperBound - width
            while first < above.upperBound, self.samples(first).upperBound <= shadow.lowerBound { first += 1 }
            var other = first
            while other < above.upperBound, self.samples(other).lowerBound < shadow.upperBound {
                let common = self.samples(other).clamped(to: shadow)
                if common.contains(where: { abs(values[$0] - values[$0 + width]) <= step }) {
                    join(run, other)
                }
                other += 1
            }
        }
    }

    private func samples(_ run: Int) -> Range<Int> { Int(starts[run])..<Int(starts[run]) + Int(counts[run]) }

    private mutating func join(_ a: Int, _ b: Int) {
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

    /// The samples of runs in regions of fewer than `least`.
    mutating func smaller(than least: Int) -> [Range<Int>] {
        var totals = [Int](repeating: 0, count: starts.count)
        for run in starts.indices { totals[root(run)] += Int(counts[run]) }
        return starts.indices.compactMap { run in
            totals[root(run)] < least ? samples(run) : nil
        }
    }
}
