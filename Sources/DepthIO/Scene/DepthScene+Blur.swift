package import ByteParsing
public import Compositing
internal import DepthCore
internal import DepthModel
internal import ImageCodecs

/// How a scene is blurred.
public struct BlurOptions: Hashable, Codable, Sendable {
    /// Focuses on the object at this point.
    public var focus: NormalizedPoint?
    /// Focuses at this distance, in meters; takes precedence. For depth with a unit.
    public var focusDistance: Float?
    /// The f-number of a full-frame camera; `nil` for the one of the file's portrait effect; if that is missing, 4.5,
    /// Apple's default for portraits.
    public var fNumber: Float?
    /// The picture to blur; `nil` for the original, if there is one.
    package var pictureOrigin: PictureOrigin?
    /// Whether to refocus the picture from before the camera's blur, if the source has it. That picture is sharp
    /// everywhere.
    public var usesOriginal: Bool {
        get { pictureOrigin != .photo }
        set { pictureOrigin = newValue ? nil : .photo }
    }

    /// The focus and aperture of the file.
    public init() {}
}

/// A blurred picture, and the lens that was simulated.
package struct BlurredScene: Sendable {
    /// How the focus was chosen.
    package enum FocusOrigin: Hashable, Sendable {
        /// Given by the caller.
        case given
        /// Marked by the camera.
        case camera
        /// A face that the camera marked.
        case face
        /// The subject of the portrait matte.
        case subject
        /// The nearest large object.
        case nearest
    }

    /// How the f-number was chosen.
    package enum ApertureOrigin: Hashable, Sendable {
        /// Given by the caller.
        case given
        /// Stored in the file.
        case file
        /// The default.
        case standard
    }

    /// The picture, with the color profile and metadata of the scene's picture.
    package var picture: Picture
    /// The lens. Its focus is in 1/meters, or relative to the nearest objects if depth has no unit.
    package var aperture: SyntheticAperture
    /// How the focus was chosen.
    package var focusOrigin: FocusOrigin
    /// How the f-number was chosen.
    package var apertureOrigin: ApertureOrigin
    /// The picture that was blurred.
    package var pictureOrigin: PictureOrigin
    /// Assumptions about the depth and the camera, and omitted metadata of the picture.
    package var diagnostics: [Diagnostic]
}

extension DepthScene {
    /// The picture with the blur of a lens with a wide aperture, with the color profile and metadata of the scene's
    /// picture.
    ///
    /// Throws ``SceneError`` without depth or a picture, ``DepthScaleError`` if a distance in meters is given for depth
    /// without a unit, errors of decoding, and `CancellationError` when the calling task is cancelled.
    public func blurred(_ options: BlurOptions = BlurOptions()) throws -> Picture {
        let blurred = try cancellable { try blurredScene(options) }
        return blurred.picture.adding(blurred.diagnostics)
    }

    /// The blurred picture and its lens. Throws as ``blurred(_:)`` does.
    ///
    /// - Parameter keepsHDR: Whether the gain map of an HDR photo is blurred likewise, and kept.
    package func blurredScene(_ options: BlurOptions, keepsHDR: Bool = true) throws -> BlurredScene {
        let scale = try requireDepth().scale
        if options.focusDistance != nil { try scale.requireMeters() }
        let (shown, pictureOrigin) = try showing(options.pictureOrigin)
        let scene = try FullSizeScene(shown)
        let (focus, focusOrigin) = focus(options, in: scene)
        let (fNumber, apertureOrigin) = fNumber(options)
        let aperture = SyntheticAperture(
            focusDisparity: focus, fNumber: fNumber, focalLength: scene.focalLength)
        let matte = try foreground(of: scene, aperture)
        let (image, curve) = (scene.image, scene.curve)
        let (hdr, remarks) = try shown.hdr(of: image, keepsHDR: keepsHDR)
        var (blocks, diagnostics) = pictureMetadata(camera: scene.cameraSource, keepsHDR: hdr != nil)
        if description.isBlurredByCamera, pictureOrigin == .photo { diagnostics.append(secondBlur) }
        diagnostics += remarks
        let hdrBlur = hdr.map { HDRBlur($0, scene, aperture, matte: matte) }
        // Consumes the large map, so that its memory can be freed before blurring ends.
        let disparity = (consume scene).disparity
        let blurred = image.blurred(
            by: aperture, disparity: consume disparity, matte: matte, transferFunction: curve)
        let gainMap = hdrBlur?.gainMap(of: blurred, from: image)
        return BlurredScene(
            picture: Picture(blurred, metadata: blocks).withHDR(gainMap), aperture: aperture,
            focusOrigin: focusOrigin, apertureOrigin: apertureOrigin, pictureOrigin: pictureOrigin,
            diagnostics: diagnostics)
    }

    /// The coverage of the subject, if there is a matte, and of everything before the focus.
    private func foreground(of scene: FullSizeScene, _ aperture: SyntheticAperture) throws -> Matte {
        let (focus, image) = (aperture.focusDisparity, scene.image)
        guard let matte = scene.matte else {
            return try scene.disparity.subject(
                before: focus, enlargedFrom: scene.mapSize, in: image, curve: scene.curve)
        }
        return try scene.disparity.joining(
            matte, before: focus,
            leastDifference: aperture.visibleDifference(width: image.width, height: image.height),
            enlargedFrom: scene.mapSize, in: image, curve: scene.curve)
    }

    private var secondBlur: Diagnostic {
        .note(
            .blurredPhoto,
            "the camera has blurred this photo already, and it is blurred once more"
                + (description.originalSize == nil ? "" : "; --from original blurs the picture from before"))
    }

    /// The disparity to focus at, and how it was chosen.
    private func focus(
        _ options: BlurOptions, in scene: FullSizeScene
    ) -> (Float, BlurredScene.FocusOrigin) {
        if let distance = options.focusDistance { return (1 / distance, .given) }
        let marks: [(NormalizedPoint, BlurredScene.FocusOrigin)?] = [
            options.focus.map { ($0, .given) }, description.focusMarks.first.map { ($0, .camera) },
            description.faces.first.map { ($0, .face) }, description.subjectMark.map { ($0, .camera) },
        ]
        if let (point, origin) = marks.compactMap(\.self).first,
            let disparity = scene.disparity.focusDisparity(at: point)
        {
            return (disparity, origin)
        }
        if scene.matte == nil, let disparity = subjectDisparity(in: scene) { return (disparity, .camera) }
        return (
            scene.disparity.focusDisparity(of: scene.matte) ?? 0, scene.matte == nil ? .nearest : .subject
        )
    }

    /// The disparity of Exif's subject distance, if the depth has a unit and includes such a distance: cameras guess.
    private func subjectDisparity(in scene: FullSizeScene) -> Float? {
        guard description.depth?.scale.isMetric == true, let distance = description.subjectDistance,
            let range = scene.disparity.percentiles([0.01, 0.99]), range[0]...range[1] ~= 1 / distance
        else { return nil }
        return 1 / distance
    }

    private func fNumber(_ options: BlurOptions) -> (Float, BlurredScene.ApertureOrigin) {
        if let fNumber = options.fNumber { return (fNumber, .given) }
        if let stored = description.simulatedAperture, stored > 0, stored.isFinite { return (stored, .file) }
        return (4.5, .standard)
    }
}
