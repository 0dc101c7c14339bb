internal import DepthMaps

/// The colors of foreground and background around each pixel, learned from pixels that certainly belong to either.
///
/// Means and variances of light in cells where the matte is full, and where it is empty; cells without such pixels get the
/// mean of their neighbors, outwards.
struct KnownColorModel: Sendable {
    /// Light in the first three elements; the fourth is 0 if nothing is known.
    fileprivate struct Statistics: CellValue {
        var mean: SIMD4<Float> = .zero
        /// The mean of the squares.
        var meanSquare: SIMD4<Float> = .zero
    }

    private let fronts: CellGrid<Statistics>
    private let backs: CellGrid<Statistics>

    /// Samples in a cell, horizontally and vertically.
    private static var cell: Int { 8 }
    /// The lowest coverage of foreground samples.
    private static var frontShare: Float { 247 / 255 }
    /// The highest coverage of background samples.
    private static var backShare: Float { 8 / 255 }
    /// How far colors are propagated, in cells.
    private static var reach: Int { 12 }

    /// `samples` hold light, with coverage as the fourth element.
    init(_ samples: [SIMD4<Float>], width: Int, height: Int) {
        func colors(_ shares: ClosedRange<Float>) -> CellGrid<Statistics> {
            let known = CellGrid(width: width, height: height, cell: Self.cell) { columns, rows in
                var sum = Statistics.zero
                for row in rows {
                    for column in columns { sum.add(samples[row * width + column], ifCoveredBy: shares) }
                }
                return sum.normalized
            }
            // Each cell is averaged with its neighbors, with twice their weight for itself.
            let joined = known.mapNeighborhoods(across: 1, down: 1) { cell, around in
                var sum = cell
                around.forEach { sum += $0 }
                return sum.normalized
            }
            return joined.extended(passes: Self.reach)
        }
        fronts = colors(Self.frontShare...1)
        backs = colors(0...Self.backShare)
    }

    /// The variance of light where both layers are mixed with this fraction of foreground, as the mean of three channels.
    @inline(__always)
    func variance(ofCoverage share: Float, column: Int, row: Int) -> Float {
        let front = fronts.value(atColumn: column, row: row)
        let back = backs.value(atColumn: column, row: row)
        let (sum, rest) = (
            front.mean.w > 0 ? front.variance.withoutCoverage.sum() : 0,
            back.mean.w > 0 ? back.variance.withoutCoverage.sum() : 0
        )
        return (share * share * sum + (1 - share) * (1 - share) * rest) / 3
    }

    /// The position of a sample's light between the means of background (0) and foreground (1); `nil` if the means are not
    /// clearly apart, or do not explain the light.
    @inline(__always)
    func place(of light: SIMD4<Float>, column: Int, row: Int) -> Float? {
        let front = fronts.value(atColumn: column, row: row)
        let back = backs.value(atColumn: column, row: row)
        guard front.mean.w > 0, back.mean.w > 0 else { return nil }
        let axis = front.mean - back.mean
        let length = (axis * axis).sum()
        guard length > 0.01, (front.variance + back.variance).sum() < 0.04 * length else { return nil }
        let position = (light - back.mean).withoutCoverage
        let share = (position * axis).sum() / length
        let rest = position - axis * share
        return (rest * rest).sum() < 0.02 * length ? share : nil
    }
}

extension KnownColorModel.Statistics {
    fileprivate static var zero: Self { Self() }

    fileprivate var isKnown: Bool { mean.w > 0 }

    fileprivate static func += (sum: inout Self, value: Self) {
        sum.mean += value.mean
        sum.meanSquare += value.meanSquare
    }

    fileprivate static func / (sum: Self, count: Float) -> Self {
        Self(mean: sum.mean / count, meanSquare: sum.meanSquare / count)
    }

    fileprivate mutating func add(_ sample: SIMD4<Float>, ifCoveredBy shares: ClosedRange<Float>) {
        guard shares.contains(sample.w) else { return }
        var light = sample
        light.w = 1
        mean += light
        meanSquare += light * light
    }

    fileprivate var normalized: Self { isKnown ? self / mean.w : self }

    /// Includes the variance of coding and noise.
    @inline(__always)
    fileprivate var variance: SIMD4<Float> {
        let difference = meanSquare - mean * mean
        return difference.replacing(with: 0, where: difference .< 0) + (mean * mean * 1e-4 + 1e-6)
    }
}

extension SIMD4<Float> {
    @inline(__always)
    fileprivate var withoutCoverage: Self {
        var light = self
        light.w = 0
        return light
    }
}
