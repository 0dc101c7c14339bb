public import Bytes
public import Codecs
public import DepthMaps
internal import DepthTypes
public import Effects

/// The subject of a scene, cut out once, to be composited over any number of backgrounds.
public struct SceneSubject: Sendable {
    /// The picture and the matte of its subject.
    package let cutout: Cutout
    /// The subject of the picture's HDR rendition; `nil` without one.
    fileprivate let hdr: HDRSubject?
    /// The matte as it was found.
    package let found: SceneMatte
    /// The unrefined matte, possibly not at the size of the picture.
    public var matte: Matte { found.matte }
    /// The Exif and XMP that results keep.
    public let metadata: PictureMetadata
    /// Assumptions about the depth and marks of the camera outside the subject, if the matte is cut from the depth, and
    /// omitted metadata.
    public let diagnostics: [Diagnostic]
}

/// The background of a subject.
public enum SceneBackground: Sendable {
    /// Nothing: the result is transparent.
    case none
    /// One color, sRGB.
    case color(RGB<UInt8>)
    /// A picture, fitted to the scene's size, in its original color space.
    case image(ColorImage, fit: BackgroundFit = .cover)
}

extension DepthScene {
    /// Cuts out the subject that `matte` selects; `nil` for the portrait matte, otherwise the picture's opacity, otherwise a
    /// mask cut from the depth. Transparent pixels of the picture never belong to the subject, and opacity is used as it is.
    /// `refines`: the matte follows the picture's edges, and the old background's color is removed from hair and soft edges; without
    /// it, the matte is enlarged evenly and colors stay as they are.
    ///
    /// Throws ``SceneError/noPicture``, ``SceneError/noPlane(_:available:)`` without a matte and depth, ``DepthScaleError``
    /// if meters are given for depth without a unit, errors of decoding, and `CancellationError` when the calling task is
    /// cancelled.
    public func subject(_ matte: MatteSelection? = nil, refines: Bool = true) throws -> SceneSubject {
        try cancellable { try cutOut(matte, refines: refines, keepsHDR: true) }
    }

    /// As ``subject(_:refines:)``. `keepsHDR`: composites keep the gain map of an HDR photo.
    package func cutOut(_ matte: MatteSelection?, refines: Bool, keepsHDR: Bool) throws -> SceneSubject {
        try check(matte)
        let picture = try translucentPicture()
        let image = try picture?.color ?? color()
        let found = try subjectMatte(matte)
        let curve = TransferFunction(profile: image.colorProfile) ?? .sRGB
        let cutout: Cutout
        if case .kinds(let kinds) = found.origin, kinds.contains(.alpha) {
            cutout = try Cutout(image, opacity: picture?.alpha ?? found.matte, curve: curve)
        } else {
            let cut = try self.cutout(of: image, along: found, curve, refines: refines)
            let clean = refines ? cut.decontaminated() : cut
            cutout = picture?.alpha.map(clean.limited(to:)) ?? clean
        }
        let (hdr, remarks) = try hdr(of: image, keepsHDR: keepsHDR)
        var (blocks, diagnostics) = pictureMetadata(
            usesDepth: found.isCutFromDepth, keepsAlpha: picture != nil, keepsHDR: hdr != nil)
        diagnostics += found.diagnostics + remarks
        return SceneSubject(
            cutout: cutout,
            hdr: try hdr.map {
                try HDRSubject($0, of: image, along: cutout.matte, decontaminates: refines, curve: curve)
            },
            found: found, metadata: blocks, diagnostics: diagnostics)
    }

    /// Masks cut from depth are solved again around their edges; other mattes are refined.
    private func cutout(
        of image: ColorImage, along found: SceneMatte, _ curve: TransferFunction, refines: Bool
    ) throws(CompositingError) -> Cutout {
        if refines, case .depth(let mask, _) = found.origin {
            return try mask.cutout(of: image, curve: curve)
        }
        let cutout = try Cutout(image, along: found.matte, curve: curve)
        guard refines else { return cutout }
        guard case .kinds(let kinds) = found.origin else { return cutout.refined() }
        return cutout.refined(isCoarse: kinds == [.matte] && description.hasCoarseMatte)
    }

    /// The subject over another background, with the picture's size, color profile and metadata. As
    /// ``subject(_:refines:)``.
    public func composited(
        over background: SceneBackground, _ matte: MatteSelection? = nil, refines: Bool = true
    ) throws -> Picture {
        try subject(matte, refines: refines).over(background)
    }
}

extension SceneSubject {
    /// The subject over a background, in the picture's color space and with its metadata. Throws `CancellationError` when the
    /// calling task is cancelled.
    public func over(_ background: SceneBackground) throws -> Picture {
        let made = try cancellable { try composite(over: background, in16Bits: true) }
        return made.picture.adding(diagnostics + made.diagnostics)
    }

