/// The noise of a depth map.
///
/// Cameras measure disparity, so the noise of 1/z is about the same everywhere, and that of z grows with z².
struct DepthNoise {
    /// The standard deviation of 1/z between neighboring samples, in 1/m; 0 for a map without noise.
    let deviation: Float
    /// The median distance of the samples, in meters; 1 if nothing is known.
    let median: Float
    /// A distance that a tenth of the samples exceed.
    let far: Float

    /// The rank of the second differences that the deviation is taken from. Edges of objects are above it; quantized
    /// maps have many differences of zero below it.
    private static let rank = 0.7
    /// The magnitude of a standard normal variable at that rank.
    private static let normal: Float = 1.0364
    private static let rowCount = 48
    private static let columnCount = 64

    /// Measures samples on a coarse grid: the deviation of q₋₁ − 2q₀ + q₁ is √6 times that of q, and planes add nothing.
    init(_ inverses: [Float], width: Int, height: Int) {
        var differences: [Float] = []
        var distances: [Float] = []
        let rowStep = max(1, height / Self.rowCount)
        let columnStep = max(1, width / Self.columnCount)
        for row in stride(from: rowStep / 2, to: height, by: rowStep) {
            for column in stride(from: 1 + columnStep / 2, to: width - 1, by: columnStep) {
                let place = row * width + column
                let inverse = abs(inverses[place])
                guard inverse > 0 else { continue }
                distances.append(1 / inverse)
                let difference = abs(abs(inverses[place - 1]) - 2 * inverse + abs(inverses[place + 1]))
                if difference.isFinite { differences.append(difference) }
            }
        }
        differences.sort()
        distances.sort()
        func value(_ sorted: [Float], _ rank: Double) -> Float? {
            sorted.isEmpty ? nil : sorted[min(Int(Double(sorted.count) * rank), sorted.count - 1)]
        }
        deviation = (value(differences, Self.rank) ?? 0) / Self.normal / Float(6).squareRoot()
        median = value(distances, 0.5) ?? 1
        far = value(distances, 0.9) ?? 1
    }
}
