package import DepthMaps
package import DepthTypes

/// A matte made from distances.
package struct DepthMask: Sendable {
    /// The matte, at half the photo's size: means of the selection at full size, so that edges are soft.
    package let matte: Matte
    /// The selected fraction of the picture, 0…1. At 0 or 1 the bounds missed the scene.
    package let selectedShare: Double
    /// The range of the map's known disparities, in 1/meters as far as ``scale`` allows.
    package let disparities: ClosedRange<Float>
    /// The far end of the foreground, in 1/meters as far as ``scale`` allows; `nil` without a far bound.
    package let farCut: Float?
    /// The near end of the foreground, likewise.
    package let nearCut: Float?
    /// The meaning of the map's values.
    package let scale: DepthScale
    /// The size of the map that the mask is cut from.
    let mapSize: PixelSize
    /// Full where the map is unknown, at the map's size; `nil` if it is known everywhere.
    let unknownDepth: Matte?
    /// Whether the mask is an object elsewhere, because nothing stands out where the subject was expected.
    package let isElsewhere: Bool
    /// The fraction of a subject's outline, 0…1, along which it is clearly in front of its surroundings: by more than 8 % of
    /// the map's range. Parts of the outline at nearer objects are not used. 0 if the subject covers less than 1 % of the
    /// picture; `nil` for a selection by numbers and where a network's matte decides.
    package let confidence: Float?
    /// With less confidence, a mask is doubtful.
    package static var leastConfidence: Float { 0.45 }

    /// ``disparities`` as distances, nearest to farthest, in meters as far as ``scale`` allows.
    package var distances: ClosedRange<Float> {
        let ends = [disparities.lowerBound, disparities.upperBound].map { $0 > 0 ? 1 / $0 : .infinity }
        return min(ends[0], ends[1])...max(ends[0], ends[1])
    }

    /// ``farCut`` as a distance; infinite if it is not in front of the camera.
    package var farDistance: Float? { farCut.map { $0 > 0 ? 1 / $0 : .infinity } }

    /// ``nearCut`` as a distance; infinite if it is not in front of the camera.
    package var nearDistance: Float? { nearCut.map { $0 > 0 ? 1 / $0 : .infinity } }

    /// Whether the mask covers a point, or one at most 2 % of the longer side away from it.
    package func covers(_ point: NormalizedPoint) -> Bool {
        let reach = max(matte.width, matte.height) / 50
        func range(_ place: Double, _ count: Int) -> ClosedRange<Int> {
            let middle = DisparityMap.index(place, count)
            return max(middle - reach, 0)...min(middle + reach, count - 1)
        }
        let columns = range(point.x, matte.width)
        return range(point.y, matte.height).contains { row in
            columns.contains { matte.coverage[row * matte.width + $0] >= 128 }
        }
    }
}

extension DepthMask {
    /// The mask of a range of a map without infinite samples.
    fileprivate init(
        _ matte: Matte, _ range: DisparityRange, of map: DisparityMap, mapSize: PixelSize? = nil,
        isElsewhere: Bool = false, confidence: Float? = nil
    ) {
        let sum = matte.coverage.reduce(0) { $0 + Int($1) }
        self.init(
            matte: matte, selectedShare: Double(sum) / Double(255 * max(matte.coverage.count, 1)),
            disparities: map.statistics.range ?? 0...0, farCut: range.farCut, nearCut: range.nearCut,
            scale: map.scale, mapSize: mapSize ?? PixelSize(width: map.width, height: map.height),
            unknownDepth: map.unknownSamples, isElsewhere: isElsewhere, confidence: confidence)
    }
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
        let (filled, known) = try filled(for: photo)
        let range = try DisparityRange(selection, of: filled)
        return DepthMask(range.matte(of: filled.enlarged(guidedBy: photo)), range, of: known)
    }

    /// The mask of the subject at a seed: one object with a near and a far bound, without islands and small holes. Its edges
    /// are along those of the photo. A matte as the seed decides by itself where its coverage is less than a tenth, or more
    /// than nine tenths.
    ///
    /// - Throws: `differentAspect` if map and photo show different views; `noKnownDepth`.
    package func mask(
        of seed: SubjectSeed, guidedBy photo: ColorImage
    ) throws(CompositingError) -> DepthMask {
        let (filled, known) = try filled(for: photo)
        let subject = DepthSubject(at: seed, in: filled)
        let matte = subject.matte(subject.range.matte(of: filled.enlarged(guidedBy: photo)))
        if case .matte(let network) = seed {
            return DepthMask(matte.deciding(where: network), subject.range, of: known)
        }
        return DepthMask(
            matte, subject.range, of: known, isElsewhere: subject.isElsewhere, confidence: subject.confidence)
    }

    /// The map without unknown samples, and the map without infinite ones.
    private func filled(
        for photo: ColorImage
    ) throws(CompositingError) -> (filled: DisparityMap, known: DisparityMap) {
        try requireSameView(photo, width: width, height: height)
        let known = finiteOnly
        guard known.statistics.range != nil else { throw .noKnownDepth }
        return (known.filled(guidedBy: photo), known)
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
        DepthMask(range.matte(of: self), range, of: self, mapSize: mapSize)
    }

    /// Full where samples are unknown; `nil` if all are known.
    fileprivate var unknownSamples: Matte? {
        guard samples.contains(where: \.isNaN) else { return nil }
        return Matte(width: width, height: height, coverage: samples.map { $0.isNaN ? 255 : 0 })
    }
}

extension Matte {
    /// This coverage where that of another matte of the same picture is between a tenth and nine tenths, otherwise what the
    /// other one decides.
    fileprivate func deciding(where other: Matte) -> Matte {
        let other = other.resampled(toWidth: width, height: height, by: .bilinear)
        return Matte(
            width: width, height: height,
            coverage: zip(coverage, other.coverage).map { own, other in
                26...229 ~= other ? own : other < 128 ? 0 : 255
            })
    }
}

extension DepthMap {
    /// The mask of a selection, computed in disparity. See ``DepthMaps/DisparityMap/mask(_:guidedBy:)``.
    package func mask(
        _ selection: DepthSelection, guidedBy photo: ColorImage
    ) throws(CompositingError) -> DepthMask {
        try DisparityMap(reciprocalOf: self).mask(selection, guidedBy: photo)
    }
}
