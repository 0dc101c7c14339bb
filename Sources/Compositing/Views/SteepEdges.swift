internal import DepthCore

/// Disparity with smooth edges turned into steps.
///
/// Cameras smooth their maps. A pixel between near and far would be drawn between them, and edges would be dragged out. Here
/// it gets the disparity of the closer side, so that it moves with it.
enum SteepEdges {
    /// Turns ramps that rise by more than `leastDifference` within `radius` pixels into steps.
    static func steepened(
        _ disparity: [Float], width: Int, height: Int, radius: Int, leastDifference: Float
    ) -> [Float] {
        // Rows, then columns: the minimum and maximum of a square.
        let rows: [SIMD2<Float>] = parallelMapRows(width: width, height: height) { rows, output in
            for row in rows {
                for column in 0..<width {
                    let first = row * width + max(column - radius, 0)
                    let last = row * width + min(column + radius, width - 1)
                    var ends = SIMD2(repeating: disparity[first])
                    for index in first...last {
                        ends = SIMD2(min(ends.x, disparity[index]), max(ends.y, disparity[index]))
                    }
                    output[(row - rows.lowerBound) * width + column] = ends
                }
            }
        }
        return parallelMapRows(width: width, height: height) { range, output in
            for row in range {
                for column in 0..<width {
                    var ends = rows[row * width + column]
                    for other in max(row - radius, 0)...min(row + radius, height - 1) {
                        let found = rows[other * width + column]
                        ends = SIMD2(min(ends.x, found.x), max(ends.y, found.y))
                    }
                    let value = disparity[row * width + column]
                    let isStep = ends.y - ends.x > leastDifference
                    output[(row - range.lowerBound) * width + column] =
                        isStep ? (value - ends.x > ends.y - value ? ends.y : ends.x) : value
                }
            }
        }
    }
}
