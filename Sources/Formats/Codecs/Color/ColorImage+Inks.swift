internal import DepthMaps

/// A pixel of four inks as Adobe stores it in JPEG: the largest value means no ink.
struct CMYK: BitwiseCopyable, Sendable {
    var cyan, magenta, yellow, black: UInt8
}

extension ColorImage {
    /// Converts inks to sRGB: by their profile, or without one by the light that each ink absorbs, like filters.
    init(inks: [CMYK], width: Int, height: Int, colorProfile: [UInt8]) {
        let pixels =
            Self.converted(inks, width: width, height: height, profile: colorProfile) ?? Self.filtered(inks)
        self.init(width: width, height: height, pixels: .uint8(pixels), colorProfile: [])
    }

    private static func converted(
        _ inks: [CMYK], width: Int, height: Int, profile: [UInt8]
    ) -> [RGB<UInt8>]? {
        guard !profile.isEmpty, let source = try? ColorProfile(profile, of: .cmyk),
            let destination = try? ColorProfile([]),
            let transform = try? ColorTransform(
                from: source, .invertedCMYK8, to: destination, .rgb(is16Bit: false))
        else { return nil }
        return transform(inks, width: width, height: height)
    }

    private static func filtered(_ inks: [CMYK]) -> [RGB<UInt8>] {
        var pixels: [RGB<UInt8>] = []
        pixels.reserveCapacity(inks.count)
        for ink in inks {
            let black = Int(ink.black)
            pixels.append(
                RGB(
                    red: UInt8((Int(ink.cyan) * black + 127) / 255),
                    green: UInt8((Int(ink.magenta) * black + 127) / 255),
                    blue: UInt8((Int(ink.yellow) * black + 127) / 255)))
        }
        return pixels
    }

    /// Converts a gray image with a gray profile to sRGB; returns any other image unchanged. A profile that cannot be used is
    /// replaced by sRGB.
    func resolvingGrayProfile() -> ColorImage {
        guard let source = try? ColorProfile(colorProfile, of: .gray), let destination = try? ColorProfile([])
        else { return self }
        let transform = try? ColorTransform(
            from: source, .grayInRGB(is16Bit: is16Bit), to: destination, .rgb(is16Bit: is16Bit))
        guard let transform else { return assigned(profile: []) }
        return ColorImage(
            width: width, height: height, pixels: transform(pixels, width: width, height: height),
            colorProfile: [])
    }
}
