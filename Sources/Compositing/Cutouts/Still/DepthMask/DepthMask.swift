package import DepthCore
package import DepthModel

/// A matte made from distances.
package struct DepthMask: Sendable {
    /// The matte, at half the photo's size: means of the selection at full size, so that edges are soft.
    package let matte: Matte
    /// The selected fraction of the picture, 0…1. At 0 or 1 the bounds missed the scene.
    package let selectedShare: Double
    /// The range of the map's known disparities, in 1/meters as far as ``scale`` allows.
    package let disparities: ClosedRange<Float>
    /// The far end of the foreground, in 1/meters as far as ``scale`` allows; `nil` without a far bound.
    package let cut: Float?
    /// The meaning of the map's values.
    package let scale: DepthScale
    /// The size of the map that the mask is cut from.
    let mapSize: PixelSize
    /// Full where the map is unknown, at the map's size; `nil` if it is known everywhere.
    let unknownDepth: Matte?

    /// ``disparities`` as distances, nearest to farthest, in meters as far as ``scale`` allows.
    package var distances: ClosedRange<Float> {
        let ends = [disparities.lowerBound, disparities.upperBound].map { $0 > 0 ? 1 / $0 : .infinity }
        return min(ends[0], ends[1])...max(ends[0], ends[1])
    }

    /// ``cut`` as a distance; infinite if it is not in front of the camera.
    package var cutDistance: Float? { cut.map { $0 > 0 ? 1 / $0 : .infinity } }
}

extension DisparityMap {
    /// The mask of a selection, with edges along those of the photo.
    ///
    /// Unknown samples are filled from behind and disparity is upsampled to the photo's size, both guided by the photo. Then
    /// the selection is applied, with smooth steps (3t² − 2t³) in disparity.
    ///
    /// - Throws: `differentAspect` if map and photo show different views; `noKnownDepth`; `noScale` if meters are given for a
    ///   map without a unit; `emptyRange` if near is beyond far.
    package func mask(
        _ selection: DepthSelection, guidedBy photo: ColorImage
    ) throws(CompositingError) -> DepthMask {
        try requireSameView(photo, width: width, height: height)
        let known = finiteOnly
        guard let range = known.statistics.range else { throw .noKnownDepth }
        let filled = known.filled(guidedBy: photo)
        let band = try DisparityRange(selection, of: filled)
        let matte = band.matte(of: filled.enlarged(guidedBy: photo))
        let sum = matte.coverage.reduce(0) { $0 + Int($1) }
        return DepthMask(
            matte: matte, selectedShare: Double(sum) / Double(255 * matte.coverage.count),
            disparities: range, cut: band.cut, scale: scale, mapSize: PixelSize(width: width, height: height),
            unknownDepth: known.unknownSamples)
    }

    /// The coverage of the focused object and everything nearer, with edges along those of a photo. This map has no unknown
    /// samples, and was enlarged to the photo's size from one of `mapSize`.
    package func subject(
        before focus: Float, enlargedFrom mapSize: PixelSize, in photo: ColorImage, curve: TransferFunction
    ) throws(CompositingError) -> Matte {
        let mask = mask(of: DisparityRange(before: focus, of: self), enlargedFrom: mapSize)
        return try mask.cutout(of: photo, curve: curve).matte
    }

    /// The mask of a range, for a map that was enlarged to the photo's size from one of `mapSize`.
    func mask(of range: DisparityRange, enlargedFrom mapSize: PixelSize) -> DepthMask {
        let matte = range.matte(of: self)
        let sum = matte.coverage.reduce(0) { $0 + Int($1) }
        return DepthMask(
            matte: matte, selectedShare: Double(sum) / Double(255 * max(matte.coverage.count, 1)),
            disparities: statistics.range ?? 0...0, cut: range.cut, scale: scale, mapSize: mapSize,
            unknownDepth: nil)
    }

    /// Full where samples are unknown; `nil` if all are known.
    private var unknownSamples: Matte? {
        guard samples.contains(where: \.isNaN) else { return nil }
        return Matte(width: width, height: height, coverage: samples.map { $0.isNaN ? 255 : 0 })
    }
}

extension DepthMap {
    /// The mask of a selection, computed in disparity. See ``DepthCore/DisparityMap/mask(_:guidedBy:)``.
    package func mask(
        _ selection: DepthSelection, guidedBy photo: ColorImage
    ) throws(CompositingError) -> DepthMask {
        try DisparityMap(reciprocalOf: self).mask(selection, guidedBy: photo)
    }
}
