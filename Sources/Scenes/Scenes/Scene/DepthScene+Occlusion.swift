package import Bytes
internal import Codecs
package import DepthMaps
internal import DepthTypes
public import Effects

/// A picture inserted into a scene, and its position.
package struct OccludedScene: Sendable {
    /// The result, with the color profile and metadata of the scene's picture.
    package var picture: Picture
    /// The position of the inserted picture.
    package var placement: LayerPlacement
    /// Assumptions about the depth and the camera, and omitted metadata of the picture.
    package var diagnostics: [Diagnostic]
}

extension DepthScene {
    /// The scene's picture with another inserted upright and parallel to the image, hidden by nearer objects.
    ///
    /// `distance` and `width` are in meters; without a width, it is a third of the width of the view at that distance.
    /// `layer` is called while the scene is decoded.
    ///
    /// Throws ``DepthScaleError`` for depth without a unit, ``SceneError``, errors of decoding, and `CancellationError` when
    /// the calling task is cancelled.
    public func inserting(
        _ layer: @autoclosure @escaping @Sendable () throws -> Picture, at distance: Float,
        center: NormalizedPoint = NormalizedPoint(x: 0.5, y: 0.5), width: Float? = nil
    ) throws -> Picture {
        let result = try cancellable {
            try occluded({ try layer().translucent }, at: distance, center: center, width: width)
        }
        return result.picture.adding(result.diagnostics)
    }

    /// The picture, and where the other is inserted. Throws as ``inserting(_:at:center:width:)`` does.
    ///
    /// - Parameters:
    ///   - composite: The subject over another background, of the picture's size, which the other is inserted into instead. Of the scene,
    ///     then only the `subject` hides it.
    ///   - keepsHDR: Whether the gain map of an HDR photo is kept. The inserted picture is as bright as its white at most.
    package func occluded(
        _ layer: @escaping @Sendable () throws -> RGBAImage, at distance: Float, center: NormalizedPoint,
        width: Float?, over composite: Picture? = nil, hiddenBy subject: SceneSubject? = nil,
        keepsHDR: Bool = true
    ) throws -> OccludedScene {
        try requireDepth().scale.requireMeters()
        let (scene, inserted) = try concurrently({ try FullSizeScene(self) }, layer)
        let (converted, ignoresProfile) = inserted.converted(like: scene.image)
        let width = width ?? Float(scene.image.width) / 3 * distance / scene.focalLength
        guard width > 0, width.isFinite else { throw SceneError.layerSize(distance: distance) }
        let placement = LayerPlacement(distance: distance, center: center, width: width)
        let base = composite?.color ?? scene.image
        let result = scene.image.inserting(
            converted, at: placement, focalLength: scene.focalLength, scene: scene.disparity,
            enlargedFrom: scene.mapSize, matte: scene.matte, transferFunction: scene.curve,
            over: composite?.color, within: subject?.cutout.matte)
        let (hdr, remarks) = try hdr(of: scene.image, keepsHDR: keepsHDR)
        let gainMap = hdr?.inserting(
            converted, at: placement, in: scene, making: result, over: composite, hiddenBy: subject)
        var (blocks, diagnostics) = pictureMetadata(
            camera: scene.cameraSource, keepsHDR: gainMap != nil)
        diagnostics += remarks
        if composite == nil, let remark = gainMap?.brightening { diagnostics.append(remark) }
        if ignoresProfile { diagnostics.append(.unusableProfile) }
        if result.pixels == base.pixels {
            diagnostics.append(
                .warning(
                    .hiddenLayer,
                    "nothing of the inserted picture is visible: it is hidden by what is nearer than \(distance) m, transparent, or outside the photo"
                ))
        }
        return OccludedScene(
            picture: Picture(result, metadata: blocks).withHDR(gainMap), placement: placement,
            diagnostics: diagnostics)
    }
}
