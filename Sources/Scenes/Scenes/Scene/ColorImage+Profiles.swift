internal import Codecs
internal import DepthMaps

extension ColorImage {
    /// One pixel of an sRGB color, at 16 bits.
    init(_ color: RGB<UInt8>) {
        self.init(width: 1, height: 1, pixels: .uint16([color.converted()]), colorProfile: [])
    }

    /// The color of the first pixel, at 16 bits; black in an empty image.
    var firstPixel: RGB<UInt16> {
        func first<Sample>(_ pixels: [RGB<Sample>]) -> RGB<UInt16> { pixels.first?.converted() ?? .black }
        return pixels.apply(first, first)
    }

}

extension ProfiledPicture {
    /// The image converted to the color space of a photo, and whether sRGB was assumed because its profile was
    /// unusable.
    func converted(like photo: ColorImage) -> (image: Self, ignoresProfile: Bool) {
        if let converted = try? converted(toProfile: photo.colorProfile) { return (converted, false) }
        if let converted = try? assigned(profile: []).converted(toProfile: photo.colorProfile) {
            return (converted, true)
        }
        return (self, false)
    }
}
