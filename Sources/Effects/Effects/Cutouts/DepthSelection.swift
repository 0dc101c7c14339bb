/// Which distances are foreground.
package enum DepthSelection: Hashable, Sendable {
    /// The default width of the ramp at a bound in meters.
    package static let usualSoftness: Float = 0.05

    /// From `near` to `far`, both in meters; `nil` is unbounded. Beyond each bound coverage falls to 0 within `softness`
    /// meters; toward the camera within at most half of `near`. Needs a map with a scale.
    case meters(near: Float?, far: Float?, softness: Float)
    /// From the fraction `near` of the samples, sorted from the nearest, to the fraction `far`, 0…1; `nil` is unbounded.
    /// Beyond each bound coverage falls to 0 within another `softness` of the samples. Works for maps without a unit, too.
    case shares(near: Double?, far: Double?, softness: Double)
    /// The object at this point, and everything nearer: cut at the best split between the object and its background (N. Otsu, 1979).
    case focus(NormalizedPoint)
}
