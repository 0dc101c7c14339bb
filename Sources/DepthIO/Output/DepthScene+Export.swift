package import DepthCore
package import DepthModel
internal import ImageCodecs
package import ImageContainers

extension DepthScene {
    /// The scene's depth, or its portrait matte, described as planes of files are. `source` names where it is from, `type` the file that
    /// made it.
    ///
    /// Throws ``SceneError`` where there is none.
    package func computedPlane(_ kind: PlaneKind?, source name: String, type: String) throws -> AuxiliaryPlane
    {
        guard let kind, !kind.isDepth else {
            let depth = try requireDepth()
            var plane = AuxiliaryPlane(
                rasterOf: depth.quantity == .depth ? .depth : .disparity, width: depth.size.width,
                height: depth.size.height, bitDepth: 32, codec: "computed", type: type)
            (plane.source, plane.rasterScale, plane.accuracy) = (name, depth.scale, depth.scale.accuracy)
            plane.calibration = description.cameras.file?.scaled(
                toWidth: depth.size.width, height: depth.size.height)
            return plane
        }
        guard kind.isCoverage, let matte = try matte(kind) else { throw source.absence(of: kind) }
        var plane = AuxiliaryPlane(
            rasterOf: kind, width: matte.width, height: matte.height, bitDepth: 8, codec: "computed",
            type: type)
        plane.source = name
        return plane
    }
}

extension DepthScene: PlaneSource {
    package func depthSource(of plane: AuxiliaryPlane, frame _: PixelOrientation) throws -> DepthSource {
        var source = try plane.kind == .depth ? DepthSource(depth()) : DepthSource(disparity())
        source.scale = plane.scale
        return source
    }

    package func codes(of plane: AuxiliaryPlane, frame _: PixelOrientation) throws -> SamplePlane {
        guard let matte = try matte(plane.kind) else { throw source.absence(of: plane.kind) }
        return SamplePlane(
            width: matte.width, height: matte.height, bitDepth: 8, codes: .uint8(matte.coverage))
    }

    package func guide(frame _: PixelOrientation) throws -> ColorImage? { try color() }

    package func confidenceCodes(frame _: PixelOrientation) throws -> SamplePlane? { try confidence() }

    package var focalLength35mm: Int? { description.focalLength35mm }

    package var hasCoarseMatte: Bool { description.hasCoarseMatte }

    package func check(_ plane: AuxiliaryPlane, for export: PlaneExport) throws {
        guard let quantity = export.quantity, (quantity == .depth) != (plane.kind == .depth) else { return }
        try plane.scale.requireReciprocal()
    }
}
