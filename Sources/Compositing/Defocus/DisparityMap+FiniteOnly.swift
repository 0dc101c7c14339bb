public import DepthCore

extension DisparityMap {
    /// The largest disparity that is reckoned with, in 1/meters: sums and differences of many stay finite.
    static var greatestDisparity: Float { 1e30 }

    /// The map in which every known value can be reckoned with: what is infinite, or beyond 10³⁰ 1/m either way, is
    /// unknown.
    public var finiteOnly: DisparityMap {
        replacing(
            reciprocalMeters: reciprocalMeters.map { abs($0) <= Self.greatestDisparity ? $0 : .nan })
    }
}
