public import DepthTypes

/// Reciprocal distance, in 1/meters; `0` at infinity, `nan` where unknown. Row-major.
///
/// The map's ``scale`` states whether values are in 1/meters, and how accurate they are.
public struct DisparityMap: Sendable {
    /// Samples in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The samples, row by row.
    public let reciprocalMeters: [Float]
    /// The meaning of the values.
    public let scale: DepthScale
    /// The camera, in the orientation of the map; its reference frame may have another size.
    public let calibration: CameraCalibration?

    /// A map of row-major samples. Their number must be `width · height`.
    public init(
        width: Int, height: Int, reciprocalMeters: [Float], scale: DepthScale,
        calibration: CameraCalibration? = nil
    ) {
        precondition(reciprocalMeters.count == width * height)
        (self.width, self.height, self.reciprocalMeters) = (width, height, reciprocalMeters)
        (self.scale, self.calibration) = (scale, calibration)
    }

    /// The reciprocal of every distance: infinity becomes 0, 0 becomes infinity, negative values become unknown.
    ///
    /// Throws ``DepthScaleError/affine`` if a reciprocal is meaningless.
    public init(_ map: DepthMap) throws(DepthScaleError) {
        try map.scale.requireReciprocal()
        self.init(reciprocalOf: map)
    }

    /// The reciprocal of every value, even if meaningless. For work that converts back.
    package init(reciprocalOf map: DepthMap) {
        self.init(
            width: map.width, height: map.height, reciprocalMeters: reciprocals(map.meters), scale: map.scale,
            calibration: map.calibration)
    }
}
