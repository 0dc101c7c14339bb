/// What an 8-bit code costs a map, and how the photo helps to get it back.
extension LowResolutionPlane {
    /// The difference between successive codes, as the samples show it; `nil` where they are not codes of few bits.
    ///
    /// Neighbors of a coded plane often are equal, and one code apart more often than two. `spread` is the range of nearly all
    /// samples.
    func codeStep(spread: Float) -> Float? {
        let skip = max(1, samples.count / 65536)
        var differences: [Float] = []
        var equal = 0
        for index in stride(from: 1, to: samples.count, by: skip) where index % width != 0 {
            let difference = (samples[index] - samples[index - 1]).magnitude
            if difference == 0 { equal += 1 } else if difference.isFinite { differences.append(difference) }
        }
        guard differences.count >= 16, equal * 3 >= differences.count else { return nil }
        let step = OrderStatistics(differences)?.percentiles([0.25]).first
        return step.flatMap { $0 < spread / 16 ? $0 : nil }
    }

    /// The plane without the staircase of its codes and what coding left around edges: smoothed along what looks alike in the photo
    /// and differs by less than three steps. No sample moves by more than one and a half, and none out of the plane's range.
    ///
    func evened(step: Float, by colors: SampleColors) -> LowResolutionPlane {
        let (samples, width) = (samples, width)
        let smoother = EdgeAwareSmoother(width, height) { row, column, up, left in
            let index = row &* width &+ column
            let difference = (samples[index] - samples[index &- up &* width &- left]).magnitude / step
            let share = min(2 - difference / 1.5, 1)
            guard share > 0 else { return 0 }
            let change = colors.difference(
                colors.place(row &+ 2, column &+ 2), colors.place(row &+ 2 &- up, column &+ 2 &- left))
            // Half passes where a channel changes by 7 codes of 255.
            let rest = 1 / (1 + 625 * change * change)
            return share * rest * rest
        }
        let radius = Float(max(width, height)) / 64
        var smoothed = samples.map { $0.isFinite ? $0 : 0 }
        smoother.smoothTwice(&smoothed, radius: radius, passes: 2)
        let most = step * 1.5
        let known = samples.lazy.filter(\.isFinite)
        let (low, high) = (known.min() ?? 0, known.max() ?? 0)
        return LowResolutionPlane(
            samples: samples.indices.map { index in
                let sample = samples[index]
                return sample.isFinite
                    ? min(max(smoothed[index], max(sample - most, low)), min(sample + most, high)) : sample
            }, width: width, height: height)
    }
}
