public import DepthMaps

extension DisparityMap {
    /// The largest disparity in computations, in 1/meters: sums and differences of many stay finite.
    static var greatestDisparity: Float { 1e30 }

    /// The map with only values that are safe to compute with: infinite values, and values beyond ±10³⁰ 1/m, are unknown.
    public var finiteOnly: DisparityMap {
        replacing(
            reciprocalMeters: reciprocalMeters.map { abs($0) <= Self.greatestDisparity ? $0 : .nan })
    }
}
