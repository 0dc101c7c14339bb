package import ByteParsing
public import Compositing
internal import DepthCore
internal import DepthModel
internal import ImageCodecs

/// How a scene is blurred.
public struct BlurOptions: Hashable, Codable, Sendable {
    /// Focuses on what is seen here.
    public var focus: NormalizedPoint?
    /// Focuses at this distance, in meters; takes precedence. For depth with a unit.
    public var focusDistance: Float?
    /// The f-number of a full-frame camera; `nil` for that of the file's own portrait effect, otherwise 4.5, what Apple's cameras
    /// open a portrait with.
    public var fNumber: Float?
    /// The picture that is blurred; `nil` for the original, where there is one.
    package var pictureOrigin: PictureOrigin?
    /// Whether the picture from before the camera's own blur is refocused, where the source has it. It is sharp everywhere.
    public var usesOriginal: Bool {
        get { pictureOrigin != .photo }
        set { pictureOrigin = newValue ? nil : .photo }
    }

    /// The file's own focus and aperture.
    public init() {}
}

/// A blurred picture, and with which lens.
package struct BlurredScene: Sendable {
    /// Where the focus is from.
    package enum FocusOrigin: Hashable, Sendable {
        /// It was given.
        case given
        /// The camera marked it.
        case camera
        /// A face that the camera marked.
        case face
        /// The subject of the portrait matte.
        case subject
        /// The nearest large thing.
        case nearest
    }

    /// Where the f-number is from.
    package enum ApertureOrigin: Hashable, Sendable {
        /// It was given.
        case given
        /// The file asks for it.
        case file
        /// Nothing says so.
        case standard
    }

    /// The picture, with the color profile and metadata of the scene's.
    package var picture: Picture
    /// The lens. Its focus is in 1/meters, or relative to the nearest things where depth has no unit.
    package var aperture: SyntheticAperture
    /// Where the focus is from.
    package var focusOrigin: FocusOrigin
    /// Where the f-number is from.
    package var apertureOrigin: ApertureOrigin
    /// The picture that was blurred.
    package var pictureOrigin: PictureOrigin
    /// What was assumed of the depth and the camera, and what of the picture's metadata is left out.
    package var diagnostics: [Diagnostic]
}

extension DepthScene {
    /// The picture as a lens of wide aperture would have taken it, with the color profile and metadata of the scene's.
    ///
    /// Throws ``SceneError`` without depth or a picture, ``DepthScaleError`` where a distance in meters
    /// is given for depth without a unit, what decoding throws, and `CancellationError` when the task that calls is cancelled.
    public func blurred(_ options: BlurOptions = BlurOptions()) throws -> Picture {
        let blurred = try cancellable { try blurredScene(options) }
        return blurred.picture.adding(blurred.diagnostics)
    }

    /// The picture, and with which lens it is blurred. Throws as ``blurred(_:)`` does.
    package func blurredScene(_ options: BlurOptions) throws -> BlurredScene {
        let scale = try requireDepth().scale
        if options.focusDistance != nil { try scale.requireMeters() }
        let (shown, pictureOrigin) = try showing(options.pictureOrigin)
        let scene = try FullSizeScene(shown)
        let (focus, focusOrigin) = focus(options, in: scene)
        let (fNumber, apertureOrigin) = fNumber(options)
        let aperture = SyntheticAperture(
            focusDisparity: focus, fNumber: fNumber, focalLength: scene.focalLength)
        let matte =
            try scene.matte
            ?? scene.disparity.subject(
                before: focus, enlargedFrom: scene.mapSize, in: scene.image, curve: scene.curve)
        var (blocks, diagnostics) = pictureMetadata(camera: scene.cameraSource)
        if description.isBlurredByCamera, pictureOrigin == .photo { diagnostics.append(secondBlur) }
        let (image, curve) = (scene.image, scene.curve)
        // The large map is given away: blurring does not need it to the end.
        let disparity = (consume scene).disparity
        let blurred = image.blurred(
            by: aperture, disparity: consume disparity, matte: matte, transferFunction: curve)
        return BlurredScene(
            picture: Picture(blurred, metadata: blocks), aperture: aperture, focusOrigin: focusOrigin,
            apertureOrigin: apertureOrigin, pictureOrigin: pictureOrigin, diagnostics: diagnostics)
    }

    private var secondBlur: Diagnostic {
        .note(
            .blurredPhoto,
            "the camera has blurred this photo already, and it is blurred once more"
                + (description.originalSize == nil ? "" : "; --from original blurs the picture from before"))
    }

    /// The disparity to focus at, and what is there.
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

    /// What Exif says of the subject's distance, where the depth has a unit and holds such a distance: cameras guess.
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
