/// What the color of one pixel says of its coverage: a mean, and how sure it is.
struct CoverageEvidence: BitwiseCopyable {
    /// 0…1.
    var mean: Float
    /// Of the mean.
    var variance: Float
    /// How much alike the colors of both layers are, 0…1: 1 where they differ by less than noise.
    var likeness: Float

    /// Nothing is said.
    static var none: Self { Self(mean: 0.5, variance: 1, likeness: 1) }

    /// What pairs of a foreground and a background color make of a pixel's light I: each pair (F, B) says that α is the position of I
    /// between the two, with the weight `(1 + d²/4σ²)⁻⁴`, d the distance of I from the line through F and B, σ² the variance of noise
    /// and texture. The result is the mean over all pairs. Colors that foreground and background share have pairs that contradict each
    /// other, and so a large variance.
    ///
    /// Pairs of samples are those of E. Gastal and M. Oliveira, "Shared Sampling for Real-Time Alpha Matting" (2010); they take the best
    /// pair where this takes the mean.
    init(_ light: SIMD4<Float>, _ pairs: Span<LayerPair>, noise: Float) {
        var (weights, sum, squares, spread, best) = (Float(0), Float(0), Float(0), Float(0), Float(0))
        let inverse = 1 / (4 * noise)
        for index in pairs.indices {
            let pair = pairs[index]
            let position = light - pair.back
            let raw = (position * pair.scaledAxis).sum()
            let share = raw < 0 ? 0 : raw > 1 ? 1 : raw
            let rest = position - pair.axis * raw
            let beyond = (raw - share) * (raw - share) * pair.tolerated
            let unlikeness = 1 + ((rest * rest).sum() + beyond) * inverse
            let square = unlikeness * unlikeness
            let weight = 1 / (square * square)
            weights += weight
            sum += weight * share
            squares += weight * share * share
            spread += weight * pair.uncertainty
            best = best < weight ? weight : best
        }
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
    /// The variance of light by noise and texture of so many codes (0…1), for sRGB: light changes by about `0.1 + 2 √I` per code.
    @inline(__always)
    func noiseVariance(ofCodes deviation: Float) -> Float {
        let level = (x + y + z) * (1 / 3)
        let slope = deviation * (0.1 + 2 * (level > 0 ? level : 0).squareRoot())
        return slope * slope
    }
}
