/// The other Apple properties of auxiliary images: a version, and at most one more value each.
extension XMPProperty {
    /// Marks a portrait matte; iOS 12 writes 65536, iOS 16 writes 65537.
    package static func portraitEffectsMatteVersion(_ version: UInt32 = 65537) -> XMPProperty {
        XMPProperty(.portraitEffectsMatte, "PortraitEffectsMatteVersion", .text("\(version)"))
    }

    /// Marks a semantic matte. Only the auxiliary type URN declares which one.
    package static func semanticSegmentationMatteVersion(_ version: UInt32 = 65536) -> XMPProperty {
        XMPProperty(.semanticSegmentationMatte, "SemanticSegmentationMatteVersion", .text("\(version)"))
    }

    /// Marks a gain map; version 65536 has no other value, 131072 has a headroom.
    package static func hdrGainMapVersion(_ version: UInt32 = 65536) -> XMPProperty {
        XMPProperty(.hdrGainMap, "HDRGainMapVersion", .text("\(version)"))
    }

    /// How many times brighter than SDR white the gain map may make a pixel.
    package static func hdrGainMapHeadroom(_ headroom: Double) throws(ContainerWritingError) -> XMPProperty {
        let text = try DecimalText.sixDecimals(headroom, field: "HDRGainMap:HDRGainMapHeadroom")
        return XMPProperty(.hdrGainMap, "HDRGainMapHeadroom", .text(text))
    }
}
