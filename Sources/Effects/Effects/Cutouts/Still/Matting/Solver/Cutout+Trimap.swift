internal import DepthMaps

extension Cutout {
    /// The cutout with a matte of the photo's size: known parts by the trimap, the rest by the photo's colors.
    ///
    /// See ``MattingTile`` for the energy that is minimized, and the module's README.
    ///
    /// - Parameters:
    ///   - trimap: Of the photo's size.
    ///   - maskTrust: The weight of the matte beside known parts, and where it changes slowly: see ``TrimapPrior``. 0 if it
    ///     is only a guess; ``DepthMask/trust`` for one that was cut from depth.
    package func refined(in trimap: Trimap, maskTrust: Float = 0) -> Cutout {
        precondition(
            trimap.width == photo.width && trimap.height == photo.height, "the trimap has the photo's size")
        func solved<Sample>(_ pixels: [RGB<Sample>]) -> [UInt8] {
            let light = PhotoLight(
                width: photo.width, height: photo.height, pixels: pixels, coverage: trimap.codes,
                table: TransferFunctionTable<Sample>(curve))
            let pyramid = MattingPyramid(light, trimap, expected: matte)
            return MattingSolver(pyramid, maskTrust: maskTrust).coverage()
        }
        let coverage = photo.pixels.apply(solved, solved)
        return replacing(
            pixels: photo.pixels, matte: Matte(width: photo.width, height: photo.height, coverage: coverage))
    }
}
