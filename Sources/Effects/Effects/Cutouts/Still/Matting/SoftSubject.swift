package import DepthMaps

/// The subject of a photo where it partly covers pixels: the covered fraction, and the subject's color without the
/// background's, as computed by ``Cutout/decontaminated()``.
package struct SoftSubject: Sendable {
    /// The subject's fraction of each pixel, at the photo's size.
    package let matte: Matte
    /// The photo, with the subject's own color in partly covered pixels.
    let colors: ColorImage.Pixels

    /// The subject by a matte of the same view, of any size; `nil` for a matte without samples.
    package init?(_ matte: Matte, of photo: ColorImage, curve: TransferFunction) {
        guard let matte = matte.scaled(toFit: photo) else { return nil }
        self.matte = matte
        colors = Cutout(photo: photo, matte: matte, curve: curve).decontaminated().photo.pixels
    }

    /// The photo's pixels, with the subject's own colors where `isMixed` is set.
    func pixels(of photo: ColorImage, where isMixed: [Bool]) -> ColorImage.Pixels {
        func mixed<Sample: PictureSample>(_ pixels: [RGB<Sample>]) -> [RGB<Sample>] {
            var subject = Sample.pixels(of: colors)
            for index in pixels.indices where !isMixed[index] { subject[index] = pixels[index] }
            return subject
        }
        return photo.pixels.map(mixed, mixed)
    }
}
