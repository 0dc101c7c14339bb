internal import DepthMaps

/// Disparity with smooth edges turned into steps.
///
/// Cameras smooth their maps. A pixel between near and far would be drawn between them, and edges would be dragged out. Here
/// it gets the disparity of the closer side, so that it moves with it. Where the photo's own edge is smooth, because it is
/// out of focus, a step would cut it in two: there the map is unchanged.
enum SteepEdges {
    /// Turns ramps that rise by more than `leastDifference` within `radius` pixels into steps.
    ///
    /// `brightness` has the photo's pixels, of the map's size. An edge of the photo is sharp if a quarter of the change around
    /// it is between two neighbors.
    static func steepened(
        _ disparity: [Float], _ brightness: [Float], width: Int, height: Int, radius: Int,
        leastDifference: Float
    ) -> [Float] {
        let extremes = Extremes(disparity, brightness, width: width, height: height, radius: radius)
        return parallelPixels(width: width, height: height) { column, row in
            let (low, high, isSharp) = extremes.around(column, row)
            let value = disparity[row * width + column]
            guard isSharp, high - low > leastDifference else { return value }
            return value - low > high - value ? high : low
        }
    }
}

/// The extremes in a square around each pixel.
private struct Extremes: Sendable {
    /// The part of a change of brightness that is between two neighbors at a sharp edge.
    private static var sharpShare: Float { 0.25 }

    /// The greatest of a row's pixels around each: −disparity, disparity, −brightness, brightness, and the change of brightness
    /// to the next pixel.
    private let rows: [SIMD8<Float>]
    private let width: Int
    private let height: Int
    private let radius: Int

    init(_ disparity: [Float], _ brightness: [Float], width: Int, height: Int, radius: Int) {
        (self.width, self.height, self.radius) = (width, height, radius)
        rows = parallelMapRows(width: width, height: height) { rows, output in
            var line = [SIMD8<Float>](repeating: .zero, count: width)
            for row in rows {
                for column in 0..<width {
                    let index = row * width + column
                    let (value, light) = (disparity[index], brightness[index])
                    let right = column + 1 < width ? brightness[index + 1] : light
                    let below = row + 1 < height ? brightness[index + width] : light
                    let change = max(abs(right - light), abs(below - light))
                    line[column] = SIMD8(-value, value, -light, light, change, 0, 0, 0)
                }
                for column in 0..<width {
                    var greatest = line[column]
                    for other in max(column - radius, 0)...min(column + radius, width - 1) {
                        greatest = pointwiseMax(greatest, line[other])
                    }
                    output[(row - rows.lowerBound) * width + column] = greatest
                }
            }
        }
    }

    /// The least and the greatest disparity around a pixel, and whether the photo's edges there are sharp.
    @inline(__always)
    func around(_ column: Int, _ row: Int) -> (low: Float, high: Float, isSharp: Bool) {
        var greatest = rows[row * width + column]
        for other in max(row - radius, 0)...min(row + radius, height - 1) {
            greatest = pointwiseMax(greatest, rows[other * width + column])
        }
        let isSharp = greatest[4] >= Self.sharpShare * (greatest[3] + greatest[2])
        return (-greatest[0], greatest[1], isSharp)
    }
}
