package import DepthMaps
internal import DepthTypes

/// A photo and the matte of its subject, ready to be composited over another picture or saved with transparency.
///
/// Compositing is linear: stored values are converted to light by the tone curve, mixed in the matte's fractions, and
/// converted back. Fully opaque pixels keep their values exactly, and fully transparent ones get exactly the background's.
///
/// The matte may have any size: it is interpolated as rows are written, and no large one is allocated.
package struct Cutout: Sendable {
    /// The photo; after ``decontaminated()`` its soft pixels have the color of the foreground alone.
    package let photo: ColorImage
    /// The fraction of the foreground, at any size.
    package let matte: Matte
    /// The curve from the photo's stored values to light.
    package let curve: TransferFunction

    /// The subject of a photo, by a matte of the same view. Coding noise is removed from the matte
    /// (``DepthMaps/Matte/removingCodingNoise()``).
    ///
    /// - Throws: `empty` if one of them has no pixels; `differentAspect` if their sizes cannot show the same view
    ///   (``DepthTypes/PixelSize/hasSameAspect(as:)``).
    package init(_ photo: ColorImage, along matte: Matte, curve: TransferFunction = .sRGB)
        throws(CompositingError)
    {
        try requireSameView(photo, width: matte.width, height: matte.height)
        self.photo = photo
        self.matte = matte.removingCodingNoise()
        self.curve = curve
    }

    /// A picture with its opacity, which is used unchanged: its colors are already free of background.
    ///
    /// - Throws: As ``init(_:along:curve:)``.
    package init(_ picture: ColorImage, opacity: Matte, curve: TransferFunction) throws(CompositingError) {
        try requireSameView(picture, width: opacity.width, height: opacity.height)
        self.init(photo: picture, matte: opacity, curve: curve)
    }

    /// The cutout of a picture that is transparent itself: its matte, multiplied by the picture's opacity.
    package func limited(to opacity: Matte) -> Cutout {
        let shares = matte.resampled(toWidth: photo.width, height: photo.height, by: .bilinear).coverage
        let alphas = opacity.resampled(toWidth: photo.width, height: photo.height, by: .bilinear).coverage
        let coverage = zip(shares, alphas).map { UInt8((UInt16($0) * UInt16($1) + 127) / 255) }
        return Cutout(
            photo: photo, matte: Matte(width: photo.width, height: photo.height, coverage: coverage),
            curve: curve)
    }

    /// The cutout with other pixels of the same size, and another matte.
    func replacing(pixels: ColorImage.Pixels, matte: Matte) -> Cutout {
        Cutout(
            photo: ColorImage(
                width: photo.width, height: photo.height, pixels: pixels, colorProfile: photo.colorProfile),
            matte: matte, curve: curve)
    }

    /// A photo and a matte of the same view, unchanged.
    init(photo: ColorImage, matte: Matte, curve: TransferFunction) {
        (self.photo, self.matte, self.curve) = (photo, matte, curve)
    }

    var runs: AlphaSpans { AlphaSpans(matte, width: photo.width, height: photo.height) }
}

/// Throws if a plane of this size cannot show the photo's view.
func requireSameView(_ photo: ColorImage, width: Int, height: Int) throws(CompositingError) {
    let (photo, plane) = (
        PixelSize(width: photo.width, height: photo.height), PixelSize(width: width, height: height)
    )
    guard photo.width > 0, photo.height > 0, width > 0, height > 0 else { throw .empty }
    guard plane.hasSameAspect(as: photo) else { throw .differentAspect(photo: photo, plane: plane) }
}
