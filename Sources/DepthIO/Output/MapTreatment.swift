package import DepthCore
internal import DepthModel

/// What is done to a map of depth or disparity between reading and writing, in the order given here.
package struct MapTreatment: Hashable, Codable, Sendable {
    /// Samples of less confidence become unknown; codes of the file's confidence plane.
    package var minimumConfidence: Int?
    /// Removes the staircase of codes; no sample moves by more than half a step.
    package var dequantizes = false
    /// Fills unknown samples from their neighbors, in disparity.
    package var fillsHoles = false
    /// Smooths without blurring edges, in disparity.
    package var smooths = false
    /// Brings the map to the photo's size, edges following the photo. Mattes, too.
    package var upsamples = false

    /// Does nothing.
    package init() {}

    /// Whether samples stay as they are.
    package var isEmpty: Bool { self == MapTreatment() }
}

extension DepthSource {
    /// The map after treatment, in the quantity in which it is stored.
    ///
    /// `guide` is the photo, for upsampling; `confidence` the plane for the minimum. Throws ``SceneError`` when one
    /// of them is needed and missing, or when samples are not codes that could be de-quantized.
    func treated(
        _ treatment: MapTreatment, guide: () throws -> ColorImage?, confidence: () throws -> SamplePlane?
    ) throws -> DepthSource {
        guard !treatment.isEmpty else { return self }
        var step: Float?
        if case .coded(_, let mapping) = samples, mapping.highCode > mapping.lowCode {
            step = (mapping.high - mapping.low) / Float(mapping.highCode - mapping.lowCode)
        }
        if quantity == .depth {
            let map = try treat(
                DepthMap(width: width, height: height, meters: values(.depth), scale: scale), treatment,
                step: step, confidence: confidence)
            return replacing(
                try finish(
                    map, treatment, guide: guide, fill: { $0.filled() }, smooth: { $0.smoothed() },
                    upsample: { try $0.upsampled(guidedBy: $1) }))
        }
        let map = try treat(
            DisparityMap(
                width: width, height: height, reciprocalMeters: values(.disparity), scale: scale),
            treatment, step: step, confidence: confidence)
        return replacing(
            try finish(
                map, treatment, guide: guide, fill: { $0.filled() }, smooth: { $0.smoothed() },
                upsample: { try $0.upsampled(guidedBy: $1) }))
    }

    private func treat<Map: FloatPlane>(
        _ map: Map, _ treatment: MapTreatment, step: Float?, confidence: () throws -> SamplePlane?
    ) throws -> Map {
        var map = map
        if let minimum = treatment.minimumConfidence {
            guard let plane = try confidence() else {
                throw SceneError.noConfidencePlane
            }
            map = map.masked(byConfidence: plane, below: minimum)
        }
        if treatment.dequantizes {
            guard let step else {
                throw SceneError.noQuantizationStep
            }
            map = map.dequantized(step: step)
        }
        return map
    }

    private func finish<Map: FloatPlane>(
        _ map: Map, _ treatment: MapTreatment, guide: () throws -> ColorImage?, fill: (Map) -> Map,
        smooth: (Map) -> Map, upsample: (Map, ColorImage) throws -> Map
    ) throws -> Map {
        var map = map
        if treatment.fillsHoles { map = fill(map) }
        if treatment.smooths { map = smooth(map) }
        if treatment.upsamples {
            map = try upsample(map, try checkedGuide(try guide(), width: map.width, height: map.height))
        }
        return map
    }

    private func replacing(_ map: some FloatPlane) -> DepthSource {
        var declared: (low: Double, high: Double)?
        if case .coded(_, let mapping) = samples {
            declared = (Double(min(mapping.low, mapping.high)), Double(max(mapping.low, mapping.high)))
        } else if case .values(_, let range) = samples {
            declared = range
        }
        return DepthSource(
            map.samples, width: map.width, height: map.height, quantity: quantity, scale: scale,
            declared: declared)
    }
}

/// The photo that a plane is brought to the size of. Throws ``SceneError`` when there is none, or when it cannot show
/// the same view.
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
