internal import Bytes
public import DepthMaps
internal import DepthTypes
internal import PhotoFormats
public import Scenes

extension Network {
    /// The scene with the depth or the matte of the network instead of the stored one. The network runs when that plane is
    /// first read.
    ///
    /// A frame of a recording is treated like a photo. Effects refine the matte along the picture's edges.
    ///
    /// Throws ``SceneError`` without a picture, and if the depth to align with shows another view; ``DepthScaleError`` if
    /// that depth has no unit; ``NetworkError`` if the network gives neither depth nor a matte, or cannot be aligned this
    /// way. The scene's depth and matte throw ``NetworkError``.
    public func scene(for scene: DepthScene, alignment: DepthAlignment = .stored) throws -> DepthScene {
        try self.scene(for: scene, alignment: alignment, keepsPicture: true)
    }

    /// The same as ``scene(for:alignment:)``. Without `keepsPicture`, the picture is freed before a matte is computed, and
    /// decoded again if it is read: for callers that need only the matte.
    package func scene(
        for scene: DepthScene, alignment: DepthAlignment, keepsPicture: Bool
    ) throws -> DepthScene {
        try profile.require(.depthOrMatte)
        guard answer == .matte else {
            let supply = try DepthSupply(self, for: scene)
            return try ComputedDepth(of: scene, supply, alignment).scene
        }
        guard case .stored = alignment else { throw NetworkError.alignment(.matte) }
        return try withMatte(scene, keepsPicture)
    }

    private func withMatte(_ scene: DepthScene, _ keepsPicture: Bool) throws -> DepthScene {
        let size = answerSize(for: try scene.requireColorSize())
        let described = PlaneDescription(
            computed: .matte, width: size.width, height: size.height, bitDepth: 8, source: "network",
            type: path.lastPathComponent)
        var description = scene.description
        if !description.planes.contains(.matte) { description.planes.append(.matte) }
        description.storedPlanes.removeAll { $0.kind == .matte }
        description.storedPlanes.append(described)
        description.hasCoarseMatte = true
        return DepthScene(
            ComputedSource(description, over: scene) { id, _, plane in
                guard id == .plane(.matte, 0) else { return false }
                let picture = keepsPicture ? try scene.color() : try scene.picture(atLeast: nil)
                guard let picture else { throw SceneError.noPicture }
                let matte = try self.matte(of: self.view(of: picture))
                plane = DecodedPlane(
                    SamplePlane(
                        width: matte.width, height: matte.height, bitDepth: 8, codes: .uint8(matte.coverage)),
                    described)
                return true
            })
    }

    /// The objects in a scene's picture, most confident first, with their distance and size where the scene has depth in
    /// meters. Boxes of one class do not overlap by more than 45 %.
    ///
    /// Throws ``SceneError/noPicture`` without a picture, and ``NetworkError``, for example if the network is for something
    /// else.
    public func detections(
        in scene: DepthScene, atLeast confidence: Float = 0.25
    ) throws -> [Detection] {
        try scene.measured(detections(in: scene.color(), atLeast: confidence))
    }
}

extension DepthScene {
    /// The scene with other disparity, such as that of a network in your program, aligned to the scene's own depth.
    ///
    /// The map shows the complete view, upright, in any size. Without alignment, it keeps its values and its scale.
    ///
    /// Throws ``SceneError`` without depth to align to, ``DepthScaleError`` if that has no unit. The scene's depth throws
    /// ``NetworkError`` if the map cannot be aligned.
    public func replacingDepth(
        with map: DisparityMap, alignment: DepthAlignment = .stored
    ) throws -> DepthScene {
        try ComputedDepth.supplied(DepthSupply(map), to: self, alignment).scene
    }

    /// The scene with other depth, whose values are proportional to distance; otherwise as
    /// ``replacingDepth(with:alignment:)-(DisparityMap,_)``.
    public func replacingDepth(with map: DepthMap, alignment: DepthAlignment = .stored) throws -> DepthScene {
        try ComputedDepth.supplied(DepthSupply(map), to: self, alignment).scene
    }
}
