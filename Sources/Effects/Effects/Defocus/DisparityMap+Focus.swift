public import DepthMaps

extension DisparityMap {
    /// The disparity to focus at for a point in the picture, in 1/meters: the median of the known samples within 1 % of the
    /// diagonal around it, or as far as the nearest known one. Points outside the picture move to its edge; `nil` if all
    /// samples are unknown.
    public func focusDisparity(at point: NormalizedPoint) -> Float? {
        guard !reciprocalMeters.isEmpty else { return nil }
        let x = Self.index(point.x, width)
        let y = Self.index(point.y, height)
        var reach = max(Int(Math.hypotenuse(Double(width), Double(height)) * 0.01), 1)
        while true {
            let known = finiteSamples(
                max(x - reach, 0)...min(x + reach, width - 1), max(y - reach, 0)...min(y + reach, height - 1))
            if let median = Self.median(known) { return median }
            guard reach < max(width, height) else { return nil }
            reach *= 2
        }
    }

    /// What these marks of a camera show: the disparity at the first at which an object stands out, or else the median of the
    /// object that stands out most, with no point. `nil` without marks, or if all samples have one value.
    package func focusDisparity(
        atMarks points: [NormalizedPoint]
    ) -> (disparity: Float, point: NormalizedPoint?)? {
        guard !points.isEmpty, let search = SubjectSearch(finiteOnly.filled()) else { return nil }
        var other: Float?
        for point in points {
            let (subject, isElsewhere) = search.standout(at: .mark(point))
            if !isElsewhere, let disparity = focusDisparity(at: point) { return (disparity, point) }
            other = search.median(of: subject)
        }
        return other.map { ($0, nil) }
    }

    /// The default disparity to focus at, in 1/meters: the median over the subject of a matte of any size, or, without one
    /// (or if it covers less than 0.5 % of the picture), the nearest large surface. `nil` if all samples are unknown.
    ///
    /// A surface is large if its bin and the next one, of 48 equal steps between the first and last percentile, together have
    /// 6 % of the samples; its position is where the histogram stops rising. Samples at the nearest value of the range may be
    /// clipped: objects in front of the subject that were too near to measure. They are ignored unless they cover a quarter
    /// of the map.
    public func focusDisparity(of subject: Matte? = nil) -> Float? {
        if let subject, let median = median(over: subject) { return median }
        let known = finiteOnly
        return known.withoutClipped.nearestMode ?? known.nearestMode
    }

    /// The map without samples at its nearest value, unless a quarter of all have it.
    private var withoutClipped: DisparityMap {
        guard let range = statistics.range, range.upperBound > range.lowerBound else { return self }
        // Resampling shifts values slightly from the end.
        let end = range.upperBound - (range.upperBound - range.lowerBound) / 512
        let clipped = reciprocalMeters.count { $0 >= end }
        guard clipped * 4 < reciprocalMeters.count else { return self }
        return replacing(reciprocalMeters: reciprocalMeters.map { $0 >= end ? .nan : $0 })
    }

    /// The index at a fraction of `count` samples, 0 for the first and 1 for the last; fractions outside are clamped.
    static func index(_ share: Double, _ count: Int) -> Int {
        share.isNaN ? count / 2 : Int(min(max(share, 0), 1) * Double(count - 1) + 0.5)
    }

    private func finiteSamples(_ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) -> [Float] {
        var known: [Float] = []
        for row in rows {
            for sample in reciprocalMeters[
                row * width + columns.lowerBound...row * width + columns.upperBound]
            where sample.isFinite { known.append(sample) }
        }
        return known
    }

    private static func median(_ samples: [Float]) -> Float? {
        samples.isEmpty ? nil : samples.sorted()[samples.count / 2]
    }

    private func median(over subject: Matte) -> Float? {
        guard !subject.coverage.isEmpty else { return nil }
        // Half a million samples are enough for a median.
        let step = max(Int((Double(reciprocalMeters.count) / 500_000).squareRoot()), 1)
        var samples: [Float] = []
        var (covered, visited) = (0, 0)
        for row in stride(from: step / 2, to: height, by: step) {
            let line = (2 * row + 1) * subject.height / (2 * height) * subject.width
            for column in stride(from: step / 2, to: width, by: step) {
                visited += 1
                let place = line + (2 * column + 1) * subject.width / (2 * width)
                guard subject.coverage[place] >= 128 else { continue }
                covered += 1
                let sample = reciprocalMeters[row * width + column]
                if sample.isFinite { samples.append(sample) }
            }
        }
        return covered * 200 < visited ? nil : Self.median(samples)
    }

    private var nearestMode: Float? {
        guard let ends = percentiles([0.01, 0.99]) else { return nil }
        let (low, high) = (ends[0], ends[1])
        guard high > low else { return high }
        let steps = 48
        var counts = [Int](repeating: 0, count: steps)
        var total = 0
        for sample in reciprocalMeters where sample.isFinite {
            total += 1
            let step = Int(min(max((sample - low) / (high - low), 0), 1) * Float(steps - 1) + 0.5)
            counts[step] += 1
        }
        var step = steps - 1
        while step > 0, (counts[step] + counts[step - 1]) * 100 < total * 6 { step -= 1 }
        while step > 0, counts[step - 1] > counts[step] { step -= 1 }
        return low + (high - low) * Float(step) / Float(steps - 1)
    }
}
