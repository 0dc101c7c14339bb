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
        switch (photo.pixels, colors) {
        case (.uint8(let pixels), .uint8(var subject)):
            for index in pixels.indices where !isMixed[index] { subject[index] = pixels[index] }
            return .uint8(subject)
        case (.uint16(let pixels), .uint16(var subject)):
            for index in pixels.indices where !isMixed[index] { subject[index] = pixels[index] }
            return .uint16(subject)
        case (.uint8, .uint16), (.uint16, .uint8): return photo.pixels
        }
    }
}
