extension DisparityMap {
    /// The map smoothed within surfaces: removes noise, keeps jumps.
    ///
    /// - Parameters:
    ///   - radius: The standard deviation of the smoothing on an even surface, in samples.
    ///   - tolerance: The smallest difference between neighbors that is a jump, in 1/meters; at half of it, neighbors still
    ///     mix by half. `nil` is 1/16 of the spread between the first and last percentile.
    ///
    /// Unknown and infinite samples stay and have no influence.
    public func smoothed(radius: Float = 3, tolerance: Float? = nil) -> DisparityMap {
        let spread = percentiles([0.01, 0.99]) ?? [0, 0]
        let limit = tolerance ?? (spread[1] - spread[0]) / 16
        guard limit > 0, radius > 0 else { return self }
        let smoother = EdgeAwareSmoother(reciprocalMeters, width, height) { difference in
            let ratio = difference / limit
            let rest = 1 - ratio * ratio
            return ratio < 1 ? rest * rest : 0
        }
        let samples = reciprocalMeters
        var smoothed = samples.map { $0.isFinite ? $0 : 0 }
        smoother.smooth(&smoothed, radius: radius)
        return replacing(
            reciprocalMeters: samples.indices.map { samples[$0].isFinite ? smoothed[$0] : samples[$0] })
    }
}

extension DepthMap {
    /// The map smoothed within surfaces, computed in disparity; `tolerance` is in 1/meters. Samples that are not positive
    /// stay. See ``DisparityMap/smoothed(radius:tolerance:)``.
    public func smoothed(radius: Float = 3, tolerance: Float? = nil) -> DepthMap {
        let smoothed = DepthMap(
            reciprocalOf: DisparityMap(reciprocalOf: self).smoothed(radius: radius, tolerance: tolerance)
        ).meters
        return replacing(meters: meters.indices.map { meters[$0] > 0 ? smoothed[$0] : meters[$0] })
    }
}
