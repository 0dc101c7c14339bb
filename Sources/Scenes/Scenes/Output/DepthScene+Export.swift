internal import Codecs
internal import DepthMaps
package import DepthTypes
package import PhotoFormats

extension DepthScene {
    /// The source with its planes. If the source stores no planes, such as a frame, the planes that can be computed.
    package var planeSource: any PlaneSource { source as? any PlaneSource ?? ComputedPlanes(scene: self) }

    /// Decodes a plane and converts it to its output form. Throws as ``PlaneSource/export(_:as:)`` does.
    package func export(_ plane: PlaneDescription, as export: PlaneExport) throws -> ExportedPlane {
        try planeSource.export(plane, as: export)
    }

    /// The stored depth or disparity as codes. Throws as ``PlaneSource/coded(_:)`` does.
    package func coded(_ coding: DepthCoding) throws -> CodedDepth {
        try cancellable { try planeSource.coded(coding) }
    }

    /// Describes the scene's depth or portrait matte as a plane. `source` names its origin, `type` the file that made it.
    ///
    /// Throws ``SceneError`` if the scene has neither.
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
