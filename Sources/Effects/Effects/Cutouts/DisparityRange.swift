internal import DepthMaps
internal import DepthTypes

/// The disparities of the foreground: coverage rises from 0 to 1 between the ends of `far`, and falls between those of
/// `near`.
struct DisparityRange: Hashable, Sendable {
    private(set) var far: ClosedRange<Float> = -.infinity ... -.infinity
    private(set) var near: ClosedRange<Float> = .infinity ... .infinity

    /// Above a disparity: coverage rises from 0 to 1 between the ends of `step`.
    init(from step: ClosedRange<Float>) { far = step }

    /// Between two disparities, either of which can be infinite, with steps twice as wide as `softness`.
    init(_ disparities: ClosedRange<Float>, softness: Float) {
        far = disparities.lowerBound - softness...disparities.lowerBound + softness
        near = disparities.upperBound - softness...disparities.upperBound + softness
    }

    /// Everything nearer than the best split of the samples at `focus` or farther.
    ///
    /// Where most of the nearer class is another surface far behind the focus, that class is split again.
    init(before focus: Float, of map: DisparityMap) {
        var split = OtsuThreshold(map.samples, upTo: focus)
        while focus - split.upperMean > 2 * (split.upperMean - split.threshold) {
            let nearer = OtsuThreshold(map.samples.filter { $0 > split.threshold }, upTo: focus)
            guard nearer.threshold > split.threshold else { break }
            split = nearer
        }
        setSplit(split)
    }

    /// From `near` to `far` in meters; `nil` is unbounded. Beyond each bound coverage falls to 0 within `softness` meters.
    init(near: Float?, far: Float?, softness: Float) { setMeters(near, far, softness) }

    /// Everything nearer than a distance, with a step of `softness` around it, both in the same unit; everything if the
    /// distance is infinite.
    init(before distance: Float, softness: Float) {
        guard distance < .infinity else { return }
        far = 1 / (distance + softness / 2)...1 / max(distance - softness / 2, distance / 2)
    }

    /// The bounds of a selection. The map has no unknown samples.
    init(_ selection: DepthSelection, of map: DisparityMap) throws(CompositingError) {
        switch selection {
        case .meters(let near, let far, let softness):
            guard map.scale.hasUnit else { throw .noScale }
            try Self.requireOrder(near.map(Double.init), far.map(Double.init))
            setMeters(near, far, softness)
        case .shares(let near, let far, let softness):
            try Self.requireOrder(near, far)
            setShares(near, far, softness > 0 ? softness : 0, of: map)
        case .focus(let point):
            self = DisparityRange(before: map.focusDisparity(at: point) ?? 0, of: map)
        }
    }

    /// The middle of the far step; `nil` if missing.
    var farCut: Float? { Self.middle(far) }

    /// The middle of the near step; `nil` if missing.
    var nearCut: Float? { Self.middle(near) }

    private static func middle(_ step: ClosedRange<Float>) -> Float? {
        step.upperBound.isFinite ? step.lowerBound + (step.upperBound - step.lowerBound) / 2 : nil
    }

    private static func requireOrder(_ near: Double?, _ far: Double?) throws(CompositingError) {
        // The condition is written so that `nan` fails.
        guard (near ?? 0) <= (far ?? .infinity), (far ?? .infinity) > 0 else {
            throw .emptyRange(near: near ?? 0, far: far ?? .infinity)
        }
    }

    private mutating func setMeters(_ nearest: Float?, _ farthest: Float?, _ wanted: Float) {
        let softness = wanted > 0 ? wanted : 0
        // If a distance is too small for a finite reciprocal, the bound has no effect.
        func disparity(_ meters: Float) -> Float { min(1 / meters, DisparityMap.greatestDisparity) }
        if let farthest {
            far = Self.lowered(disparity(farthest + softness))...Self.lowered(disparity(farthest))
        }
        if let nearest, nearest > 0 {
            near =
                Self.raised(
                    disparity(nearest))...Self.raised(
                    disparity(max(nearest - softness, nearest / 2)))
        }
    }

    private mutating func setShares(
        _ nearest: Double?, _ farthest: Double?, _ softness: Double, of map: DisparityMap
    ) {
        func disparity(_ share: Double) -> Float { map.percentiles([1 - min(max(share, 0), 1)])?[0] ?? 0 }
        if let farthest {
            far = Self.lowered(disparity(farthest + softness))...Self.lowered(disparity(farthest))
        }
        if let nearest {
            near = Self.raised(disparity(nearest))...Self.raised(disparity(nearest - softness))
        }
    }

    /// Slightly farther, so that a flat surface at the bound is inside despite rounding in upsampling.
    private static func lowered(_ disparity: Float) -> Float { disparity - abs(disparity) * 1e-5 }

    private static func raised(_ disparity: Float) -> Float { disparity + abs(disparity) * 1e-5 }

    /// Sets a step as wide as an eighth of the difference between the two classes.
    private mutating func setSplit(_ split: OtsuThreshold) {
        let half = (split.upperMean - split.lowerMean) / 16
        far = split.threshold - half...split.threshold + half
    }

    /// The coverage of a disparity, 0…1.
    @inline(__always)
    func coverage(_ disparity: Float) -> Float {
        Self.step(far, disparity, atEdge: 1) * (1 - Self.step(near, disparity, atEdge: 0))
    }

    @inline(__always)
    private static func step(_ ends: ClosedRange<Float>, _ value: Float, atEdge: Float) -> Float {
        guard value > ends.lowerBound else {
            return value < ends.lowerBound ? 0 : ends.lowerBound == ends.upperBound ? atEdge : 0
        }
        guard value < ends.upperBound else { return 1 }
        return smoothStep((value - ends.lowerBound) / (ends.upperBound - ends.lowerBound))
    }

    /// The coverage of a map at half its size: means of 2 × 2.
    func matte(of map: DisparityMap) -> Matte {
        let coverage = parallelHalves(map.samples, width: map.width, height: map.height) {
            let sum =
                self.coverage($0) + self.coverage($1) + (self.coverage($2) + self.coverage($3))
            return UInt8(sum * (255 / 4) + 0.5)
        }
        return Matte(width: (map.width + 1) / 2, height: (map.height + 1) / 2, coverage: coverage)
    }
}
