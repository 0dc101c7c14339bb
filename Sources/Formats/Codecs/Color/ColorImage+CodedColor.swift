internal import DepthMaps
internal import DepthTypes

extension ColorImage {
    /// The image with a profile for colors that are coded in this way; unchanged if it has a profile. Unless PQ and HLG are kept
    /// in 16 bits, it is in standard range.
    func described(by color: CodedColor, keepingHDR: Bool) -> ColorImage {
        guard colorProfile.isEmpty else { return self }
        guard color.isHDR, !(keepingHDR && pixels.is16Bit) else {
            return assigned(profile: color.colorProfile())
        }
        return inStandardRange(from: color).assigned(profile: color.inStandardRange.colorProfile())
    }
}

extension RGBAImage {
    /// As ``ColorImage/described(by:keepingHDR:)``, in standard range.
    func described(by color: CodedColor) -> RGBAImage {
        guard colorProfile.isEmpty else { return self }
        return (color.isHDR ? inStandardRange(from: color) : self)
            .assigned(profile: color.inStandardRange.colorProfile())
    }
}
