internal import DepthTypes

/// The kind of plane that an auxiliary image type names (`auxC` in HEIF, `AuxiliaryImageType` in JPEG).
///
/// `urn:mpeg:hevc:2015:auxid:2` and similar types mean both depth and disparity; see ``AppleAuxiliaryMetadata/quantity`` and
/// ``DepthRepresentation/quantity``.
func planeKind(ofAuxiliaryType type: String) -> PlaneKind {
    switch type {
    case "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:avc:2015:auxid:1",
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha":
        .alpha
    case "urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:avc:2015:auxid:2",
        "urn:mpeg:mpegB:cicp:systems:auxiliary:depth":
        .depth
    case "urn:com:apple:photo:2018:aux:portraiteffectsmatte": .matte
    case "urn:com:apple:photo:2019:aux:semanticskinmatte": .skin
    case "urn:com:apple:photo:2019:aux:semantichairmatte": .hair
    case "urn:com:apple:photo:2019:aux:semanticteethmatte": .teeth
    case "urn:com:apple:photo:2020:aux:semanticglassesmatte": .glasses
    case "urn:com:apple:photo:2020:aux:semanticskymatte": .sky
    case "urn:com:apple:photo:2020:aux:hdrgainmap", "urn:com:samsung:photo:2024:aux:hdrgainmap": .gainMap
    default: .unknown
    }
}
