internal import Codecs
internal import DepthMaps

extension ColorImage {
    /// One pixel of an sRGB color, at 16 bits.
    init(_ color: RGB<UInt8>) {
        let pixel = RGB(
            red: UInt16(color.red) * 257, green: UInt16(color.green) * 257, blue: UInt16(color.blue) * 257)
        self.init(width: 1, height: 1, pixels: .uint16([pixel]), colorProfile: [])
    }

    /// The color of the first pixel, at 16 bits; black in an empty image.
    var firstPixel: RGB<UInt16> {
        switch pixels {
        case .uint8(let pixels):
            pixels.first.map {
                RGB(red: UInt16($0.red) * 257, green: UInt16($0.green) * 257, blue: UInt16($0.blue) * 257)
            } ?? .black
        case .uint16(let pixels): pixels.first ?? .black
        }
    }

    /// The image converted to the color space of another image, and whether sRGB was assumed because its profile was
    /// unusable.
    func converted(like other: ColorImage) -> (image: ColorImage, ignoresProfile: Bool) {
        if let converted = try? converted(toProfile: other.colorProfile) { return (converted, false) }
        if let converted = try? assigned(profile: []).converted(toProfile: other.colorProfile) {
            return (converted, true)
        }
        return (self, false)
    }
}

extension RGBAImage {
    /// The image converted to the color space of a photo, and whether sRGB was assumed because its profile was
    /// unusable.
    func converted(like photo: ColorImage) -> (image: RGBAImage, ignoresProfile: Bool) {
        if let converted = try? converted(toProfile: photo.colorProfile) { return (converted, false) }
        return ((try? assigned(profile: []).converted(toProfile: photo.colorProfile)) ?? self, true)
    }
}
