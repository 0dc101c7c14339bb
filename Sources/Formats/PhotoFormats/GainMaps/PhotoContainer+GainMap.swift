package import Bytes
package import DepthTypes

extension PhotoContainer {
    /// The parameters of a photo's gain map: Apple's, from its XMP or else the photo's maker note; otherwise those of ISO 21496-1
    /// or of `hdrgm` in its XMP.
    ///
    /// Throws if they are missing or broken, or if the photo itself is the HDR rendition.
    package func gainMapParameters(
        of plane: AuxiliaryPlane, limits: DecodingLimits
    ) throws(ContainerError) -> GainMapParameters {
        let xmp = try planeXMP(plane)
        if plane.type == "urn:com:apple:photo:2020:aux:hdrgainmap" || xmp.contains(namespace: Self.apple) {
            return .apple(try appleHeadroom(xmp, limits))
        }
        let block = try gainMapBlock(of: plane)
        if block.bytes.count > StandardGainMap.versionByteCount {
            return .standard(try StandardGainMap(parsing: block.bytes, at: block.offset))
        }
        return .standard(try StandardGainMap(xmp))
    }

    private static var apple: String { "http://ns.apple.com/HDRGainMap/1.0/" }

    private func appleHeadroom(
        _ xmp: XMPProperties, _ limits: DecodingLimits
    ) throws(ContainerError) -> AppleHeadroom {
        if let text = xmp[Self.apple, "HDRGainMapHeadroom"]?.text {
            guard let light = Double(text), light >= 1, light <= 65_536 else {
                throw ContainerError(
                    .malformed(rule: "HDRGainMapHeadroom is '\(text)', not a number of 1 or more"),
                    in: StructurePath("XMP"))
            }
            return .light(light)
        }
        let exif = try photoExif().bytes
        guard !exif.isEmpty, let stops = try AppleMakerNote(inExif: exif, limits: limits)?.stops() else {
            throw ContainerError(
                .malformed(rule: "neither XMP nor the maker note has the headroom of the gain map"))
        }
        return .stops(stops)
    }
}