    /// The subject over a background, and diagnostics on the background. `in16Bits` keeps more than 8 bits if picture or
    /// background have them.
    ///
    /// - Parameter light: The HDR rendition of the background, if it has one (``SceneSource/background(for:fit:keepsHDR:)``).
    package func composite(
        over background: SceneBackground, _ light: HDRLight? = nil, in16Bits: Bool
    ) throws -> (picture: Picture, diagnostics: [Diagnostic]) {
        switch background {
        case .none:
            let picture = Picture(cutout.translucent(), metadata: metadata)
            return (hdr == nil ? picture : picture.withoutHDR(), [])
        case .color(let color):
            let pixel = try ColorImage(color).converted(toProfile: cutout.photo.colorProfile)
            let result = try cutout.over(.color(pixel.firstPixel))
            return picture(result, over: pixel, nil)
        case .image(let image, let fit):
            let (fitted, ignoresProfile) = try image.fitted(to: cutout.photo, by: fit)
            let isDeep = cutout.photo.is16Bit || fitted.is16Bit
            let result = try cutout.over(.image(fitted), in16Bits: isDeep && in16Bits)
            var made = picture(result, over: fitted, light)
            if ignoresProfile { made.diagnostics.append(.unusableProfile) }
            return made
        }
    }

    private func picture(
        _ composite: ColorImage, over background: ColorImage, _ light: HDRLight?
    ) -> (picture: Picture, diagnostics: [Diagnostic]) {
        let (gainMap, remark) = hdr?.gainMap(over: background, light) ?? (nil, nil)
        return (Picture(composite, metadata: metadata).withHDR(gainMap), [remark].compactMap(\.self))
    }
}

extension SceneSource {
    /// The picture as a background, decoded no larger than needed, fitted to the scene's picture and in its color space; and
    /// diagnostics. Transparent pixels become white.
    ///
    /// If the scene and the picture have gain maps, and `keepsHDR`, also the picture's HDR rendition, at the size of the scene's
    /// gain map.
    package func background(
        for scene: DepthScene, fit: BackgroundFit = .cover, keepsHDR: Bool = true
    ) throws -> (background: SceneBackground, light: HDRLight?, diagnostics: [Diagnostic]) {
        let size = try scene.requireColorSize()
        let described = describe()
        guard let own = described.colorSize else { throw SceneError.noPicture }
        let needed = fit.leastSize(of: (own.width, own.height), toFill: (size.width, size.height))
        let image = try image(atLeast: PixelSize(width: needed.width, height: needed.height))
        let (fitted, ignoresProfile) = try image.fitted(to: scene.color(), by: fit)
        var diagnostics: [Diagnostic] = ignoresProfile ? [.unusableProfile] : []
        let hdr = try keepsHDR && described.hasGainMap ? light(of: image, for: scene, by: fit) : (nil, [])
        diagnostics += hdr.1
        return (.image(fitted, fit: fit), hdr.0, diagnostics)
    }

    /// The HDR rendition of this picture behind a scene.
    private func light(
        of image: ColorImage, for scene: DepthScene, by fit: BackgroundFit
    ) throws -> (HDRLight?, [Diagnostic]) {
        guard scene.description.hasGainMap else {
            return (nil, [.lostHDR("the photo before this background is not HDR")])
        }
        guard let front = try? scene.gainMap() else { return (nil, []) }
        var behind = DecodedPlane()
        do {
            try decode(.gainMap, as: PlaneRequest(), into: &behind)
        } catch let error as ContainerError {
            return (nil, [.lostHDR(error.message)])
        }
        guard case .gainMap(let map) = behind.content else { return (nil, []) }
        let photo = try scene.color()
        var light = try HDRLight(image, map, isGray: false, peak: front.peak, curve: image.curve)
            .applying { image in
                try image.fitted(
                    toWidth: front.width, height: front.height, by: fit, curve: image.curve
                ).converted(like: photo).image
            }
        if front.factors.count == 1 { light = light.inGray }
        return (light, map.peak > front.peak && light.reachesPeak ? [.dimmedHDR] : [])
    }
}

extension ColorImage {
    /// The image at the size and in the color space of a photo, and whether sRGB was assumed because its profile was
    /// unusable. Colors are converted at the size with fewer pixels.
    func fitted(
        to photo: ColorImage, by fit: BackgroundFit
    ) throws(CompositingError) -> (image: ColorImage, ignoresProfile: Bool) {
        let (width, height) = (photo.width, photo.height)
        guard self.width * self.height < width * height else {
            let fitted = try fitted(toWidth: width, height: height, by: fit, curve: curve)
            return fitted.converted(like: photo)
        }
        let (converted, ignoresProfile) = converted(like: photo)
        let fitted = try converted.fitted(toWidth: width, height: height, by: fit, curve: converted.curve)
        return (fitted, ignoresProfile)
    }

    fileprivate var curve: TransferFunction { TransferFunction(profile: colorProfile) ?? .sRGB }
}
