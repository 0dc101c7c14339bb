package import DepthMaps

extension DisparityMap {
    /// The map with the edge of a matte's subject where the matte is half: around it, samples have the disparity of the subject
    /// or of what is behind it (``MatteBoundary``). Elsewhere, and where the subject is not the nearer one, nothing changes.
    ///
    /// - Parameter matte: The subject in the same view, at any size.
    package func settled(along matte: Matte) -> DisparityMap {
        guard !matte.coverage.isEmpty, !reciprocalMeters.isEmpty else { return self }
        let isEnlarged = matte.width < width || matte.height < height
        let matte = matte.resampled(toWidth: width, height: height, by: isEnlarged ? .bilinear : .area)
        let ends = percentiles([0.01, 0.99]) ?? [0, 1]
        var nearness = reciprocalMeters
        let split = MatteBoundary(
            matte, nearness, width, height, leastDifference: max(ends[1] - ends[0], 1e-6) / 24
        ).settle(&nearness)
        // Soft pixels have the subject's value.
        for index in nearness.indices where split.shares[index].isMixed && matte.coverage[index] < 128 {
            let far = split.background.value(atColumn: index % width, row: index / width)
            if !far.isNaN { nearness[index] = far }
        }
        return replacing(samples: nearness, width: width, height: height)
    }
}
