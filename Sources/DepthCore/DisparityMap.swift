public import DepthModel

/// Reciprocal distance, in 1/meters; `0` at infinity, `nan` where unknown. Row-major.
///
/// Values are 1/meters only as far as ``accuracy`` goes: a `relative` map keeps the order and may be off in scale. One without
/// ``hasUnit`` keeps the order and nothing else.
public struct DisparityMap: Sendable {
    /// Samples in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The samples, row by row.
    public let reciprocalMeters: [Float]
    /// Whether values are true to scale.
    public let accuracy: DepthAccuracy
    /// Whether values are in 1/meters at all, however inexact.
    public let hasUnit: Bool
    /// The camera, in the map's own orientation; its reference frame may have another size.
    public let calibration: CameraCalibration?

    /// Joins samples and their size, which must agree. Unless `hasUnit` says otherwise, values of unknown accuracy have no
    /// unit, and others do.
    public init(
        width: Int, height: Int, reciprocalMeters: [Float], accuracy: DepthAccuracy,
        hasUnit: Bool? = nil, calibration: CameraCalibration? = nil
    ) {
        precondition(reciprocalMeters.count == width * height)
        self.width = width
        self.height = height
        self.reciprocalMeters = reciprocalMeters
        self.accuracy = accuracy
        self.hasUnit = hasUnit ?? (accuracy != .unknown)
        self.calibration = calibration
    }

    /// The values that codes stand for, converted to disparity where the mapping is one of depth.
    public init(
        _ plane: CodePlane, mapping: SampleMapping, accuracy: DepthAccuracy,
        calibration: CameraCalibration? = nil
    ) {
        let values = (0...plane.maximumCode).map { code in
            let value = mapping.value(ofCode: code)
            return mapping.quantity == .disparity ? value : reciprocal(value)
        }
        self.init(
            width: plane.width, height: plane.height, reciprocalMeters: plane.mapped(through: values),
            accuracy: accuracy, hasUnit: mapping.hasUnit, calibration: calibration)
    }

    /// The reciprocal of every distance: infinity becomes 0; what is not positive becomes unknown, 0 infinite.
    public init(_ map: DepthMap) {
        self.init(
            width: map.width, height: map.height, reciprocalMeters: reciprocals(map.meters),
            accuracy: map.accuracy, hasUnit: map.hasUnit, calibration: map.calibration)
    }

    /// The map and its camera turned by an orientation.
    public func oriented(by orientation: Orientation) -> DisparityMap {
        let size = orientation.size(width: width, height: height)
        return DisparityMap(
            width: size.width, height: size.height,
            reciprocalMeters: reoriented(reciprocalMeters, width: width, height: height, by: orientation),
            accuracy: accuracy, hasUnit: hasUnit, calibration: calibration?.oriented(by: orientation))
    }
}
