internal import Compositing
internal import DepthCore
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

    /// A plane of the scene in the form in which it is written.
    ///
    /// Throws ``DepthScaleError/affine`` where depth is wanted of disparity without a scale, otherwise as ``DepthInput/export(_:as:)``
    /// does.
    package func export(_ plane: AuxiliaryPlane, as export: PlaneExport) throws -> ExportedPlane {
        guard plane.kind.isDepth else { return try exportMatte(plane, export) }
        let isDepth = plane.kind == .depth
        if let quantity = export.quantity, (quantity == .depth) != isDepth {
            try plane.scale.requireReciprocal()
        }
        let map: any FloatPlane = isDepth ? try depth() : try disparity()
        let source = DepthSource(
            map.samples, width: map.width, height: map.height, quantity: isDepth ? .depth : .disparity,
            scale: plane.scale, declared: nil)
        let treated = try source.treated(
            export.treatment, guide: { try color() }, confidence: { try confidence() })
        return try ExportedPlane(plane, export, treated, focalLength35mm: description.focalLength35mm)
    }

    private func exportMatte(_ plane: AuxiliaryPlane, _ export: PlaneExport) throws -> ExportedPlane {
        guard var matte = try matte(plane.kind) else { throw source.absence(of: plane.kind) }
        if export.treatment.upsamples {
            let guide = try checkedGuide(color(), width: matte.width, height: matte.height)
            let curve = TransferFunction(profile: guide.colorProfile) ?? .sRGB
            let cutout = try Cutout(guide, along: matte, curve: curve)
            let isCoarse = description.hasCoarseMatte && plane.kind == .matte
            matte = (isCoarse ? cutout.solvedAnew() : cutout.refined()).matte
        }
        return ExportedPlane(
            plane, export, kind: plane.kind.rawValue,
            raster: Raster(width: matte.width, height: matte.height, samples: .gray8(matte.coverage)))
    }
}
