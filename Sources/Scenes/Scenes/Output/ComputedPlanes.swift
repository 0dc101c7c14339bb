internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import PhotoFormats
internal import Sequences

/// The planes of a scene whose source stores no planes: its depth and mattes, upright, decoded once for both the scene
/// and the planes.
struct ComputedPlanes: DerivedSource, PlaneSource {
    let scene: DepthScene

    var planes: [PlaneDescription] { [] }

    // Both protocols implement these five.
    func translucentPicture() throws -> Picture? { try scene.source.translucentPicture() }
    func original() throws -> ColorImage? { try scene.source.original() }
    func matte(_ kind: PlaneKind) throws -> Matte? { try scene.matte(kind) }
    var hasGainMap: Bool { scene.hasGainMap }
    func gainMap() throws -> GainMap? { try scene.gainMap() }

    func requirePlane(_ kind: PlaneKind) throws -> PlaneDescription {
        guard scene.description.planes.contains(kind) else { throw absence(of: kind) }
        return try scene.computedPlane(kind, source: "scene", type: "scene")
    }

    func depthPlane() throws -> PlaneDescription {
        try scene.computedPlane(nil, source: "scene", type: "scene")
    }

    func depthSource(of plane: PlaneDescription, frame _: PixelOrientation) throws -> DepthSource {
        var source = try plane.kind == .depth ? DepthSource(depth()) : DepthSource(disparity())
        source.scale = plane.scale
        return source
    }

    func codes(of plane: PlaneDescription, frame _: PixelOrientation) throws -> SamplePlane {
        guard let matte = try matte(plane.kind) else { throw absence(of: plane.kind) }
        return SamplePlane(
            width: matte.width, height: matte.height, bitDepth: 8, codes: .uint8(matte.coverage))
    }

    func guide(frame _: PixelOrientation) throws -> ColorImage? { try scene.color() }

    func confidenceCodes(frame _: PixelOrientation) throws -> SamplePlane? { try scene.confidence() }

    var focalLength35mm: Int? { scene.description.focalLength35mm }

    var hasCoarseMatte: Bool { scene.description.hasCoarseMatte }

    func check(_ plane: PlaneDescription, for export: PlaneExport) throws {
        guard let quantity = export.quantity, (quantity == .depth) != (plane.kind == .depth) else { return }
        try plane.scale.requireReciprocal()
    }

    /// The map contains its camera.
    func coded(_ coding: DepthCoding) throws -> CodedDepth {
        let scene = scene.treated(coding.treatment)
        return try scene.requireDepth().quantity == .depth
            ? scene.depth().coded(coding) : scene.disparity().coded(coding)
    }

    func summary(name: String) -> [String] {
        let lens = scene.description.lens?.fNumber.map { "  lens    f/\($0.short)" }
        return [name + (scene.description.depth.map { ": depth \($0.size)" } ?? "")]
            + [lens].compactMap(\.self)
    }

    func view(_ eye: Eye, frame _: PixelOrientation) throws -> ColorImage {
        guard let frame = scene.source as? FrameSceneSource else {
            throw SceneError.notStereo("\(eye.rawValue) picture")
        }
        return try frame.view(eye)
    }

    func record(path: String, describing: (Diagnostic) -> String) -> JSONValue {
        let description = scene.description
        let size = description.colorSize ?? description.depth?.size
        return .info(
            path: path, container: nil, width: size?.width ?? 0, height: size?.height ?? 0, orientation: .up,
            camera: (description.cameraMake, description.cameraModel, description.focalLength35mm),
            planes: [], lens: description.lens, warnings: diagnostics.map(describing))
    }
}
