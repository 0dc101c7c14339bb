internal import Compositing
package import DepthCore
internal import DepthModel
internal import ImageCodecs
package import ImageContainers

/// Planes that are described before they are decoded: those of a photo or a raster, and those that a stereo pair or a network gives.
package protocol PlaneSource {
    /// The depth or disparity of a plane as it is stored, before any treatment.
    func depthSource(of plane: AuxiliaryPlane, frame: PixelOrientation) throws -> DepthSource

    /// The samples of a plane that is not depth.
    func codes(of plane: AuxiliaryPlane, frame: PixelOrientation) throws -> SamplePlane

    /// The colors of a plane; `nil` for planes without color. Without an implementation there are none.
    func color(of plane: AuxiliaryPlane, frame: PixelOrientation) throws -> ColorImage?

    /// The picture that planes belong to; `nil` for planes without a picture.
    func guide(frame: PixelOrientation) throws -> ColorImage?

    /// How far samples of the depth can be trusted; `nil` where it is unknown, as without an implementation.
    func confidenceCodes(frame: PixelOrientation) throws -> SamplePlane?

    /// The focal length that is kept in a file where a plane has no intrinsics, in millimeters of 35 mm film; `nil` where it is unknown.
    var focalLength35mm: Int? { get }

    /// Whether the portrait matte knows its edges only roughly. Without an implementation none does.
    var hasCoarseMatte: Bool { get }

    /// Throws where a plane of depth cannot be written in a form. Without an implementation each can.
    func check(_ plane: AuxiliaryPlane, for export: PlaneExport) throws
}

extension PlaneSource {
    package func color(of plane: AuxiliaryPlane, frame: PixelOrientation) throws -> ColorImage? { nil }
    package func confidenceCodes(frame: PixelOrientation) throws -> SamplePlane? { nil }
    package var focalLength35mm: Int? { nil }
    package var hasCoarseMatte: Bool { false }
    package func check(_ plane: AuxiliaryPlane, for export: PlaneExport) throws {}

    /// Decodes a plane and brings it into the form in which it is written.
    ///
    /// Throws ``SceneError`` when the plane has no unit and one is needed, and for a color image, ``DepthScaleError/affine`` where a
    /// reciprocal is wanted that means nothing, and ``ContainerError`` when the plane cannot be read.
    package func export(_ plane: AuxiliaryPlane, as export: PlaneExport) throws -> ExportedPlane {
        guard plane.kind.isDepth else {
            let raster = try codedRaster(of: plane, export)
            return ExportedPlane(plane, export, kind: plane.kind.rawValue, raster: raster)
        }
        try check(plane, for: export)
        return try ExportedPlane(
            plane, export, treatedDepth(of: plane, frame: export.frame, export.treatment),
            focalLength35mm: focalLength35mm)
    }

    /// Decodes a plane of depth or disparity, and treats it.
    func treatedDepth(
        of plane: AuxiliaryPlane, frame: PixelOrientation, _ treatment: MapTreatment
    ) throws -> DepthSource {
        try depthSource(of: plane, frame: frame).treated(
            treatment, guide: { try guide(frame: frame) }, confidence: { try confidenceCodes(frame: frame) })
    }

    /// Mattes, gain maps, alpha and the like: 8-bit codes as they are, deeper ones stretched to 16 bits.
    private func codedRaster(of plane: AuxiliaryPlane, _ export: PlaneExport) throws -> Raster {
        // Planes of an unknown type may be pictures, such as Apple's linear thumbnail.
        if [.gainMap, .original, .unknown].contains(plane.kind),
            let image = try color(of: plane, frame: export.frame)
        {
            return Raster(image)
        }
        let codes = try codes(of: plane, frame: export.frame)
        guard export.treatment.upsamples, plane.kind.isMatte else { return Raster(codes) }
        let matte = try upsampled(Matte(codes), of: plane.kind, export.frame)
        return Raster(width: matte.width, height: matte.height, samples: .gray8(matte.coverage))
    }

    /// A matte at the picture's size, its edges along those of the picture.
    private func upsampled(_ matte: Matte, of kind: PlaneKind, _ frame: PixelOrientation) throws -> Matte {
        let guide = try checkedGuide(guide(frame: frame), width: matte.width, height: matte.height)
        let curve = TransferFunction(profile: guide.colorProfile) ?? .sRGB
        let cutout = try Cutout(guide, along: matte, curve: curve)
        return (hasCoarseMatte && kind == .matte ? cutout.solvedAnew() : cutout.refined()).matte
    }
}
