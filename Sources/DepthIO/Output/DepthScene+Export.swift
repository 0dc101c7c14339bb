internal import DepthCore
package import DepthModel
internal import ImageCodecs
package import ImageContainers

extension DepthScene {
    /// The source with its planes. A scene whose source has none, such as a frame, has those that can be computed.
    package var planeSource: any PlaneSource { source as? any PlaneSource ?? ComputedPlanes(scene: self) }

    /// Decodes a plane and brings it into the form in which it is written. Throws as ``PlaneSource/export(_:as:)`` does.
    package func export(_ plane: PlaneDescription, as export: PlaneExport) throws -> ExportedPlane {
        try planeSource.export(plane, as: export)
    }

    /// The stored depth or disparity as codes. Throws as ``PlaneSource/coded(_:)`` does.
    package func coded(_ coding: DepthCoding) throws -> CodedDepth {
        try cancellable { try planeSource.coded(coding) }
    }

    /// The scene's depth, or its portrait matte, as planes are described. `source` names where it is from, `type` the file that made it.
    ///
    /// Throws ``SceneError`` where there is none.
    package func computedPlane(_ kind: PlaneKind?, source name: String, type: String) throws
        -> PlaneDescription
    {
        guard let kind, !kind.isDepth else {
            let depth = try requireDepth()
            var plane = PlaneDescription(
                computed: depth.quantity == .depth ? .depth : .disparity, width: depth.size.width,
                height: depth.size.height, bitDepth: 32, source: name, type: type, scale: depth.scale)
            plane.calibration = description.cameras.file?.scaled(
                toWidth: depth.size.width, height: depth.size.height)
            return plane
        }
        guard kind.isCoverage, let matte = try matte(kind) else { throw source.absence(of: kind) }
        return PlaneDescription(
            computed: kind, width: matte.width, height: matte.height, bitDepth: 8, source: name, type: type)
    }
}
