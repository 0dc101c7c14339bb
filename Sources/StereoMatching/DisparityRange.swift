extension StereoMatcher {
    /// The disparities that the pair shows, in pixels: what a small copy of it, searched as far as a third of its width either
    /// way, finds.
    func searchRange(_ pair: ImagePyramid, _ alignment: VerticalAlignment?) -> Range<Int> {
        let level = pair.level(atMost: 256)
        let (left, right) = pair.levels[level]
        let reach = min(max(8, left.width / 3), Self.mostDisparities / 2)
        let all = -reach..<reach
        let scale = 1 << level
        let other = alignment.map { $0.applied(to: right, reducedBy: scale) } ?? right
        let count = (2 * reach + 15) / 16 * 16
        // Only what is large and clear says how far to search: a mistake would widen it.
        var strict = self
        strict.selection.uniqueness = 10
        strict.cleanup.islandMillionths = 1500
        let (found, _) = strict.disparity(
            left, other, -reach..<min(-reach + count, -reach + Self.mostDisparities))
        var bins = [Int](repeating: 0, count: 2 * reach + 32)
        var matched = 0
        for value in found where value == value {
            let bin = Int(value.rounded()) + reach
            guard bins.indices.contains(bin) else { continue }
            bins[bin] += 1
            matched += 1
        }
        // What is next to nothing is a mistake more often than a thing.
        let enough = max(8, matched / 1000)
        guard matched * 50 >= found.count, let low = bins.firstIndex(where: { $0 >= enough }),
            let high = bins.lastIndex(where: { $0 >= enough })
        else { return all.lowerBound * scale..<all.upperBound * scale }
        // A thing too thin to be seen small may be nearer than all that was found.
        let margin = 2 + (high - low) / 10
        return (low - reach - margin) * scale..<(high - reach + margin + 1) * scale
    }
}
