/// The rules by which 8 rim samples, one in each direction, decide the value of a sample in a hole.
struct HoleElection: Sendable {
    /// How the weight falls with distance.
    enum Falloff: Sendable { case root, square, cube }

    /// Finds what lies behind, at the risk of going too far.
    static let survey = HoleElection(falloff: .root, quantile: 0.2, nearPenalty: 9, agreement: 2)
    /// Decides, once occluders have lost their weight.
    static let final = HoleElection(falloff: .cube, quantile: 0.4, nearPenalty: 0, agreement: 8)
    /// Decides where color weighs as much as distance.
    static let finalByColor = HoleElection(falloff: .square, quantile: 0.4, nearPenalty: 9, agreement: 8)

    private let falloff: Falloff
    /// The fraction of the weight that is at least as far as the chosen value.
    private let quantile: Float
    /// The nearest value's weight is divided by 1 plus this.
    private let nearPenalty: Float
    /// Opposite directions that agree have their weight multiplied by this.
    private let agreement: Float

    /// The weights of rim samples at squared distances.
    @inline(__always)
    func weights(atSquares squares: SIMD8<Float>) -> SIMD8<Float> {
        switch falloff {
        case .root: 1 / squares.squareRoot().squareRoot()
        case .square: 1 / squares
        case .cube: 1 / (squares * squares.squareRoot())
        }
    }

    /// The elected value; `nan` if all values are. `weights` are 0 for those.
    ///
    /// - Parameters:
    ///   - tolerance: The difference up to which opposite values agree.
    ///   - closeness: The difference up to which values contribute to the result.
    @inline(__always)
    func result(
        _ values: SIMD8<Float>, _ weights: SIMD8<Float>, tolerance: Float, closeness: Float
    ) -> Float {
        let isUnknown = values .!= values
        let low = values.replacing(with: .infinity, where: isUnknown).min()
        let high = values.replacing(with: -.infinity, where: isUnknown).max()
        guard low <= high else { return .nan }
        let difference = values - SIMD8(lowHalf: values.highHalf, highHalf: values.lowHalf)
        let agrees = (difference .<= tolerance) .& (difference .>= -tolerance)
        var weights = weights.replacing(with: weights * agreement, where: agrees)
        let values = values.replacing(with: low, where: isUnknown)
        if nearPenalty > 0, high > low { weights /= 1 + (values - low) / (high - low) * nearPenalty }
        var chosen = low
        // Otherwise, all values contribute, whichever is chosen.
        if high - low > closeness {
            var sums = SIMD8<Float>.zero
            for lane in 0..<8 {
                sums += SIMD8.zero.replacing(with: weights[lane], where: values .>= values[lane])
            }
            let isTooFar = sums .< quantile * weights.sum()
            chosen = values.replacing(with: .infinity, where: isTooFar).min()
        }
        let offsets = values - chosen
        let isClose = (offsets .<= closeness) .& (offsets .>= -closeness)
        weights.replace(with: 0, where: .!isClose)
        return chosen + (weights * offsets).sum() / weights.sum()
    }
}
