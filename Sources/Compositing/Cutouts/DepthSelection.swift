/// Which distances are foreground.
package enum DepthSelection: Hashable, Sendable {
    /// The width of the ramp at a bound in meters that has none.
    package static let usualSoftness: Float = 0.05

    /// From `near` to `far`, both in meters; `nil` means unbounded. Beyond each bound coverage falls to 0 within `softness`
    /// meters, toward the camera within half of `near` at most. Needs a map with a scale.
    case meters(near: Float?, far: Float?, softness: Float)
    /// From the share `near` of the samples, counted from the nearest, to the share `far`, 0…1; `nil` means unbounded. Beyond
    /// each bound coverage falls to 0 within another share `softness` of the samples. For maps without a unit, too.
    case shares(near: Double?, far: Double?, softness: Double)
    /// What is at this place, and all that is nearer: cut at the best split between it and what is behind.
    case focus(NormalizedPoint)
    /// What is nearer than the best split of all disparities into two classes (N. Otsu, 1979).
    case bestSplit
}
