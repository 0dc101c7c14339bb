/// The contents of an application segment of a JPEG image, recognized by its marker and the text at the start of its payload.
package enum JPEGSegmentKind: String, CaseIterable, Sendable {
    /// Density and version (ITU-T T.871).
    case jfif = "JFIF"
    /// The Exif block (CIPA DC-008).
    case exif = "Exif"
    /// The main XMP packet (XMP specification part 3, §1.1.3).
    case xmp = "XMP"
    /// A piece of the packet that does not fit the main one.
    case extendedXMP = "extended XMP"
    /// The index of images (CIPA DC-007).
    case multiPicture = "MPF"
    /// A piece of the ICC profile.
    case colorProfile = "ICC"
    /// The parameters of a gain map (ISO 21496-1).
    case gainMap = "ISO 21496-1"
    /// The arrangement of the two pictures of a JPS file.
    case stereo = "JPS"

    /// The second byte of the marker.
    package var marker: UInt8 {
        switch self {
        case .jfif: 0xE0
        case .exif, .xmp, .extendedXMP: 0xE1
        case .multiPicture, .colorProfile, .gainMap: 0xE2
        case .stereo: 0xE3
        }
    }

    /// The first bytes of the payload.
    package var signature: [UInt8] {
        switch self {
        case .jfif: Array("JFIF\0".utf8)
        case .exif: Array("Exif\0\0".utf8)
        case .xmp: Array("http://ns.adobe.com/xap/1.0/\0".utf8)
        case .extendedXMP: Array("http://ns.adobe.com/xmp/extension/\0".utf8)
        case .multiPicture: Array("MPF\0".utf8)
        case .colorProfile: Array("ICC_PROFILE\0".utf8)
        case .gainMap: Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
        case .stereo: Array("_JPSJPS_".utf8)
        }
    }
}
