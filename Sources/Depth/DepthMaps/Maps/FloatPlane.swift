/// The common interface of ``DepthMap`` and ``DisparityMap``: rows of `Float`, `nan` where unknown.
///
/// For operations that apply to values of either quantity. Operations that depend on the quantity belong to the types.
public protocol FloatPlane: Sendable {
    /// Samples in a row.
    var width: Int { get }
    /// The number of rows.
    var height: Int { get }
    /// The samples in the plane's quantity, row by row.
    var samples: [Float] { get }

    /// The same plane with other samples, whose count must be `width * height`; scale and camera stay.
    func replacing(samples: [Float], width: Int, height: Int) -> Self
}

extension DepthMap: FloatPlane {
    /// Alias of ``meters``.
    public var samples: [Float] { meters }

    /// The same map with other distances; accuracy and camera stay (unlike `AVDepthData.replacingDepthDataMap`,
    /// which drops the camera).
    public func replacing(meters: [Float]) -> DepthMap {
        replacing(samples: meters, width: width, height: height)
    }

    /// The same map with other distances and size; accuracy and camera stay, including the camera's reference frame.
    public func replacing(samples: [Float], width: Int, height: Int) -> DepthMap {
        DepthMap(
            width: width, height: height, meters: samples, scale: scale,
            calibration: calibration)
    }
}

extension DisparityMap: FloatPlane {
    /// Alias of ``reciprocalMeters``.
    public var samples: [Float] { reciprocalMeters }

    /// The same map with other values; accuracy and camera stay (unlike `AVDepthData.replacingDepthDataMap`,
    /// which drops the camera).
    public func replacing(reciprocalMeters: [Float]) -> DisparityMap {
        replacing(samples: reciprocalMeters, width: width, height: height)
    }

    /// The same map with other values and size; accuracy and camera stay, including the camera's reference frame.
    public func replacing(samples: [Float], width: Int, height: Int) -> DisparityMap {
        DisparityMap(
            width: width, height: height, reciprocalMeters: samples, scale: scale,
            calibration: calibration)
    }
}
