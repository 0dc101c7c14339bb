internal import CLCMS

/// Why colors cannot be converted between two profiles. Callers usually fall back to sRGB.
package enum ColorProfileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The profile is not a readable ICC profile, or lacks data that a conversion needs.
    case unreadable
    /// The profile describes another kind of color (an ICC signature such as `CMYK`).
    case otherColors(String)

    /// What is wrong.
    package var description: String {
        switch self {
        case .unreadable: "the color profile cannot be read"
        case .otherColors(let kind): "the color profile is one of '\(kind)' colors"
        }
    }
}

/// An ICC profile as LittleCMS holds it.
@safe
struct ColorProfile: ~Copyable {
    /// The kinds of color that are converted.
    enum Kind {
        case rgb
        case gray
        case cmyk

        fileprivate var signature: cmsColorSpaceSignature {
            switch self {
            case .rgb: cmsSigRgbData
            case .gray: cmsSigGrayData
            case .cmyk: cmsSigCmykData
            }
        }
    }

    let handle: cmsHPROFILE

    /// Reads a profile and checks its kind of color; an empty array means sRGB.
    init(_ bytes: [UInt8], of kind: Kind = .rgb) throws(ColorProfileError) {
        let opened =
            unsafe bytes.isEmpty
            ? cmsCreate_sRGBProfile() : cmsOpenProfileFromMem(bytes, UInt32(clamping: bytes.count))
        guard let opened = unsafe opened else { throw .unreadable }
        let found = unsafe cmsGetColorSpace(opened)
        guard found == kind.signature else {
            _ = unsafe cmsCloseProfile(opened)
            throw .otherColors(Self.text(found.rawValue))
        }
        unsafe handle = unsafe opened
    }

    deinit { _ = unsafe cmsCloseProfile(handle) }

    private static func text(_ signature: UInt32) -> String {
        let bytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: signature >> $0) }
        let printable = bytes.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: printable, as: UTF8.self)
    }
}
