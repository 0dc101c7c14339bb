/// The effect of 8-bit quantization on a map, and its repair with the help of the photo.
extension LowResolutionPlane {
    /// The difference between successive stored values, estimated from the samples; `nil` if the samples do not look
    /// quantized.
    ///
    /// Neighbors in a quantized plane are often equal, and more often one step apart than two. `spread` is the range of
    /// nearly all samples.
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

    /// The plane without the staircase of its quantization and without coding artifacts around edges: smoothed between
    /// neighbors that look alike in the photo and differ by less than three steps. No sample moves by more than one and a
    /// half steps, or leaves the plane's range.
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
            // The weight is one half where a channel changes by 7 of 255.
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
