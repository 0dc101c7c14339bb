public import DepthMaps

extension ColorImage {
    /// The image in the color space of another RGB profile (empty: sRGB), converted relative to the white point, without
    /// black point compensation; colors outside it are clipped.
    ///
    /// Returns the image unchanged if both profiles are the same bytes. Throws if one of them cannot be used.
    package func converted(toProfile profile: [UInt8]) throws(ColorProfileError) -> ColorImage {
        guard profile != colorProfile else { return self }
        let source = try ColorProfile(colorProfile)
        let destination = try ColorProfile(profile)
        let transform = try ColorTransform(from: source, .rgb(pixels), to: destination, .rgb(pixels))
        return ColorImage(
            width: width, height: height, pixels: transform(pixels, width: width, height: height),
            colorProfile: profile)
    }

    /// The same pixels, assigned the color space of another profile (empty: sRGB).
    public func assigned(profile: [UInt8]) -> ColorImage {
        ColorImage(width: width, height: height, pixels: pixels, colorProfile: profile)
    }
}

extension RGBAImage {
    /// The image in the color space of another RGB profile (empty: sRGB), converted like
    /// ``ColorImage/converted(toProfile:)``; alpha is unchanged.
    package func converted(toProfile profile: [UInt8]) throws(ColorProfileError) -> RGBAImage {
        guard profile != colorProfile else { return self }
        let source = try ColorProfile(colorProfile)
        let destination = try ColorProfile(profile)
        let transform = try ColorTransform(from: source, .rgba(pixels), to: destination, .rgba(pixels))
        return RGBAImage(
            width: width, height: height, pixels: transform(pixels, width: width, height: height),
            colorProfile: profile)
    }

    /// The same pixels, assigned the color space of another profile (empty: sRGB).
    package func assigned(profile: [UInt8]) -> RGBAImage {
        RGBAImage(width: width, height: height, pixels: pixels, colorProfile: profile)
    }
}
