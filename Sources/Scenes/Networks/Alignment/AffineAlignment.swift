internal import DepthMaps
internal import Glibc

/// Factor and offset that convert disparity of unknown scale to 1/meters: `1/Z = factor · value + offset`.
package struct AffineAlignment: Hashable, Sendable {
    /// 1/meters per unit of the values.
    package var factor: Double
    /// 1/meters at value 0.
    package var offset: Double
    /// The median of the remaining differences, in 1/meters.
    package var residual = 0.0
    /// The fraction of samples that fit, 0…1.
    package var inlierShare = 1.0
    /// The number of compared samples.
    package var sampleCount = 0

    /// The line through pairs of a value and 1/meters, by robust least squares: first the line through two of the pairs with
    /// the smallest median of differences (P. J. Rousseeuw, *Least median of squares regression*, 1984), then weighted least
    /// squares with Tukey's biweight until it converges. Up to half of the pairs may be wrong by any amount.
    ///
    /// Throws ``NetworkError/alignment(_:)`` if there are fewer than `least` pairs, or if the line does not rise.
    package init(_ pairs: [SIMD2<Double>], least: Int = 8) throws(NetworkError) {
        guard pairs.count >= least else {
            throw .alignment(.fewSamples(pairs.count))
        }
        let sample = Self.thinned(pairs, to: 1024)
        guard var line = Self.startingLine(sample) else {
            throw .alignment(.flat)
        }
        for _ in 0..<50 {
            let next = Self.improved(line, pairs)
            let change = abs(next.factor - line.factor) + abs(next.offset - line.offset)
            line = next
            if change <= 1e-12 * (abs(line.factor) + abs(line.offset)) { break }
        }
        let residuals = pairs.map { abs(line.offset + line.factor * $0.x - $0.y) }
        line.residual = Self.median(residuals)
        let limit = max(6 * 1.4826 * line.residual, 1e-9)
        line.inlierShare = Double(residuals.count { $0 <= limit }) / Double(pairs.count)
        line.sampleCount = pairs.count
        guard line.factor > 0, line.factor.isFinite, line.offset.isFinite else {
            throw .alignment(.reversed)
        }
        self = line
    }

    /// The line through pairs of a value and 1/meters, two or more, without outlier rejection.
    ///
    /// Throws ``NetworkError/alignment(_:)`` if the values are too close together, or if the line does not rise.
    package init(exactly pairs: [SIMD2<Double>]) throws(NetworkError) {
        let line = Self.leastSquares(pairs, pairs.map { _ in 1 })
        guard let line, line.factor.isFinite, line.offset.isFinite else {
            throw .alignment(.flatAnchors)
        }
        guard line.factor > 0 else {
            throw .alignment(.reversedAnchors)
        }
        self = line
        sampleCount = pairs.count
    }

    /// The factor from a single pair of a value and 1/meters, for values whose 0 already means infinity.
    ///
    /// Throws ``NetworkError/alignment(_:)`` if the network sees infinity there.
    package init(scaling pair: SIMD2<Double>) throws(NetworkError) {
        guard pair.x > 0, pair.x.isFinite, pair.y.isFinite else {
            throw .alignment(.infiniteAnchor)
        }
        self.init(factor: pair.y / pair.x, offset: 0)
        sampleCount = 1
    }

    private init(factor: Double, offset: Double) { (self.factor, self.offset) = (factor, offset) }

    private static func thinned(_ pairs: [SIMD2<Double>], to count: Int) -> [SIMD2<Double>] {
        guard pairs.count > count else { return pairs }
        return (0..<count).map { pairs[$0 * pairs.count / count] }
    }

    /// The best of many lines through two pairs. Pairs are drawn by a fixed sequence, so results are reproducible.
    private static func startingLine(_ pairs: [SIMD2<Double>]) -> AffineAlignment? {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func draw() -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % pairs.count
        }
        var best: (line: AffineAlignment, median: Double)?
        var residuals = [Double](repeating: 0, count: pairs.count)
        for _ in 0..<400 {
            let (one, two) = (pairs[draw()], pairs[draw()])
            guard one.x != two.x else { continue }
            let factor = (two.y - one.y) / (two.x - one.x)
            let line = AffineAlignment(factor: factor, offset: one.y - factor * one.x)
            for index in pairs.indices {
                residuals[index] = abs(line.offset + factor * pairs[index].x - pairs[index].y)
            }
            let median = median(residuals)
            if best.map({ median < $0.median }) ?? true { best = (line, median) }
        }
        return best?.line
    }

    private static func improved(_ line: AffineAlignment, _ pairs: [SIMD2<Double>]) -> AffineAlignment {
        let residuals = pairs.map { line.offset + line.factor * $0.x - $0.y }
        // The lower bound keeps weights defined when all residuals are 0.
        let spread = max(1.4826 * median(residuals.map(abs)), 1e-9)
        let weights = residuals.map { residual in
            let share = residual / (4.685 * spread)
            return abs(share) < 1 ? (1 - share * share) * (1 - share * share) : 0
        }
        return leastSquares(pairs, weights) ?? line
    }

    private static func leastSquares(_ pairs: [SIMD2<Double>], _ weights: [Double]) -> AffineAlignment? {
        var (sum, mean) = (0.0, SIMD2<Double>.zero)
        for (pair, weight) in zip(pairs, weights) {
            sum += weight
            mean += pair * weight
        }
        guard sum > 0 else { return nil }
        mean /= sum
        var (square, product) = (0.0, 0.0)
        for (pair, weight) in zip(pairs, weights) {
            let difference = pair - mean
            square += weight * difference.x * difference.x
            product += weight * difference.x * difference.y
        }
        guard square > 0 else { return nil }
        return AffineAlignment(factor: product / square, offset: mean.y - product / square * mean.x)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }
}
