internal import DepthTypes

extension FloatPlane {
    /// Removes the staircase of integer samples: smooths where neighbors differ by at most one step, and moves no sample by
    /// more than half a step.
    ///
    /// Three rounds of falling radius. Each also smooths the removed differences and adds them back, so that curved
    /// surfaces keep their shape. Each ends within half a step of the stored values.
    ///
    /// The plane must be in the quantity in which it was stored: a depth map made from integer disparity has no single step.
    /// Unknown and infinite samples stay and have no influence.
    ///
    /// - Parameters:
    ///   - step: The difference between the values of successive codes: `(high − low) / (highCode − lowCode)`.
    ///   - radius: The standard deviation of the first round, in samples; treads of up to about twice this length
    ///     become slopes. `nil` is 1/64 of the longer side.
    public func dequantized(step: Float, radius: Float? = nil) -> Self {
        let step = step.magnitude
        let radius = radius ?? Float(max(width, height)) / 64
        guard step > 0, step.isFinite, radius > 0, !samples.isEmpty else { return self }
        // Disparity of 0 is infinitely far, and stays so.
        let hasInfinity = Self.quantity == .disparity && scale.hasUnit
        let samples = hasInfinity ? samples.map { $0 == 0 ? .infinity : $0 } : samples
        let (width, height) = (width, height)
        let smoother = EdgeAwareSmoother(samples, width, height) { $0 <= 1.5 * step ? 1 : 0 }
        // Slightly less than half, so that rounding keeps samples inside.
        let most = step * 0.4999
        let finite = samples.map { $0.isFinite ? $0 : 0 }
        var smoothed = finite
        for scale in [radius, radius / 2, radius / 4] {
            smoother.smoothTwice(&smoothed, radius: scale)
            for index in finite.indices {
                smoothed[index] = min(max(smoothed[index], finite[index] - most), finite[index] + most)
            }
        }
        return replacing(
            samples: samples.indices.map { samples[$0].isFinite ? smoothed[$0] : self.samples[$0] },
            width: width, height: height)
    }
}
