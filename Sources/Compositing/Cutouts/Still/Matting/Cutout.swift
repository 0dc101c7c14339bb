package import DepthCore
internal import DepthModel

/// A photo and the matte that says what of it is kept: ready to be set before another picture, or before none.
///
/// Light mixes linearly: codes become light by the tone curve, are mixed in the shares that the matte gives, and
/// become codes again. What is fully in front keeps its codes exactly, and what is fully behind gets exactly the
/// background's.
///
/// The matte may have any size: it is read between its samples as rows are written, and no large one is made.
package struct Cutout: Sendable {
    /// The photo; after ``decontaminated()`` its soft pixels have the color of the foreground alone.
    package let photo: ColorImage
    /// The share of the foreground, at any size.
    package let matte: Matte
    /// How the photo's codes become light.
    package let curve: TransferFunction

    /// The subject of a photo by a matte of the same view, which loses its coding noise
    /// (``DepthCore/Matte/removingCodingNoise()``).
    ///
    /// - Throws: `empty` where one of them has no pixels; `differentAspect` where their sizes cannot be those of one view
    ///   (``DepthModel/PixelSize/hasSameAspect(as:)``).
    package init(_ photo: ColorImage, along matte: Matte, curve: TransferFunction = .sRGB)
        throws(CompositingError)
    {
        try requireSameView(photo, width: matte.width, height: matte.height)
        self.photo = photo
        self.matte = matte.removingCodingNoise()
        self.curve = curve
    }

    /// A picture by its opacity, which is used as it is: its colors are those of the foreground alone.
    ///
    /// - Throws: As ``init(_:along:curve:)``.
    package init(_ picture: ColorImage, opacity: Matte, curve: TransferFunction) throws(CompositingError) {
        try requireSameView(picture, width: opacity.width, height: opacity.height)
        self.init(photo: picture, matte: opacity, curve: curve)
    }

    /// The cutout of a picture that is transparent itself: its shares, multiplied by the picture's opacity.
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

    /// A photo and a matte of the same view, as they are.
    init(photo: ColorImage, matte: Matte, curve: TransferFunction) {
        (self.photo, self.matte, self.curve) = (photo, matte, curve)
    }

    var runs: AlphaSpans { AlphaSpans(matte, width: photo.width, height: photo.height) }
}

/// Throws where a plane of this size does not show what the photo shows.
func requireSameView(_ photo: ColorImage, width: Int, height: Int) throws(CompositingError) {
    let (photo, plane) = (
        PixelSize(width: photo.width, height: photo.height), PixelSize(width: width, height: height)
    )
    guard photo.width > 0, photo.height > 0, width > 0, height > 0 else { throw .empty }
    guard plane.hasSameAspect(as: photo) else { throw .differentAspect(photo: photo, plane: plane) }
}
