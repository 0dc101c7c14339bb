/// The estimate of a pixel's coverage by its color: a mean, and its reliability.
struct CoverageEvidence: BitwiseCopyable {
    /// 0…1.
    var mean: Float
    /// The variance of the mean.
    var variance: Float
    /// How similar the colors of both layers are, 0…1; 1 if they differ by less than noise.
    var likeness: Float

    /// No evidence.
    static var none: Self { Self(mean: 0.5, variance: 1, likeness: 1) }

    /// Combines pairs of a foreground and a background color: by each pair (F, B), α is the position of the pixel's light I
    /// between the two, with the weight `(1 + d²/4σ²)⁻⁴`, d the distance of I from the line through F and B, σ² the variance
    /// of noise and texture. The result is the mean over all pairs. Colors that occur in both foreground and background have
    /// contradictory pairs, and so a large variance.
    ///
    /// The pairs follow E. Gastal and M. Oliveira, "Shared Sampling for Real-Time Alpha Matting" (2010), who use the best
    /// pair instead of the mean.
    init(_ light: SIMD4<Float>, _ pairs: Span<LayerPairs>, noise: Float) {
        let none = SIMD4<Float>.zero
        var (weightSums, sums, squareSums, spreads, bests) = (none, none, none, none, none)
        let inverse = 1 / (4 * noise)
        for index in pairs.indices {
            let pair = pairs[index]
            let red = light.x - pair.back.red
            let green = light.y - pair.back.green
            let blue = light.z - pair.back.blue
            let raw = red * pair.scaledAxis.red + green * pair.scaledAxis.green + blue * pair.scaledAxis.blue
            let share = raw.clamped(lowerBound: none, upperBound: SIMD4(repeating: 1))
            let restRed = red - pair.axis.red * raw
            let restGreen = green - pair.axis.green * raw
            let restBlue = blue - pair.axis.blue * raw
            let beyond = (raw - share) * (raw - share) * pair.tolerated
            let distance = restRed * restRed + restGreen * restGreen + restBlue * restBlue
            let unlikeness = 1 + (distance + beyond) * inverse
            let square = unlikeness * unlikeness
            let weight = 1 / (square * square)
            weightSums += weight
            sums += weight * share
            squareSums += weight * share * share
            spreads += weight * pair.uncertainty
            bests.replace(with: weight, where: weight .> bests)
        }
        let (weights, sum, squares) = (weightSums.sum(), sums.sum(), squareSums.sum())
        let (spread, best) = (spreads.sum(), bests.max())
        guard weights > 1e-12 else {
            self = .none
            return
        }
        mean = sum / weights
        let variance = squares / weights - mean * mean + spread / weights
        self.variance = max(variance, 0) + 0.1 * (1 - best)
        let alike = 4 * spread / weights
        likeness = (alike * alike) * (alike * alike)
    }

    private init(mean: Float, variance: Float, likeness: Float) {
        (self.mean, self.variance, self.likeness) = (mean, variance, likeness)
    }
}

extension SIMD4<Float> {
    /// The variance of light for noise and texture of this deviation (0…1, before the tone curve), for sRGB: light changes by
    /// about `0.1 + 2 √I` times that.
    @inline(__always)
    func noiseVariance(ofCodes deviation: Float) -> Float {
        let level = (x + y + z) * (1 / 3)
        let slope = deviation * (0.1 + 2 * (level > 0 ? level : 0).squareRoot())
        return slope * slope
    }
}
