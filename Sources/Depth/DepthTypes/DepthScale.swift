/// The scale of a depth or disparity map's values: whether they have a unit, and how accurate it is.
///
/// | scale | from | depth ⇄ disparity | distances in meters |
/// |---|---|---|---|
/// | `absolute` | LiDAR, calibrated stereo, a given scale, Isobath's own records | yes | yes |
/// | `relative` | most dual cameras (`AVDepthData.Accuracy.relative`) | yes | yes, with a remark |
/// | `unknown` | floating-point rasters without a declared unit, taken for meters | yes | yes, with a remark |
/// | `affine` | monocular networks: scale *and* shift are unknown | no | no |
/// | `unitless` | Lens Blur, Samsung, photos with depth side by side, integer rasters | the order only | no |
public enum DepthScale: String, CaseIterable, Hashable, Sendable {
    /// Meters, or 1/meters.
    case absolute
    /// Meters whose scale may be off by tens of percent; the order of distances is right.
    case relative
    /// Assumed to be meters, because the file does not declare a unit.
    case unknown
    /// A linear function of the quantity with unknown factor and offset. Its reciprocal is meaningless.
    case affine
    /// No unit: only the order of distances is known.
    case unitless

    /// Whether values are in meters or 1/meters, however inaccurate.
    public var hasUnit: Bool {
        switch self {
        case .absolute, .relative, .unknown: true
        case .affine, .unitless: false
        }
    }

    /// The accuracy in files and records: `absolute`, `relative`, `affine` or `unknown`.
    package var accuracy: DepthAccuracy {
        switch self {
        case .absolute: .absolute
        case .relative: .relative
        case .affine: .affine
        case .unknown, .unitless: .unknown
        }
    }

    /// The scale of values, by the accuracy that a file states and whether they have a unit.
    package init(_ accuracy: DepthAccuracy, hasUnit: Bool) {
        self =
            switch (accuracy, hasUnit) {
            case (.affine, _): .affine
            case (_, false): .unitless
            case (.absolute, true): .absolute
            case (.relative, true): .relative
            case (.unknown, true): .unknown
            }
    }

    /// Throws unless values are in meters or 1/meters.
    public func requireMeters() throws(DepthScaleError) {
        switch self {
        case .absolute, .relative, .unknown: return
        case .affine: throw .affine
        case .unitless: throw .unitless
        }
    }

    /// Throws if a reciprocal is meaningless.
    public func requireReciprocal() throws(DepthScaleError) {
        if self == .affine { throw .affine }
    }
}

/// An operation on a map is impossible with its ``DepthScale``.
public enum DepthScaleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A distance in meters was given for a map without a unit.
    case unitless
    /// Distances, or a conversion between depth and disparity, were requested of a map with unknown scale and shift.
    case affine

    /// What is wrong.
    public var description: String {
        switch self {
        case .unitless: "this depth map has no unit, so a distance in meters cannot be used"
        case .affine:
            "scale and shift of this depth map are unknown, so it gives neither meters nor reciprocals"
        }
    }
}
