internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes

extension DepthScene {
    /// The scene with its depth treated, in this order: samples of lower confidence become unknown (stored values of the
    /// confidence plane), the staircase of integer samples is removed (no sample moves by more than half a step), unknown
    /// samples are filled from behind, along the photo's edges, and noise is smoothed within surfaces.
    ///
    /// Decodes nothing. Reading its depth throws ``SceneError/noConfidencePlane`` or ``SceneError/noQuantizationStep`` if one
    /// is missing.
    public func treated(
        minimumConfidence: Int? = nil, dequantizing: Bool = false, fillingHoles: Bool = false,
        smoothing: Bool = false
    ) -> DepthScene {
        var treatment = MapTreatment()
        treatment.minimumConfidence = minimumConfidence
        treatment.dequantizes = dequantizing
        treatment.fillsHoles = fillingHoles
        treatment.smooths = smoothing
        return treated(treatment)
    }

    /// The scene with its depth treated.
    package func treated(_ treatment: MapTreatment) -> DepthScene {
        treatment.isEmpty ? self : DepthScene(TreatedSource(scene: self, treatment: treatment))
    }
}

/// A scene whose depth is treated.
private struct TreatedSource: DerivedSource {
    let scene: DepthScene
    let treatment: MapTreatment

    func describe() -> SceneDescription {
        var description = scene.description
        if treatment.dequantizes || treatment.smooths { description.depth?.coding?.isSmoothed = true }
        return description
    }

    func depth() throws -> DepthMap {
        if scene.description.depth?.quantity == .disparity { return try DepthMap(disparity()) }
        return try treated(scene.depth())
    }

    func disparity() throws -> DisparityMap {
        if scene.description.depth?.quantity == .depth { return try DisparityMap(depth()) }
        return try treated(scene.disparity())
    }

    private func treated<Map: TreatableMap>(_ map: Map) throws -> Map {
        try treatment.applied(
            to: map, step: scene.description.depth?.coding?.step, photo: { try scene.color() },
            confidence: { try scene.confidence() }
        ).map
    }
}
