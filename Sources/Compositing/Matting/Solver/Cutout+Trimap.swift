internal import DepthCore

extension Cutout {
    /// The cutout with a matte of the photo's size: what the trimap knows, and in between what the photo's colors say.
    ///
    /// See ``MattingTile`` for the energy that is minimized, and the module's README.
    ///
    /// - Parameter trimap: Of the photo's size.
    package func refined(in trimap: Trimap) -> Cutout {
        precondition(
            trimap.width == photo.width && trimap.height == photo.height, "the trimap has the photo's size")
        let coverage =
            switch photo.pixels {
            case .uint8(let pixels): solvedCoverage(pixels, trimap)
            case .uint16(let pixels): solvedCoverage(pixels, trimap)
            }
        return replacing(
            pixels: photo.pixels, matte: Matte(width: photo.width, height: photo.height, coverage: coverage))
    }

    private func solvedCoverage<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>(
        _ pixels: [RGB<Sample>], _ trimap: Trimap
    ) -> [UInt8] {
        let light = PhotoLight(
            width: photo.width, height: photo.height, pixels: pixels, coverage: trimap.codes,
            table: LinearizationTable<Sample>(curve))
        return MattingSolver(pyramid: MattingPyramid(light, trimap, expected: matte)).coverage()
    }
}
