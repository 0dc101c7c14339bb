public import DepthModel

/// Distance along the optical axis, in meters; `infinity` where nothing is near, `nan` where unknown. Row-major.
///
/// Values are meters only as far as ``accuracy`` goes: a `relative` map keeps the order and may be off in scale. One without
/// ``hasUnit`` keeps the order and nothing else.
public struct DepthMap: Sendable {
    /// Samples in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The samples, row by row.
    public let meters: [Float]
    /// Whether values are true to scale.
    public let accuracy: DepthAccuracy
    /// Whether values are in meters at all, however inexact.
    public let hasUnit: Bool
    /// The camera, in the map's own orientation; its reference frame may have another size.
    public let calibration: CameraCalibration?

    /// Joins samples and their size, which must agree. Unless `hasUnit` says otherwise, values of unknown accuracy have no
    /// unit, and others do.
    public init(
        width: Int, height: Int, meters: [Float], accuracy: DepthAccuracy,
        hasUnit: Bool? = nil, calibration: CameraCalibration? = nil
    ) {
        precondition(meters.count == width * height)
        self.width = width
        self.height = height
        self.meters = meters
        self.accuracy = accuracy
        self.hasUnit = hasUnit ?? (accuracy != .unknown)
        self.calibration = calibration
    }

    /// The values that codes stand for, converted to depth where the mapping is one of disparity.
    public init(
        _ plane: CodePlane, mapping: SampleMapping, accuracy: DepthAccuracy,
        calibration: CameraCalibration? = nil
    ) {
        let values = (0...plane.maximumCode).map { code in
            let value = mapping.value(ofCode: code)
            return mapping.quantity == .depth ? value : reciprocal(value)
        }
        self.init(
            width: plane.width, height: plane.height, meters: plane.mapped(through: values),
            accuracy: accuracy, hasUnit: mapping.hasUnit, calibration: calibration)
    }

    /// The reciprocal of every disparity: 0 becomes infinity, what is negative becomes unknown.
    public init(_ map: DisparityMap) {
        self.init(
            width: map.width, height: map.height, meters: reciprocals(map.reciprocalMeters),
            accuracy: map.accuracy, hasUnit: map.hasUnit, calibration: map.calibration)
    }

    /// The map and its camera turned by an orientation.
    public func oriented(by orientation: Orientation) -> DepthMap {
        let size = orientation.size(width: width, height: height)
        return DepthMap(
            width: size.width, height: size.height,
            meters: reoriented(meters, width: width, height: height, by: orientation),
            accuracy: accuracy, hasUnit: hasUnit, calibration: calibration?.oriented(by: orientation))
    }
}
