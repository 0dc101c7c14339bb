package import Bytes
internal import DepthMaps
internal import DepthTypes
public import Effects

/// How a scene is blurred.
public struct BlurOptions: Hashable, Sendable {
    /// Focuses on the object at this point.
    public var focus: NormalizedPoint?
    /// Focuses at this distance, in meters; takes precedence. For depth with a unit.
    public var focusDistance: Float?
    /// The f-number of a full-frame camera; `nil` for the one of the file's own blur, measured where the file holds the
    /// picture with and without it; if that is missing, 4.5, Apple's default for portraits.
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
        /// Measured in the picture that the camera blurred.
        case measured
        /// Marked by the camera.
        case camera
        /// A face that the camera marked.
        case face
        /// The subject of the portrait matte.
        case subject
        /// The nearest large object.
        case nearest
        /// The object that stands out most; the camera's marks show only background.
        case standout
    }

    /// How the f-number was chosen.
    package enum ApertureOrigin: Hashable, Sendable {
        /// Given by the caller.
        case given
        /// Measured in the picture that the camera blurred.
        case measured
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
    /// Throws ``SceneError`` without depth or a picture, ``DepthScaleError`` if a distance
    /// in meters is given for depth without a unit, errors of decoding, and `CancellationError` when the calling task is
    /// cancelled.
    public func blurred(_ options: BlurOptions = BlurOptions()) throws -> Picture {
        let blurred = try cancellable { try blurredScene(options) }
        return blurred.picture.adding(blurred.diagnostics)
    }

    /// The blurred picture and its lens. Throws as ``blurred(_:)`` does.
    ///
    /// - Parameters:
    ///   - keepsHDR: Whether the gain map of an HDR photo is blurred likewise, and kept.
    ///   - pull: The focus of the frames before, for a frame of a recording.
    package func blurredScene(
        _ options: BlurOptions, keepsHDR: Bool = true, following pull: FocusPull? = nil
    ) throws -> BlurredScene {
        let scale = try requireDepth().scale
        if options.focusDistance != nil { try scale.requireMeters() }
        let (shown, pictureOrigin) = try showing(options.pictureOrigin)
        let scene = try FullSizeScene(shown, disparityScale: pull?.disparityScale)
        let effect = try options.usesEffect ? shown.cameraLens() : nil
        var (aperture, origins, remark) = try lens(options, effect, in: scene)
        pull?.follow(&aperture, at: description.time ?? 0)
        pull?.keep(scene.disparityScale)
        let matte = try foreground(of: scene, aperture)
        let (image, curve) = (scene.image, scene.curve)
        let map = Result { try shown.gainMap() }
        let (hdr, remarks) = try shown.hdr(of: image, keepsHDR: keepsHDR, decoded: map)
        var (blocks, diagnostics) = pictureMetadata(camera: scene.cameraSource, keepsHDR: hdr != nil)
        if let remark { diagnostics.append(remark) }
        if let unusedFocus, origins.focus != .given { diagnostics.append(unusedFocus) }
        if description.isBlurredByCamera, pictureOrigin == .photo { diagnostics.append(secondBlur) }
        diagnostics += remarks
        let (highlights, estimate) = highlights(of: image, curve, map)
        if let estimate { diagnostics.append(estimate) }
        let hdrBlur = hdr.map { HDRBlur($0, scene, aperture, matte: matte) }
        let isMatteOfDepth = scene.matte == nil
        // Consumes the large map, so that its memory can be freed before blurring ends.
        let disparity = (consume scene).disparity
        let blurred = image.blurred(
            by: aperture, disparity: consume disparity, matte: matte, isMatteOfDepth: isMatteOfDepth,
            transferFunction: curve, highlights: highlights)
        let gainMap = hdrBlur?.gainMap(of: blurred, from: image)
        return BlurredScene(
            picture: Picture(blurred, metadata: blocks).withHDR(gainMap), aperture: aperture,
            focusOrigin: origins.focus, apertureOrigin: origins.aperture, pictureOrigin: pictureOrigin,
            diagnostics: diagnostics)
    }

    /// The lens that ``blurredScene(_:keepsHDR:following:)`` simulates if nothing is given, found in a small picture, and the
    /// point of its focus; `nil` without such a point.
    package func usualLens(_ origin: PictureOrigin?) throws -> (SyntheticAperture, mark: NormalizedPoint?) {
        let scene = try FullSizeScene(reduced(toLongestSide: 640, showing: origin))
        let effect = try showing(origin).scene.cameraLens()
        let mark = description.focus(in: scene.disparity, hasMatte: scene.matte != nil)?.point
        var options = BlurOptions()
        if effect == nil { options.focus = mark }
        return (try lens(options, effect, in: scene).0, mark)
    }

    /// The coverage of the subject, if there is a matte, and of everything before the focus.
    private func foreground(of scene: FullSizeScene, _ aperture: SyntheticAperture) throws -> Matte {
        let (focus, image) = (aperture.focusDisparity, scene.image)
        guard let matte = scene.matte else {
            return try scene.disparity.subject(
                before: focus, enlargedFrom: scene.mapSize, in: image, curve: scene.curve)
        }
        return try scene.disparity.joining(
            matte, before: focus + aperture.sharpReach,
            leastDifference: aperture.visibleDifference(width: image.width, height: image.height),
            enlargedFrom: scene.mapSize, in: image, curve: scene.curve)
    }

    /// The light above white of the scene's picture: by its gain map, otherwise estimated; and a remark if it is estimated
    /// because the gain map cannot be read.
    private func highlights(
        of image: ColorImage, _ curve: TransferFunction, _ map: Result<GainMap?, any Error>
    ) -> (Highlights, Diagnostic?) {
        var failure: (any Error)?
        do {
            if let map = try map.get() { return (Highlights(map, of: image), nil) }
        } catch {
            failure = error
        }
        let estimate = Highlights(estimatedIn: image, curve: curve)
        guard let failure, !estimate.isEmpty else { return (estimate, nil) }
        return (
            estimate,
            .note(
                .unreadablePlane, "the gain map cannot be read: \(failure); the light of lamps is estimated")
        )
    }

    private var secondBlur: Diagnostic {
        .note(
            .blurredPhoto,
            "the camera has blurred this photo already, and it is blurred once more"
                + (description.originalSize == nil
                    ? "" : "; --picture original blurs the picture from before"))
    }

    /// The lens to simulate, how it was chosen, and a remark on an assumption.
    private func lens(
        _ options: BlurOptions, _ effect: CameraLens?, in scene: FullSizeScene
    ) throws -> (
        SyntheticAperture, (focus: BlurredScene.FocusOrigin, aperture: BlurredScene.ApertureOrigin),
        Diagnostic?
    ) {
        let (fNumber, apertureOrigin) = fNumber(options, effect, in: scene)
        func aperture(_ focus: Float) -> SyntheticAperture {
            SyntheticAperture(focusDisparity: focus, fNumber: fNumber, focalLength: scene.focalLength)
        }
        if options.focus == nil, options.focusDistance == nil, let effect {
            var aperture = aperture(scene.disparityScale.applied(to: effect.lens.focus))
            let sharp = effect.lens.sharp
            aperture.sharpReach = (sharp.upperBound - sharp.lowerBound) / 2 / scene.disparityScale.unit
            return (aperture, (effect.isMeasured ? .measured : .camera, apertureOrigin), nil)
        }
        let (focus, focusOrigin, remark) = try focus(options, in: scene)
        return (aperture(focus), (focusOrigin, apertureOrigin), remark)
    }

    /// The disparity to focus at, how it was chosen, and a remark on an assumption.
    private func focus(
        _ options: BlurOptions, in scene: FullSizeScene
    ) throws -> (Float, BlurredScene.FocusOrigin, Diagnostic?) {
        if let distance = options.focusDistance { return (1 / distance, .given, nil) }
        if let focus = options.focus, let disparity = scene.disparity.focusDisparity(at: focus) {
            return (disparity, .given, nil)
        }
        if let marked = description.focus(in: scene.disparity, hasMatte: scene.matte != nil) {
            return (marked.disparity, marked.origin, description.isCutFromFrame ? movedMark : nil)
        }
        if scene.matte == nil, let (disparity, remark) = subjectDisparity(in: scene) {
            return (disparity, .camera, remark)
        }
        return (
            scene.disparity.focusDisparity(of: scene.matte) ?? 0, scene.matte == nil ? .nearest : .subject,
            nil
        )
    }

    private var unusedFocus: Diagnostic? {
        description.lens?.focusDisparity.map { focus in
            .note(
                .assumedFocus,
                "the movie records a focus of \(focus.short) for this frame, which is not used: its unit is not public"
            )
        }
    }

    private var movedMark: Diagnostic {
        .note(
            .assumedFocus,
            "the camera marked its focus in a larger frame; the photo is assumed to be the middle of it")
    }

    /// The disparity of Exif's subject distance, if the depth has a unit, and a remark if it is beyond the depth: then the
    /// nearest or the farthest depth is in focus.
    private func subjectDisparity(in scene: FullSizeScene) -> (Float, Diagnostic?)? {
        guard description.depth?.scale.hasUnit == true, let distance = description.subjectDistance,
            let range = scene.disparity.percentiles([0.001, 0.999])
        else { return nil }
        let disparity = min(max(1 / distance, range[0]), range[1])
        guard disparity != 1 / distance else { return (disparity, nil) }
        return (
            disparity,
            .note(
                .assumedFocus,
                "the subject's distance in Exif, \(distance.short) m, is "
                    + "\(disparity < 1 / distance ? "nearer" : "farther") than any depth; "
                    + "\((1 / disparity).short) m is in focus")
        )
    }

    private func fNumber(
        _ options: BlurOptions, _ effect: CameraLens?, in scene: FullSizeScene
    ) -> (Float, BlurredScene.ApertureOrigin) {
        if let fNumber = options.fNumber { return (fNumber, .given) }
        if let effect {
            let fNumber = effect.fNumber(
                PixelSize(width: scene.image.width, height: scene.image.height),
                focalLength: scene.focalLength, scene.disparityScale)
            if fNumber > 0, fNumber.isFinite { return (fNumber, effect.isMeasured ? .measured : .file) }
        }
        if let stored = description.simulatedAperture, stored > 0, stored.isFinite { return (stored, .file) }
        return (4.5, .standard)
    }
}

extension SceneDescription {
    /// What the camera's marks show in a map, and where: its focus, otherwise the largest face, otherwise the subject's
    /// position in Exif. Where those but a face show only background, the object that stands out most; `nil` then if there
    /// is a matte.
    func focus(
        in map: DisparityMap, hasMatte: Bool
    ) -> (disparity: Float, point: NormalizedPoint?, origin: BlurredScene.FocusOrigin)? {
        let marked = map.focusDisparity(atMarks: focusMarks + (faces.isEmpty ? subjectMarks : []))
        if let marked, let point = marked.point { return (marked.disparity, point, .camera) }
        if let face = faces.first, let disparity = map.focusDisparity(at: face) {
            return (disparity, face, .face)
        }
        return hasMatte ? nil : marked.map { ($0.disparity, nil, .standout) }
    }
}

extension BlurOptions {
    /// Whether the lens of the camera's own blur gives the focus or the aperture, if there is one.
    fileprivate var usesEffect: Bool { fNumber == nil || focus == nil && focusDistance == nil }
}
