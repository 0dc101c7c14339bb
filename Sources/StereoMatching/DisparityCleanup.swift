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
        let least = max(2, min(width * height * islandMillionths / 1_000_000, 400))
        var isSeen = [Bool](repeating: false, count: width * height)
        var island: [Int] = []
        for start in disparity.indices where !isSeen[start] && disparity[start] == disparity[start] {
            island.removeAll(keepingCapacity: true)
            island.append(start)
            isSeen[start] = true
            var next = 0
            while next < island.count {
                let index = island[next]
                next += 1
                let value = disparity[index]
                let column = index % width
                func visit(_ other: Int) {
                    guard !isSeen[other], abs(disparity[other] - value) <= islandStep else { return }
                    isSeen[other] = true
                    island.append(other)
                }
                if column > 0 { visit(index - 1) }
                if column + 1 < width { visit(index + 1) }
                if index >= width { visit(index - width) }
                if index + width < width * height { visit(index + width) }
            }
            guard island.count < least else { continue }
            for index in island {
                disparity[index] = .nan
                confidence[index] = 0
            }
        }
    }
}
