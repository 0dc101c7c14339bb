internal import Bytes
internal import DepthTypes

/// Planes whose images are in the photo's XMP in base64.
struct XMPPayloads {
    private let xmp: XMPProperties
    private let limits: DecodingLimits
    private let carrier: PlaneCarrier
    private let orientation: Orientation
    /// The offset of the packet in the file.
    let offset: Int

    /// The images in the XMP of a photo; `carrier` is the layout.
    init(_ file: JPEGFile, _ xmp: XMPProperties, carrier: PlaneCarrier, orientation: Orientation) {
        (self.xmp, self.carrier, self.orientation) = (xmp, carrier, orientation)
        limits = file.limits
        offset = file.header.xmp?.lowerBound ?? 0
    }

    /// Describes the plane at a path of the XMP by the first bytes of its image.
    ///
    /// Throws if the image is missing or its header damaged.
    func plane(_ kind: PlaneKind, _ type: String, at path: XMPPath) throws(ContainerError) -> AuxiliaryPlane {
        guard let text = xmp[path]?.text, !text.isEmpty else {
            throw ContainerError(
                .malformed(rule: "the photo's XMP describes \(type), but does not contain it"), at: offset,
                in: StructurePath("XMP"))
        }
        let header = try StreamHeader(base64: text, at: offset, limits: limits)
        return AuxiliaryPlane(
            kind: kind, width: header.width, height: header.height, codedWidth: header.width,
            codedHeight: header.height, bitDepth: header.bitDepth, components: header.components,
            codec: header.format.rawValue, carrier: carrier, type: type, orientation: orientation,
            location: .xmpPayload(path))
    }
}
