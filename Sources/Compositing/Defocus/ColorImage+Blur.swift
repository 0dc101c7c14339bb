package import DepthCore

extension ColorImage {
    /// The photo as a lens of wide aperture would have taken it.
    ///
    /// - Parameters:
    ///   - aperture: Where the lens is focused and how wide it is open.
    ///   - disparity: The scene, at the photo's size (``DisparityMap/upsampled(guidedBy:)``). Unknown samples count as infinitely
    ///     far away: fill them first.
    ///   - matte: The subject's coverage, of any size. Where the subject is nearer than what surrounds it, the matte and not the disparity
    ///     decides what belongs to it: hair stays with the head.
    ///   - transferFunction: How codes become light, in which discs are summed.
    ///
    /// Pixels in focus are kept to the code, unless something out of focus spreads over them. Discs are limited to
    /// ``SyntheticAperture/maximumRadius(width:height:)``. How it works: see the module's README.
    package func blurred(
        by aperture: SyntheticAperture, disparity: DisparityMap, matte: Matte? = nil,
        transferFunction: TransferFunction = .sRGB
    ) -> ColorImage {
        precondition(disparity.width == width && disparity.height == height, "the map has the photo's size")
        guard width > 0, height > 0 else { return self }
        let matte = matte?.scaled(toFit: self)
        let field = DefocusField(disparity, matte, aperture)
        let blurred: Pixels =
            switch (pixels, subjectColors(matte, transferFunction)) {
            case (.uint8(let pixels), .uint8(let subject)):
                .uint8(DefocusRenderer(field.colors(pixels, subject), field, transferFunction).rendered())
            case (.uint16(let pixels), .uint16(let subject)):
                .uint16(DefocusRenderer(field.colors(pixels, subject), field, transferFunction).rendered())
            case (.uint8(let pixels), _): .uint8(DefocusRenderer(pixels, field, transferFunction).rendered())
            case (.uint16(let pixels), _):
                .uint16(DefocusRenderer(pixels, field, transferFunction).rendered())
            }
        return ColorImage(width: width, height: height, pixels: blurred, colorProfile: colorProfile)
    }

    /// What the subject looks like where the picture shows it mixed with what is behind; `nil` without a subject.
    private func subjectColors(_ matte: Matte?, _ curve: TransferFunction) -> Pixels? {
        guard let matte, matte.coverage.contains(where: { 1..<255 ~= $0 }) else { return nil }
        return Cutout(photo: self, matte: matte, curve: curve).decontaminated().photo.pixels
    }
}

extension DefocusField {
    /// The picture, with the subject's own colors where it covers a part of a pixel.
    func colors<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>(
        _ pixels: [RGB<Sample>], _ subject: [RGB<Sample>]
    ) -> [RGB<Sample>] {
        parallelMapRows(width: width, height: height) { rows, output in
            let range = rows.lowerBound * width..<rows.upperBound * width
            let (pixels, subject) = (pixels.span.extracting(range), subject.span.extracting(range))
            let mixed = mixed.span.extracting(range)
            for index in pixels.indices { output[index] = mixed[index] ? subject[index] : pixels[index] }
        }
    }
}

extension Matte {
    /// The matte at the size of a photo, following its edges; `nil` for a matte without samples.
    func scaled(toFit photo: ColorImage) -> Matte? {
        guard !coverage.isEmpty else { return nil }
        return width == photo.width && height == photo.height ? self : enlarged(guidedBy: photo)
    }
}
