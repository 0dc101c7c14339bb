internal import Glibc

/// The scales of residuals: their spread without outliers.
struct AlignmentScales {
    /// Of distances, in meters, at 1 m.
    var depth: Float = 0.02
    var brightness: Float = 0.08
    /// How much brighter the surface is.
    var offset: Float = 0

    mutating func update(_ sums: AlignmentSums) {
        if sums.depthCount > 0 { depth = max(0.0003, (sums.depthSquares / sums.depthCount).squareRoot()) }
        if sums.brightnessCount > 0 {
            brightness = max(0.004, (sums.brightnessSquares / sums.brightnessCount).squareRoot())
            offset += sums.brightnessDifference / sums.brightnessWeight
        }
    }
}
