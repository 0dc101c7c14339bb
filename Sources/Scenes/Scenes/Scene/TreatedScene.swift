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
        guard !treatment.isEmpty, let depth = description.depthPlane else { return self }
        var description = description
        if treatment.dequantizes || treatment.smooths { description.depth?.coding?.isSmoothed = true }
        return DepthScene(
            ComputedSource(description, over: self, measured: source.measured?.treated(treatment)) {
                id, request, plane in
                guard id == depth.id, !request.codesOnly else { return false }
                let stored = try self.plane(id)
                plane = try stored.treated(
                    treatment, photo: { try self.plane(.picture).image }, confidence: { try confidence() })
                // A further treatment may ask for it.
                plane.step = stored.step
                return true
            })
    }
}
