public import DepthTypes

/// Distance along the optical axis, in meters; `infinity` at infinite distance, `nan` where unknown. Row-major.
///
/// The map's ``scale`` states whether values are in meters, and how accurate they are.
public struct DepthMap: Sendable {
    /// Samples in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The samples, row by row.
    public let meters: [Float]
    /// The meaning of the values.
    public let scale: DepthScale
    /// The camera, in the orientation of the map; its reference frame may have another size.
    public let calibration: CameraCalibration?

    /// A map of row-major samples. Their number must be `width · height`.
    public init(
        width: Int, height: Int, meters: [Float], scale: DepthScale, calibration: CameraCalibration? = nil
    ) {
        precondition(meters.count == width * height)
        (self.width, self.height, self.meters) = (width, height, meters)
        (self.scale, self.calibration) = (scale, calibration)
    }

    /// The reciprocal of every disparity: 0 becomes infinity, negative values become unknown.
    ///
    /// Throws ``DepthScaleError/affine`` if a reciprocal is meaningless.
    public init(_ map: DisparityMap) throws(DepthScaleError) {
        try map.scale.requireReciprocal()
        self.init(reciprocalOf: map)
    }

    /// The reciprocal of every value, even if meaningless. For work that converts back.
    package init(reciprocalOf map: DisparityMap) {
        self.init(
            width: map.width, height: map.height, meters: reciprocals(map.reciprocalMeters), scale: map.scale,
            calibration: map.calibration)
    }
}
