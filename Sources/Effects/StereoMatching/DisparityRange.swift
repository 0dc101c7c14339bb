extension StereoMatcher {
    /// The range of the pair's disparities, in pixels, found in a small copy of it that is searched up to a third of its
    /// width in both directions. Also returns the small copy's disparities and level.
    func search(
        _ pair: ImagePyramid, _ alignment: VerticalAlignment?
    ) -> (range: Range<Int>, coarse: CoarseDisparities, level: Int) {
        let level = pair.level(atMost: 256)
        let (left, right) = pair.levels[level]
        let reach = min(max(8, left.width / 3), Self.mostDisparities / 2)
        let all = Self.padded(-reach, reach)
        let scale = 1 << level
        let other = alignment.map { $0.applied(to: right, reducedBy: scale) } ?? right
        // Only large and clear matches determine the range: an error would widen it.
        var strict = self
        strict.selection.uniqueness = 10
        strict.cleanup.islandMillionths = 1500
        let tiles = SearchTiles(all: all, width: left.width, height: left.height)
        let found = strict.disparity(left, other, tiles, isChecked: true)
        var bins = [Int](repeating: 0, count: all.count + 16)
        var matched = 0
        for value in found.disparity where value == value {
            let bin = Int(value.rounded()) + reach
            guard bins.indices.contains(bin) else { continue }
            bins[bin] += 1
            matched += 1
        }
        // Very rare disparities are more often errors than objects.
        let enough = max(8, matched / 1000)
        guard matched * 50 >= found.disparity.count, let low = bins.firstIndex(where: { $0 >= enough }),
            let high = bins.lastIndex(where: { $0 >= enough })
        else { return (-reach * scale..<reach * scale, found.winners, level) }
        // An object too thin for the small copy may be nearer than everything found.
        let margin = 2 + (high - low) / 10
        let range = (low - reach - margin) * scale..<(high - reach + margin + 1) * scale
        return (range, found.winners, level)
    }
}
