package import DepthMaps

extension ColorImage {
    /// The photo with the blur of a lens with a wide aperture.
    ///
    /// - Parameters:
    ///   - aperture: The focus and the size of the aperture.
    ///   - disparity: The scene, at the photo's size (``DisparityMap/upsampled(guidedBy:)``). Unknown samples are treated as
    ///     infinitely far: fill them first.
    ///   - matte: The subject's coverage, of any size. Where the subject is nearer than its surroundings, the matte and not
    ///     the disparity decides what belongs to it: hair stays with the head.
    ///   - isMatteOfDepth: Whether the matte is cut from the disparity: then it is soft where that is uncertain, and not because
    ///     of hair.
    ///   - transferFunction: The curve from stored values to light. Discs are summed in light.
    ///   - highlights: Pixels whose light was above white. Out of focus, they become discs that are brighter than white would
    ///     be; the result is clipped to white.
    ///
    /// Pixels in focus keep their exact values, unless something out of focus spreads over them. Discs are limited to
    /// ``SyntheticAperture/maximumRadius(width:height:)``. The module's README describes the method.
    package func blurred(
        by aperture: SyntheticAperture, disparity: consuming DisparityMap, matte: Matte? = nil,
        isMatteOfDepth: Bool = false, transferFunction: TransferFunction = .sRGB,
        highlights: Highlights = .none
    ) -> ColorImage {
        precondition(disparity.width == width && disparity.height == height, "the map has the photo's size")
        guard width > 0, height > 0 else { return self }
        let matte = matte?.scaled(toFit: self)
        let field = DefocusField(consume disparity, matte, aperture, isMatteOfDepth: isMatteOfDepth)
        let mixed = field.mixed
        let subject = matte.flatMap {
            mixed.contains(true) ? SoftSubject($0, of: self, curve: transferFunction) : nil
        }
        // Mixed pixels have the subject's color, not that of a lamp behind it.
        return rendered(
            subject?.pixels(of: self, where: mixed), field, transferFunction, highlights.removing(mixed))
    }

    /// The same as ``blurred(by:disparity:matte:transferFunction:)``, with a subject whose colors are already known. Use it
    /// to render the same photo with several lenses.
    package func blurred(
        by aperture: SyntheticAperture, disparity: DisparityMap, subject: SoftSubject?,
        transferFunction: TransferFunction = .sRGB
    ) -> ColorImage {
        precondition(disparity.width == width && disparity.height == height, "the map has the photo's size")
        guard width > 0, height > 0 else { return self }
        let field = DefocusField(disparity, subject?.matte, aperture)
        return rendered(subject?.pixels(of: self, where: field.mixed), field, transferFunction, .none)
    }

    /// `subject` are the photo's pixels, with the subject's own colors in partly covered ones.
    private func rendered(
        _ subject: Pixels?, _ field: DefocusField, _ curve: TransferFunction, _ highlights: Highlights
    ) -> ColorImage {
        func blurred<Sample: PictureSample>(_ photo: [RGB<Sample>]) -> [RGB<Sample>] {
            let subject = subject.map { Sample.pixels(of: $0) }
            return DefocusRenderer(photo, subject: subject, field, curve, highlights).rendered()
        }
        return ColorImage(
            width: width, height: height, pixels: pixels.map(blurred, blurred), colorProfile: colorProfile)
    }
}

extension Matte {
    /// The matte at the size of a photo, following its edges; `nil` for a matte without samples.
    func scaled(toFit photo: ColorImage) -> Matte? {
        guard !coverage.isEmpty else { return nil }
        return width == photo.width && height == photo.height ? self : enlarged(guidedBy: photo)
    }
}
