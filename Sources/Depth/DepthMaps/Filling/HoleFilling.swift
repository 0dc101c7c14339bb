extension DisparityMap {
    /// The map without unknown samples, unless all are unknown: each hole is filled with what continues behind the objects
    /// around it. Known samples stay; infinite samples stay and have no influence. 0 is as far as any value: a hole beside a
    /// sky is sky.
    ///
    /// Holes beside a near object are mostly what one of two cameras could not see, so the near edge does not spread into
    /// them. Surfaces continue as planes. Values never leave the range of the known samples, with one exception.
    ///
    /// 1. Each sample of a hole looks in 8 directions for the rim, and continues the plane of the rim's surface to itself.
    /// 2. A survey picks a far value: the weighted first quintile, weighted by 1/√distance and farness.
    /// 3. Rim samples that are nearer than the survey in most of the hole before them are occluders, and lose their weight.
    /// 4. The result is the weighted second quintile, by 1/distance³, and the mean of the values close to it. Opposite
    ///    directions that agree count more.
    ///
    /// Parts wider than a 24th of the map's shorter side are filled last and smoothly: the planes of their rim are continued
    /// as a membrane, without those of occluders.
    ///
    /// If wide holes are most of the map and almost all of its border, and what is known is one body, nothing of its background
    /// is known. The border is then put eight times as far as the farthest known sample.
    public func filled() -> DisparityMap { filled(along: nil) }

    /// The map without unknown samples, whose edges inside holes follow those of a photo: rim samples that look like the
    /// sample to fill count more. The photo must show the map's field of view. See ``filled()``.
    public func filled(guidedBy photo: ColorImage) -> DisparityMap { filled(along: photo) }

    private func filled(along photo: ColorImage?) -> DisparityMap {
        let samples = reciprocalMeters
        guard samples.contains(where: \.isNaN) else { return self }
        // Sums of larger values could overflow.
        var known = samples.map { $0.magnitude <= 1e30 ? $0 : .nan }
        guard var range = SampleStatistics(known).range, let first = HoleGrid(known, width, height) else {
            return self
        }
        let colors = photo.map { SampleColors($0, sampleColumns: width, sampleRows: height) }
        var holes: HoleGrid? = first
        let background = first.unknownBackground(of: known)
        if let background {
            for index in first.border where first.isWide[index] { known[index] = background }
            range = background...range.upperBound
            holes = HoleGrid(known, width, height)
        }
        let spread = LowResolutionPlane(samples: known, width: width, height: height).spread
        let scale = background == nil && spread > 0 ? spread : range.upperBound - range.lowerBound
        // Samples that see no rim in any direction see filled ones in the next round.
        var unknown = Int.max
        while let grid = holes {
            let filler = HoleFiller(grid, known, colors, spread: scale)
            let filled = filler.filled(within: range)
            let count = filled.count(where: \.isNaN)
            known = count < unknown ? filled : filler.continued(within: range)
            unknown = count
            holes = HoleGrid(known, width, height)
        }
        return replacing(
            reciprocalMeters: samples.indices.map { samples[$0].isNaN ? known[$0] : samples[$0] })
    }
}

extension DepthMap {
    /// The map without unknown samples, filled in disparity. Known samples stay; samples that are not positive have no
    /// influence. Infinity is a disparity of 0, and so as far as any value: a hole beside it is infinitely far. See
    /// ``DisparityMap/filled()``.
    public func filled() -> DepthMap { filled { $0.filled() } }

    /// The map without unknown samples, whose edges inside holes follow those of a photo, filled in disparity. See
    /// ``DisparityMap/filled(guidedBy:)``.
    public func filled(guidedBy photo: ColorImage) -> DepthMap { filled { $0.filled(guidedBy: photo) } }

    private func filled(_ fill: (DisparityMap) -> DisparityMap) -> DepthMap {
        guard meters.contains(where: \.isNaN) else { return self }
        let filled = DepthMap(reciprocalOf: fill(DisparityMap(reciprocalOf: self))).meters
        return replacing(meters: meters.indices.map { meters[$0].isNaN ? filled[$0] : meters[$0] })
    }
}
