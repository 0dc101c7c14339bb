package import DepthCore
internal import DepthModel

/// How a map of depth or disparity is treated between reading and writing, in the order of these properties.
package struct MapTreatment: Hashable, Codable, Sendable {
    /// Samples with a lower confidence become unknown. The threshold is in the stored values of the file's confidence
    /// plane.
    package var minimumConfidence: Int?
    /// Removes the staircase of integer samples; no sample moves by more than half a step.
    package var dequantizes = false
    /// Fills unknown samples from their neighbors; computed in disparity.
    package var fillsHoles = false
    /// Smooths without blurring edges; computed in disparity.
    package var smooths = false
    /// Does nothing.
    package init() {}

    /// Whether the treatment leaves samples unchanged.
    package var isEmpty: Bool { self == MapTreatment() }
}

/// A map that can be treated, of any quantity.
protocol TreatableMap: FloatPlane {
    /// See ``DisparityMap/filled()``.
    func filled() -> Self
    /// See ``DisparityMap/smoothed(radius:tolerance:)``.
    func smoothed(radius: Float, tolerance: Float?) -> Self
    /// See ``DisparityMap/upsampled(guidedBy:)``.
    func upsampled(guidedBy photo: ColorImage) throws -> Self
}

extension DepthMap: TreatableMap {}
extension DisparityMap: TreatableMap {}

extension MapTreatment {
    /// A treated map in its stored quantity; `step` is the difference between successive stored values.
    ///
    /// `confidence` is the plane for the minimum. Throws ``SceneError`` when that plane is missing, or when the samples have
    /// no step to dequantize.
    func applied<Map: TreatableMap>(
        to map: Map, step: Float?, confidence: () throws -> SamplePlane?
    ) throws -> Map {
        var map = map
        if let minimumConfidence {
            guard let plane = try confidence() else { throw SceneError.noConfidencePlane }
            map = map.masked(byConfidence: plane, below: minimumConfidence)
        }
        if dequantizes {
            guard let step else { throw SceneError.noQuantizationStep }
            map = map.dequantized(step: step)
        }
        if fillsHoles { map = map.filled() }
        if smooths { map = map.smoothed(radius: 3, tolerance: nil) }
        return map
    }
}

extension DepthSource {
    /// The treated map in its stored quantity. With a `guide`, it is then upsampled to the size of that picture, along its
    /// edges. Throws as ``MapTreatment/applied(to:step:confidence:)`` does, and if there is no picture of the map's shape.
    func treated(
        _ treatment: MapTreatment, guide: (() throws -> ColorImage?)?, confidence: () throws -> SamplePlane?
    ) throws -> DepthSource {
        guard !treatment.isEmpty || guide != nil else { return self }
        func treated(_ map: some TreatableMap) throws -> DepthSource {
            let map = try treatment.applied(to: map, step: step, confidence: confidence)
            guard let guide else { return replacing(map) }
            return replacing(
                try map.upsampled(guidedBy: checkedGuide(guide(), width: map.width, height: map.height)))
        }
        // Heights are treated directly: their reciprocals are meaningless.
        guard quantity == .depth, !isHeight else {
            return try treated(
                DisparityMap(width: width, height: height, reciprocalMeters: values(quantity), scale: scale))
        }
        return try treated(DepthMap(width: width, height: height, meters: values(.depth), scale: scale))
    }

    private func replacing(_ map: some FloatPlane) -> DepthSource {
        var declared: (low: Double, high: Double)?
        if case .coded(_, let mapping) = samples {
            declared = (Double(mapping.range.low), Double(mapping.range.high))
        } else if case .values(_, let range) = samples {
            declared = range
        }
        var source = DepthSource(
            map.samples, width: map.width, height: map.height, quantity: quantity, scale: scale,
            declared: declared)
        source.isHeight = isHeight
        return source
    }
}

/// The photo to upsample a plane to. Throws ``SceneError`` when it is missing, or when its shape differs.
package func checkedGuide(_ guide: ColorImage?, width: Int, height: Int) throws -> ColorImage {
    guard let guide else {
        throw SceneError.noPicture
    }
    let (picture, depth) = (
        PixelSize(width: guide.width, height: guide.height), PixelSize(width: width, height: height)
    )
    guard picture.hasSameAspect(as: depth) else {
        throw SceneError.differentView(picture: picture, depth: depth)
    }
    return guide
}
