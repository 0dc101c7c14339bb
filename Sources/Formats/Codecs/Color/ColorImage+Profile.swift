public import DepthMaps

extension ProfiledPicture {
    /// The image in the color space of another RGB profile (empty: sRGB), converted relative to the white point, without
    /// black point compensation; colors outside it are clipped, and opacity is unchanged.
    ///
    /// Returns the image unchanged if both profiles are the same bytes. Throws if one of them cannot be used.
    package func converted(toProfile profile: [UInt8]) throws(ColorProfileError) -> Self {
        guard profile != colorProfile else { return self }
        let source = try ColorProfile(colorProfile)
        let destination = try ColorProfile(profile)
        let format = ColorTransform.PixelFormat.rgb(is16Bit: pixels.is16Bit, hasAlpha: Self.hasAlpha)
        let transform = try ColorTransform(from: source, format, to: destination, format)
        return Self(
            width: width, height: height, pixels: transform(pixels, width: width, height: height),
            colorProfile: profile)
    }
}

extension ColorImage {
    /// The same pixels, assigned the color space of another profile (empty: sRGB).
    public func assigned(profile: [UInt8]) -> ColorImage {
        ColorImage(width: width, height: height, pixels: pixels, colorProfile: profile)
    }
}
