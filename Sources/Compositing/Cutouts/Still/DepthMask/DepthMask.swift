package import DepthCore
package import DepthModel

/// A matte made from distances.
package struct DepthMask: Sendable {
    /// The matte, at half the photo's size: means of what was decided at its full size, so that edges are soft.
    package let matte: Matte
    /// The share of the picture that is selected, 0…1: 0 or 1 say that bounds missed the scene.
    package let selectedShare: Double
    /// The disparities that are known in the map, in 1/meters as far as ``scale`` goes.
    package let disparities: ClosedRange<Float>
    /// Where foreground ends, in 1/meters as far as ``scale`` goes; `nil` where there is no far bound.
    package let cut: Float?
    /// What values of the map mean.
    package let scale: DepthScale
    /// Samples of the map the mask is cut from.
    let mapSize: PixelSize
    /// Full where the map is unknown, at its size; `nil` where it is known everywhere.
    let unknownDepth: Matte?

    /// ``disparities`` as distances, nearest to farthest, in meters as far as ``scale`` goes.
    package var distances: ClosedRange<Float> {
        let ends = [disparities.lowerBound, disparities.upperBound].map { $0 > 0 ? 1 / $0 : .infinity }
        return min(ends[0], ends[1])...max(ends[0], ends[1])
    }

    /// ``cut`` as a distance; infinite where it does not lie before the camera.
    package var cutDistance: Float? { cut.map { $0 > 0 ? 1 / $0 : .infinity } }
}

extension DisparityMap {
    /// The mask of what a selection takes, with edges where the photo has them.
    ///
    /// Unknown samples are filled from their neighbors; disparity is brought to the photo's size guided by it, then the
    /// selection decides, with smooth steps (3t² − 2t³) in disparity.
    ///
    /// - Throws: `differentAspect` where map and photo do not show the same; `noKnownDepth`; `noScale` where meters are
    ///   asked of a map without a unit; `emptyRange` where near is beyond far.
    package func mask(
        _ selection: DepthSelection, guidedBy photo: ColorImage
    ) throws(CompositingError) -> DepthMask {
        try requireSameView(photo, width: width, height: height)
        let known = finiteOnly
        guard let range = known.statistics.range else { throw .noKnownDepth }
        let filled = known.filled()
        let band = try DisparityRange(selection, of: filled)
        let matte = band.matte(of: filled.enlarged(guidedBy: photo))
        let sum = matte.coverage.reduce(0) { $0 + Int($1) }
        return DepthMask(
            matte: matte, selectedShare: Double(sum) / Double(255 * matte.coverage.count),
            disparities: range, cut: band.cut, scale: scale, mapSize: PixelSize(width: width, height: height),
            unknownDepth: known.unknownSamples)
    }

    /// The coverage of what is in focus and what is nearer, with the edges of a photo, where this map was enlarged to its size from one
    /// of so many samples. For a map without unknown samples.
    package func subject(
        before focus: Float, enlargedFrom mapSize: PixelSize, in photo: ColorImage, curve: TransferFunction
    ) throws(CompositingError) -> Matte {
        let mask = mask(of: DisparityRange(before: focus, of: self), enlargedFrom: mapSize)
        return try mask.cutout(of: photo, curve: curve).matte
    }

    /// The mask of what lies in a range, where this map was enlarged to a photo's size from one of so many samples.
    func mask(of range: DisparityRange, enlargedFrom mapSize: PixelSize) -> DepthMask {
        let matte = range.matte(of: self)
        let sum = matte.coverage.reduce(0) { $0 + Int($1) }
        return DepthMask(
            matte: matte, selectedShare: Double(sum) / Double(255 * max(matte.coverage.count, 1)),
            disparities: statistics.range ?? 0...0, cut: range.cut, scale: scale, mapSize: mapSize,
            unknownDepth: nil)
    }

    /// Full where samples are unknown; `nil` where none are.
    private var unknownSamples: Matte? {
        guard samples.contains(where: \.isNaN) else { return nil }
        return Matte(width: width, height: height, coverage: samples.map { $0.isNaN ? 255 : 0 })
    }
}

extension DepthMap {
    /// The mask of what a selection takes, by way of disparity. See ``DepthCore/DisparityMap/mask(_:guidedBy:)``.
    package func mask(
        _ selection: DepthSelection, guidedBy photo: ColorImage
    ) throws(CompositingError) -> DepthMask {
        try DisparityMap(reciprocalOf: self).mask(selection, guidedBy: photo)
    }
}
