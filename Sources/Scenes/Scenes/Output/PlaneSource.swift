package import Bytes
package import Codecs
package import DepthMaps
package import DepthTypes
internal import Effects
package import Embedded
package import PhotoFormats

/// A source of scenes that has planes: a photo, a raster, a stereo pair, or a computed scene. Planes are described before
/// they are decoded.
package protocol PlaneSource: GainMapSource {
    /// Every plane that is stored, in file order.
    var planes: [PlaneDescription] { get }

    /// The plane of a kind that is stored or computed. By default the stored one. Throws ``SceneError`` if missing, and
    /// errors of decoding.
    func requirePlane(_ kind: PlaneKind) throws -> PlaneDescription

    /// The plane that ``DepthSceneSource/depth()`` and ``DepthSceneSource/disparity()`` read. Throws ``SceneError``, or the
    /// file's error if that may be the reason.
    func depthPlane() throws -> PlaneDescription

    /// The depth or disparity of a plane as it is stored, before any treatment.
    func depthSource(of plane: PlaneDescription, frame: PixelOrientation) throws -> DepthSource

    /// The samples of a plane that is not depth.
    func codes(of plane: PlaneDescription, frame: PixelOrientation) throws -> SamplePlane

    /// The colors of a plane; `nil` for planes without color. The default is `nil`.
    func color(of plane: PlaneDescription, frame: PixelOrientation) throws -> ColorImage?

    /// The picture that the planes belong to; `nil` if missing.
    func guide(frame: PixelOrientation) throws -> ColorImage?

    /// How far samples of the depth can be trusted; `nil` if unknown, which is the default.
    func confidenceCodes(frame: PixelOrientation) throws -> SamplePlane?

    /// The focal length to store in a file if a plane has no intrinsics, in millimeters of 35 mm film; `nil` if unknown.
    var focalLength35mm: Int? { get }

    /// Whether the portrait matte has only approximate edges. The default is `false`.
    var hasCoarseMatte: Bool { get }

    /// Throws if a depth plane cannot be written in a form. By default, every plane can.
    func check(_ plane: PlaneDescription, for export: PlaneExport) throws

    /// The stored depth or disparity as codes. By default they have no metadata.
    ///
    /// Throws ``SceneError``, ``DepthCodingError``, ``DepthScaleError`` if an affine map would be converted, and errors of
    /// decoding.
    func coded(_ coding: DepthCoding) throws -> CodedDepth

    /// The source and its planes in the schema `isobath.info/1`; `describing` formats the lines of `warnings`. Decodes
    /// nothing.
    func record(path: String, describing: (Diagnostic) -> String) -> JSONValue

    /// The source and its planes as lines for a person, without diagnostics. Decodes nothing.
    func summary(name: String) -> [String]

    /// The file with the scene's picture: the photo itself, or the one given for a depth image. `nil` if no picture
    /// was given. The default implementation returns `nil`.
    var pictureFile: PictureFile? { get }

    /// Whether a ``RasterInterpretation`` applies to it. The default is `true`.
    var usesReading: Bool { get }

    /// Whether it is a photo without depth, and without a plane that could be depth. The default is `false`.
    var isWithoutDepth: Bool { get }

    /// The two pictures of a stereo photo; `nil` otherwise, which is the default.
    var stereo: StereoPair? { get }

    /// The picture for one eye. Throws ``SceneError`` if this is not a stereo photo; the default does.
    func view(_ eye: Eye, frame: PixelOrientation) throws -> ColorImage

    /// The scene source that matches the two pictures of a stereo photo, even if the file has depth. Throws ``SceneError``
    /// otherwise; the default does.
    func stereoSource() throws -> StereoSceneSource

    /// The source that scenes use: the source itself, which is the default, or its stereo pair, if the file has no depth and
    /// both pictures can be matched.
    var sceneSource: any PlaneSource { get }
}

extension PlaneSource {
    package func color(of plane: PlaneDescription, frame: PixelOrientation) throws -> ColorImage? { nil }
    package func confidenceCodes(frame: PixelOrientation) throws -> SamplePlane? { nil }
    package var focalLength35mm: Int? { nil }
    package var hasCoarseMatte: Bool { false }
    package func check(_ plane: PlaneDescription, for export: PlaneExport) throws {}
    package var pictureFile: PictureFile? { nil }
    package var usesReading: Bool { true }
    package var isWithoutDepth: Bool { false }
    package var stereo: StereoPair? { nil }
    package var sceneSource: any PlaneSource { self }

