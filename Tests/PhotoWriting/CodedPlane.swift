internal import Bytes
package import DepthTypes
internal import TestSupport

@testable internal import PhotoFormats

/// The coded form of a plane of a test image, for use in hand-made files.
package struct CodedPlane {
    /// The payload of `hvcC`.
    package var configuration: [UInt8]
    /// Length-prefixed NAL units.
    package var nalUnits: [UInt8]
    package var width: Int
    package var height: Int

    /// A plane of `portrait.heic`.
    package static func hevc(_ kind: PlaneKind) throws -> CodedPlane {
        let bytes = try TestImages.bytes("portrait.heic")
        let file = try HEIFFile(MemorySource(bytes), start: bytes, limits: DecodingLimits())
        for reference in file.references where reference.type == "auxl" {
            let properties = try file.properties(ofItem: reference.from)
            let type = properties.auxiliaryType.map(planeKind)
            guard type == kind || type == .depth && kind == .disparity, let size = properties.size,
                let configuration = properties.hevcConfiguration
            else { continue }
            let data = try file.data(ofItem: reference.from, limit: .codedBytes).bytes
            return CodedPlane(
                configuration: Array(bytes[configuration]), nalUnits: data, width: size.width,
                height: size.height)
        }
        throw PlaneMissing()
    }

    /// The JPEG stream of a plane of `portrait.jpg`.
    package static func jpeg(_ kind: PlaneKind) throws -> [UInt8] {
        let bytes = try TestImages.bytes("portrait.jpg")
        let container = try parseContainer(MemorySource(bytes), limits: DecodingLimits())
        guard case .jpegStream(let range)? = container.planes.first(where: { $0.kind == kind })?.location
        else {
            throw PlaneMissing()
        }
        return Array(bytes[range])
    }

    private struct PlaneMissing: Error {}
}
