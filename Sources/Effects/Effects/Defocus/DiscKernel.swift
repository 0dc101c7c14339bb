/// A uniform disc as rows of intervals, in the cumulative coordinates of a row: the sum of an interval is a difference of
/// cumulative sums.
///
/// Every row has the disc's mean chord over the height of a pixel, and ends at fractional pixels: the area is exact to a
/// thousandth, and the rim is antialiased.
struct DiscKernel: Sendable {
    /// The part of a row that is inside the disc, for a pixel at 0.
    struct Row: Sendable {
        /// Integer pixels to the left end, and the fraction.
        let left: Int
        let leftShare: Float
        /// Integer pixels to the right end, and the fraction.
        let right: Int
        let rightShare: Float
    }

    /// From `-reach` to `reach`.
    let rows: [Row]
    /// The distance of the last row and column with a weight.
    let reach: Int
    /// The sum of the weights.
    let area: Float

    init(radius: Double) {
        reach = max(Int((radius + 0.5).rounded(.down)), 0)
        let chords = (-reach...reach).map { Self.halfChord(radius, $0) }
        rows = chords.map { half in
            let (left, right) = (0.5 - half, 0.5 + half)
            return Row(
                left: Int(left.rounded(.down)), leftShare: Float(left - left.rounded(.down)),
                right: Int(right.rounded(.down)), rightShare: Float(right - right.rounded(.down)))
        }
        area = Float(chords.reduce(0) { $0 + 2 * $1 })
    }

    /// Half the chord's mean length over the height of a pixel.
    private static func halfChord(_ radius: Double, _ row: Int) -> Double {
        let samples = 32
        let sum = (0..<samples).reduce(0.0) { sum, sample in
            let y = Double(row) - 0.5 + (Double(sample) + 0.5) / Double(samples)
            return sum + (max(radius * radius - y * y, 0)).squareRoot()
        }
        return sum / Double(samples)
    }
}
