internal import DepthMaps
internal import DepthTypes

extension ColorImage {
    /// The image with a profile for colors that are coded in this way, in standard range; unchanged if it has a profile.
    func described(by color: CodedColor) -> ColorImage {
        guard colorProfile.isEmpty else { return self }
        return (color.isHDR ? inStandardRange(from: color) : self).assigned(profile: color.colorProfile())
    }
}

extension RGBAImage {
    /// As ``ColorImage/described(by:)``.
    func described(by color: CodedColor) -> RGBAImage {
        guard colorProfile.isEmpty else { return self }
        return (color.isHDR ? inStandardRange(from: color) : self).assigned(profile: color.colorProfile())
    }
}
