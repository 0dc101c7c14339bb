/// The quantity that the values of a depth plane measure.
public enum DepthQuantity: String, CaseIterable, Hashable, Sendable {
    /// Distance along the optical axis, in meters.
    case depth
    /// Reciprocal distance, in 1/meters.
    case disparity

    /// The unit of absolute or relative values: `m` or `1/m`.
    public var unit: String { self == .depth ? "m" : "1/m" }
}

/// Whether values are true to scale.
package enum DepthAccuracy: String, Hashable, Sendable {
    /// Values are meters (or 1/meters).
    case absolute
    /// The order of values is right; their scale may be off by tens of percent (`AVDepthData.Accuracy.relative`: most dual
    /// camera portraits).
    case relative
    /// Values are known up to a factor and an offset.
    case affine
    /// The accuracy is not known; values may have no unit at all.
    case unknown
}

/// The camera's rating of a plane (`AVDepthData.Quality`).
package enum DepthQuality: String, Hashable, Sendable {
    /// Good enough for effects.
    case high
    /// Too many invalid samples.
    case low
}
