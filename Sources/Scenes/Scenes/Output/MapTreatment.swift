package import Bytes
package import DepthMaps
internal import DepthTypes
internal import PhotoFormats

/// How a map of depth or disparity is treated between reading and writing, in the order of these properties.
package struct MapTreatment: Hashable, Sendable {
    /// Samples with a lower confidence become unknown. The threshold is in the stored values of the file's confidence
    /// plane.
    package var minimumConfidence: Int?
    /// Removes the staircase of integer samples; no sample moves by more than half a step.
    package var dequantizes = false
    /// Fills unknown samples from behind, along the photo's edges; computed in disparity.
    package var fillsHoles = false
    /// Smooths without blurring edges; computed in disparity.
    package var smooths = false
    /// Does nothing.
    package init() {}

    /// Whether the treatment leaves samples unchanged.
    package var isEmpty: Bool { self == MapTreatment() }
}

extension MapTreatment {
    /// A treated map in its stored quantity, and remarks. Throws as ``DecodedPlane/treated(_:photo:isUpsampled:confidence:)``.
    fileprivate func applied<Map: FloatPlane>(
        to map: Map, step: Float?, photo: () throws -> ColorImage?, confidence: () throws -> SamplePlane?
    ) throws -> (map: Map, remarks: [Diagnostic]) {
        var (map, remarks) = (map, [Diagnostic]())
        if let minimumConfidence {
            guard let plane = try confidence() else { throw SceneError.noConfidencePlane }
            map = map.masked(byConfidence: plane, below: minimumConfidence)
        }
        if dequantizes {
            guard let step else { throw SceneError.noQuantizationStep }
            map = map.dequantized(step: step)
        }
        if fillsHoles {
            let filled = map.filled(along: photo)
            map = filled.map
            remarks += [filled.remark].compactMap(\.self)
        }
        if smooths { map = map.smoothed(radius: 3, tolerance: nil) }
        return (map, remarks)
    }
}

extension Diagnostic.Code {
    /// Unknown samples were filled.
    package static let filledSamples: Self = "filled-samples"
}

extension FloatPlane {
    /// The map without unknown samples, filled along the edges of the photo if it can be read and has the map's shape, and a
    /// remark if there were any.
    fileprivate func filled(along photo: () throws -> ColorImage?) -> (map: Self, remark: Diagnostic?) {
        let unknown = samples.count(where: \.isNaN)
        guard unknown > 0, unknown < samples.count else { return (self, nil) }
        let guide = try? checkedGuide(photo(), width: width, height: height)
        let filled = guide.map { self.filled(guidedBy: $0) } ?? self.filled()
        var message = "\(unknown) of \(samples.count) samples were unknown and are filled"
        if guide != nil { message += ", along the edges of the photo" }
        // Only what is put behind everything known is beyond it by more than rounding.
        if let range = SampleStatistics(samples).range, range.lowerBound > 0,
            filled.samples.contains(where: {
                $0.isFinite && ($0 < range.lowerBound / 2 || $0 > range.upperBound * 2)
            })
        {
            message += "; nothing is known behind what is near, so the background is put far behind it"
        }
        return (filled, .note(.filledSamples, message))
    }
}

extension DecodedPlane {
    /// The treated plane in its stored quantity. If `isUpsampled`, it is then brought to the size of the photo, along its
    /// edges.
    ///
    /// `confidence` is the plane for the minimum. Holes are filled along the edges of `photo`, which is decoded only if there
    /// are holes. Throws ``SceneError`` when the confidence plane is missing, when the samples have no step to dequantize,
    /// and if the plane is to be upsampled and the photo is missing or has another shape.
    func treated(
        _ treatment: MapTreatment, photo: () throws -> ColorImage?, isUpsampled: Bool = false,
        confidence: () throws -> SamplePlane?
    ) throws -> DecodedPlane {
        guard !treatment.isEmpty || isUpsampled else { return self }
        func treated(_ map: some FloatPlane) throws -> DecodedPlane {
            var (map, remarks) = try treatment.applied(
                to: map, step: step, photo: photo, confidence: confidence)
            if isUpsampled {
                map = try map.upsampled(
                    guidedBy: checkedGuide(photo(), width: map.width, height: map.height))
            }
            var plane = replacing(map.samples, PixelSize(width: map.width, height: map.height))
            plane.remarks += remarks
            return plane
        }
        // Heights are treated directly: their reciprocals are meaningless.
        return quantity == .depth && !isHeight
            ? try treated(map(values(.depth)) as DepthMap)
            : try treated(map(values(quantity)) as DisparityMap)
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
