package import ByteParsing
internal import Compositing
package import DepthCore
package import DepthModel
package import EmbeddedFormats
package import ImageCodecs
package import ImageContainers

/// What scenes with planes are made of: a photo, a raster, a stereo pair, or a scene that was computed. Planes are described before
/// they are decoded.
package protocol PlaneSource: DepthSceneSource {
    /// Every plane that is stored, in file order.
    var planes: [PlaneDescription] { get }

    /// The plane that ``DepthSceneSource/depth()`` and ``DepthSceneSource/disparity()`` read. Throws ``SceneError``, or what is wrong
    /// with the file when that may be why.
    func depthPlane() throws -> PlaneDescription

    /// The depth or disparity of a plane as it is stored, before any treatment.
    func depthSource(of plane: PlaneDescription, frame: PixelOrientation) throws -> DepthSource

    /// The samples of a plane that is not depth.
    func codes(of plane: PlaneDescription, frame: PixelOrientation) throws -> SamplePlane

    /// The colors of a plane; `nil` for planes without color. Without an implementation there are none.
    func color(of plane: PlaneDescription, frame: PixelOrientation) throws -> ColorImage?

    /// The picture that planes belong to; `nil` for planes without a picture.
    func guide(frame: PixelOrientation) throws -> ColorImage?

    /// How far samples of the depth can be trusted; `nil` where it is unknown, as without an implementation.
    func confidenceCodes(frame: PixelOrientation) throws -> SamplePlane?

    /// The focal length that is kept in a file where a plane has no intrinsics, in millimeters of 35 mm film; `nil` where it is unknown.
    var focalLength35mm: Int? { get }

    /// Whether the portrait matte knows its edges only roughly. Without an implementation none does.
    var hasCoarseMatte: Bool { get }

    /// Throws where a plane of depth cannot be written in a form. Without an implementation each can.
    func check(_ plane: PlaneDescription, for export: PlaneExport) throws

    /// The stored depth or disparity as codes. Without an implementation they have no metadata of their own.
    ///
    /// Throws ``SceneError``, ``DepthCodingError``, ``DepthScaleError`` where an affine map is converted, and what decoding
    /// throws.
    func coded(_ coding: DepthCoding) throws -> CodedDepth

    /// The source and its planes in the schema `isobath.info/1`; `describing` makes the lines of `warnings`. Nothing is decoded.
    func record(path: String, describing: (Diagnostic) -> String) -> JSONValue

    /// The source and its planes as lines for a person, without diagnostics. Nothing is decoded.
    func summary(name: String) -> [String]

    /// The file that shows what the scene shows: the photo itself, or the one that was named for a depth image. `nil`, as without an
    /// implementation, where none was.
    var pictureFile: PictureFile? { get }

    /// Whether a ``RasterInterpretation`` applies to it. Without an implementation it does.
    var usesReading: Bool { get }

    /// Whether it is a photo without depth, and without a plane that could be one. Without an implementation it is not.
    var isWithoutDepth: Bool { get }

    /// The two pictures of a stereo photo; `nil` for others, as without an implementation.
    var stereo: StereoPair? { get }

    /// The picture for one eye. Throws ``SceneError`` for what is not a stereo photo, as without an implementation.
    func view(_ eye: Eye, frame: PixelOrientation) throws -> ColorImage

    /// What is computed from the two pictures of a stereo photo, whether it has depth or not. Throws ``SceneError`` for others, as
    /// without an implementation.
    func stereoSource() throws -> StereoSceneSource

    /// What scenes are made of: the source itself, as without an implementation, or its stereo pair where it has no depth and both
    /// pictures can be matched.
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

    /// The first plane of a kind, those of the photo itself before those of its thumbnails; `nil` when there is none.
    package func plane(_ kind: PlaneKind) -> PlaneDescription? {
        planes.first { $0.kind == kind && $0.index == 0 }
    }

    /// The source and its planes in the schema `isobath.info/1`, with warnings as they are. Nothing is decoded.
    package func record(path: String) -> JSONValue { record(path: path) { $0.description } }

    /// The picture that planes belong to, as a raster. Throws ``SceneError/noPicture``.
    package func exportPhoto(frame: PixelOrientation) throws -> Raster {
        guard let image = try guide(frame: frame) else { throw SceneError.noPicture }
        return Raster(image)
    }

    /// Decodes a plane and brings it into the form in which it is written.
    ///
    /// Throws ``SceneError`` when the plane has no unit and one is needed, and for a color image, ``DepthScaleError/affine`` where a
    /// reciprocal is wanted that means nothing, and ``ContainerError`` when the plane cannot be read.
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
            treatment, guide: isUpsampled ? { try guide(frame: frame) } : nil,
            confidence: { try confidenceCodes(frame: frame) })
    }

    /// Mattes, gain maps, alpha and the like: 8-bit codes as they are, deeper ones stretched to 16 bits.
    private func codedRaster(of plane: PlaneDescription, _ export: PlaneExport) throws -> Raster {
        // Planes of an unknown type may be pictures, such as Apple's linear thumbnail.
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

    /// A matte at the picture's size, its edges along those of the picture.
    private func upsampled(_ matte: Matte, of kind: PlaneKind, _ frame: PixelOrientation) throws -> Matte {
        let guide = try checkedGuide(guide(frame: frame), width: matte.width, height: matte.height)
        let curve = TransferFunction(profile: guide.colorProfile) ?? .sRGB
        return try Cutout(guide, along: matte, curve: curve)
            .refined(isCoarse: hasCoarseMatte && kind == .matte).matte
    }
}
