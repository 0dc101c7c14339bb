internal import DepthMaps
internal import DepthTypes
internal import Effects

/// The lens of the blur that the camera rendered into a photo.
struct CameraLens {
    /// The lens, in the unit of the file's disparity.
    var lens: RenderedLens
    /// Whether the lens was measured, not declared by the file.
    var isMeasured: Bool

    /// The full-frame equivalent f-number, for a picture of this size. May be infinite.
    func fNumber(_ size: PixelSize, focalLength: Float, _ scale: DisparityScale) -> Float {
        SyntheticAperture.fNumber(
            ofRadiusPerDisparity: lens.radiusPerDisparity * Float(max(size.width, size.height)) * scale.unit,
            focalLength: focalLength, width: size.width, height: size.height)
    }
}

extension DepthScene {
    /// The lens of the camera's own blur: measured if the scene has the picture with and without the blur, otherwise declared
    /// by the file. `nil` if it is unknown. Throws errors of decoding.
    func cameraLens() throws -> CameraLens? {
        if let measured = try measuredLens() { return CameraLens(lens: measured, isMeasured: true) }
        return description.effectLens.map { CameraLens(lens: $0, isMeasured: false) }
    }

    /// The lens of the camera's own blur, in the unit of the disparity. `nil` unless the scene has the picture with and
    /// without the blur, and comparing them gives a convincing result. Decodes both. Throws errors of decoding.
    func measuredLens() throws -> RenderedLens? {
        guard let depth = description.depth, let sharpSize = description.originalSize,
            let size = source.describe().colorSize, size.hasSameAspect(as: sharpSize),
            depth.size.hasSameAspect(as: sharpSize)
        else { return nil }
        let (original, _) = try showing(.original)
        let (sharp, blurred) = try concurrently(
            { try original.color() },
            {
                try source.image(atLeast: sharpSize.within(RenderedLens.comparedSide))
            })
        return RenderedLens(of: blurred, original: sharp, disparity: try disparity())
    }
}
