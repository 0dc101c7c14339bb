public import DepthTypes

/// The common interface of ``DepthMap`` and ``DisparityMap``: rows of `Float`, `nan` where unknown.
///
/// For operations that apply to values of either quantity. Operations that depend on the quantity belong to the types.
public protocol FloatPlane: Sendable {
    /// The quantity of the samples.
    static var quantity: DepthQuantity { get }
    /// Samples in a row.
    var width: Int { get }
    /// The number of rows.
    var height: Int { get }
    /// The samples in the plane's quantity, row by row.
    var samples: [Float] { get }
    /// The meaning of the values.
    var scale: DepthScale { get }
    /// The camera, in the orientation of the map; its reference frame may have another size.
    var calibration: CameraCalibration? { get }

    /// A map of row-major samples in the plane's quantity. Their number must be `width · height`.
    init(width: Int, height: Int, samples: [Float], scale: DepthScale, calibration: CameraCalibration?)

    /// See ``DisparityMap/filled()``.
    func filled() -> Self
    /// See ``DisparityMap/filled(guidedBy:)``.
    func filled(guidedBy photo: ColorImage) -> Self
    /// See ``DisparityMap/smoothed(radius:tolerance:)``.
    func smoothed(radius: Float, tolerance: Float?) -> Self
    /// See ``DisparityMap/upsampled(guidedBy:)``.
    func upsampled(guidedBy photo: ColorImage) throws -> Self
}

extension FloatPlane {
    /// The values of stored samples, converted to this quantity if the mapping is of the other.
    package init(
        _ plane: SamplePlane, mapping: SampleMapping, scale: DepthScale,
        calibration: CameraCalibration? = nil
    ) {
        let values = (0...plane.maximumCode).map { code in
            let value = mapping.value(ofCode: code)
            return mapping.quantity == Self.quantity ? value : reciprocal(value)
        }
        self.init(
            width: plane.width, height: plane.height, samples: plane.mapped(through: values), scale: scale,
            calibration: calibration)
    }

    /// The same map with other values and size; accuracy and camera stay, including the camera's reference frame (unlike
    /// `AVDepthData.replacingDepthDataMap`, which drops the camera).
    public func replacing(samples: [Float], width: Int, height: Int) -> Self {
        Self(width: width, height: height, samples: samples, scale: scale, calibration: calibration)
    }

    /// The map and its camera, turned by an orientation.
    public func oriented(by orientation: Orientation) -> Self {
        let size = orientation.size(width: width, height: height)
        return Self(
            width: size.width, height: size.height,
            samples: reoriented(samples, width: width, height: height, by: orientation), scale: scale,
            calibration: calibration?.oriented(by: orientation))
    }
}

extension DepthMap: FloatPlane {
    /// Depth.
    public static var quantity: DepthQuantity { .depth }

    /// Alias of ``meters``.
    public var samples: [Float] { meters }

    /// As ``init(width:height:meters:scale:calibration:)``.
    public init(
        width: Int, height: Int, samples: [Float], scale: DepthScale, calibration: CameraCalibration?
    ) {
        self.init(width: width, height: height, meters: samples, scale: scale, calibration: calibration)
    }

    /// The same map with other distances; accuracy and camera stay.
    public func replacing(meters: [Float]) -> DepthMap {
        replacing(samples: meters, width: width, height: height)
    }
}

extension DisparityMap: FloatPlane {
    /// Disparity.
    public static var quantity: DepthQuantity { .disparity }

    /// Alias of ``reciprocalMeters``.
    public var samples: [Float] { reciprocalMeters }

    /// As ``init(width:height:reciprocalMeters:scale:calibration:)``.
    public init(
        width: Int, height: Int, samples: [Float], scale: DepthScale, calibration: CameraCalibration?
    ) {
        self.init(
            width: width, height: height, reciprocalMeters: samples, scale: scale, calibration: calibration)
    }

    /// The same map with other values; accuracy and camera stay.
    public func replacing(reciprocalMeters: [Float]) -> DisparityMap {
        replacing(samples: reciprocalMeters, width: width, height: height)
    }
}