    package func view(_ eye: Eye, frame: PixelOrientation) throws -> ColorImage {
        throw SceneError.notStereo("\(eye.rawValue) picture")
    }

    package func stereoSource() throws -> StereoSceneSource { throw SceneError.notStereo("stereo pair") }

    package func coded(_ coding: DepthCoding) throws -> CodedDepth { try codedDepth(coding) }

    package func requirePlane(_ kind: PlaneKind) throws -> PlaneDescription {
        guard let plane = plane(kind) else { throw absence(of: kind) }
        return plane
    }

    /// The first plane of a kind, preferring the photo's planes to those of its thumbnails; `nil` if missing.
    package func plane(_ kind: PlaneKind) -> PlaneDescription? {
        planes.first { $0.kind == kind && $0.index == 0 }
    }

    /// The source and its planes in the schema `isobath.info/1`, with unmodified warnings. Decodes nothing.
    package func record(path: String) -> JSONValue { record(path: path) { $0.description } }

    /// The picture that the planes belong to, as a raster. Throws ``SceneError/noPicture``.
    package func exportPhoto(frame: PixelOrientation) throws -> Raster {
        guard let image = try guide(frame: frame) else { throw SceneError.noPicture }
        return Raster(image)
    }

    /// The picture, upright, reduced if a side is longer than `longestSide`: from a preview in the source, if that is
    /// faster. A picture with opacity is composited over white. Throws ``SceneError/noPicture``.
    package func exportPhoto(longestSide: Int) throws -> Raster {
        guard let size = describe().colorSize?.within(longestSide), let image = try glance(atLeast: size)
        else {
            throw SceneError.noPicture
        }
        return Raster(image.resized(toWidth: size.width, height: size.height))
    }

    /// Decodes a plane and converts it to its output form.
    ///
    /// Throws ``SceneError`` for a color image, and for a plane without a required unit; ``DepthScaleError/affine``
    /// when a meaningless reciprocal is requested; ``ContainerError`` when the plane cannot be read.
    package func export(_ plane: PlaneDescription, as export: PlaneExport) throws -> ExportedPlane {
        guard plane.kind.isDepth else {
            let raster = try codedRaster(of: plane, export)
            return ExportedPlane(plane, export, kind: plane.kind.rawValue, raster: raster)
        }
        try check(plane, for: export)
        return try ExportedPlane(
            plane, export,
            treatedDepth(
                of: plane, frame: export.frame, export.treatment, isUpsampled: export.upsamples),
            focalLength35mm: focalLength35mm)
    }

    /// Decodes a plane of depth or disparity, and treats it.
    func treatedDepth(
        of plane: PlaneDescription, frame: PixelOrientation, _ treatment: MapTreatment,
        isUpsampled: Bool = false
    ) throws -> DepthSource {
        try depthSource(of: plane, frame: frame).treated(
            treatment, photo: { try guide(frame: frame) }, isUpsampled: isUpsampled,
            confidence: { try confidenceCodes(frame: frame) })
    }

    /// Mattes, gain maps, alpha and similar: 8-bit samples unchanged, deeper ones stretched to 16 bits.
    private func codedRaster(of plane: PlaneDescription, _ export: PlaneExport) throws -> Raster {
        // Planes of an unknown type may be color pictures, such as Apple's linear thumbnail.
        if [.gainMap, .original, .unknown].contains(plane.kind),
            let image = try color(of: plane, frame: export.frame)
        {
            return Raster(image)
        }
        let codes = try codes(of: plane, frame: export.frame)
        guard export.upsamples, plane.kind.isMatte else { return Raster(codes) }
        let matte = try upsampled(Matte(codes), of: plane.kind, export.frame)
        return Raster(width: matte.width, height: matte.height, samples: .gray8(matte.coverage))
    }

    /// A matte upsampled to the picture's size, along the picture's edges.
    private func upsampled(_ matte: Matte, of kind: PlaneKind, _ frame: PixelOrientation) throws -> Matte {
        let guide = try checkedGuide(guide(frame: frame), width: matte.width, height: matte.height)
        let curve = TransferFunction(profile: guide.colorProfile) ?? .sRGB
        return try Cutout(guide, along: matte, curve: curve)
            .refined(isCoarse: hasCoarseMatte && kind == .matte).matte
    }
}
