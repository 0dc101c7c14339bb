/// Resamples along one axis: each new sample is a weighted sum of *taps*, consecutive old samples.
package struct ResamplingAxis: Sendable {
    /// How new samples are computed from old ones.
    package enum Kernel: Sendable {
        /// The mean over the extent of the new sample.
        case area
        /// The mean if new samples are larger than old ones, otherwise linear between two centers.
        case areaOrLinear
        /// The mean if new samples are larger than old ones, otherwise Catmull–Rom's cubic through four centers. Weights may
        /// be negative.
        case areaOrCubic
    }

    /// The taps of one new sample.
    package struct Taps: Sendable {
        /// The first of the old samples.
        package let first: Int
        /// The range of their weights, in ``ResamplingAxis/weights``.
        package let places: Range<Int>

    }

    /// The weights of all taps, one new sample after the other.
    package let weights: [Float]
    package let samples: Range<Int>
    /// The old samples that the new ones use.
    package let sources: Range<Int>
    private let firsts: [Int]
    private let starts: [Int]

    /// `newCount` samples of equal width that cover a `range` of `count` old ones; old sample i extends from i to i + 1.
    ///
    /// The weights of each new sample add up to 1. Beyond the ends, the outermost old samples are repeated.
    package init(of range: ClosedRange<Double>, _ count: Int, to newCount: Int, by kernel: Kernel) {
        let length = range.upperBound - range.lowerBound
        func edge(_ index: Int) -> Double { range.lowerBound + Double(index) * length / Double(newCount) }
        self.init(
            (0..<newCount).map { index in
                Self.taps(edge(index)...edge(index + 1), count, length > Double(newCount) ? .area : kernel)
            })
    }

    /// `newCount` samples that cover the extent of `count` old ones.
    package init(_ count: Int, to newCount: Int, by kernel: Kernel) {
        self.init(of: 0...Double(count), count, to: newCount, by: kernel)
    }

    /// Resamples `count` old samples, which cover `length` new samples from position `start` on. Of the `newCount` new
    /// samples, ``samples`` are those that overlap this range.
    ///
    /// The weights of a partly covered new sample add up to the covered fraction. When reducing, a sample is the mean over
    /// its area, otherwise linear between two centers.
    package init(_ count: Int, from start: Double, length: Double, within newCount: Int) {
        let end = start + length
        let scale = Double(count) / length
        let first = min(max(start, 0), Double(newCount)).rounded(.down)
        let last = min(max(end, 0), Double(newCount)).rounded(.up)
        let isSeen = first < last && scale > 0 && scale.isFinite
        let taps = (isSeen ? Int(first)..<Int(last) : 0..<0).map { index in
            let left = max(Double(index), start)
            let right = max(min(Double(index + 1), end), left)
            let taps = Self.taps(
                (left - start) * scale...(right - start) * scale, count, scale > 1 ? .area : .areaOrLinear)
            return (taps.first, taps.weights.map { $0 * (right - left) })
        }
        self.init(taps, at: isSeen ? Int(first) : 0)
    }

    private init(_ taps: [(first: Int, weights: [Double])], at start: Int = 0) {
        samples = start..<start + taps.count
        firsts = taps.map(\.first)
        starts = taps.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.weights.count) }
        weights = taps.flatMap { $0.weights.map { Float($0) } }
        let ends = taps.map { $0.first + $0.weights.count }
        sources = (firsts.min() ?? 0)..<(ends.max() ?? 0)
    }

    /// The taps of a new sample.
    package func taps(of sample: Int) -> Taps {
        let index = sample - samples.lowerBound
        return Taps(first: firsts[index], places: starts[index]..<starts[index + 1])
    }

    /// A new sample computed from old ones: `old` begins with the first of ``sources``.
    package func sum(of old: Span<SIMD4<Float>>, for sample: Int) -> SIMD4<Float> {
        let taps = taps(of: sample)
        var source = taps.first - sources.lowerBound
        var sum = SIMD4<Float>.zero
        for place in taps.places {
            sum += old[source] * weights[place]
            source += 1
        }
        return sum
    }

    /// For each of `newCount` samples, the index of the old sample, of `count`, whose extent contains its center.
    package static func nearest(of count: Int, at newCount: Int) -> [Int] {
        (0..<newCount).map { (2 * $0 + 1) * count / (2 * newCount) }
    }
}

extension ResamplingAxis {
    /// The taps of a new sample that extends over a range of old ones.
    private static func taps(
        _ extent: ClosedRange<Double>, _ count: Int, _ kernel: Kernel
    ) -> (first: Int, weights: [Double]) {
        let center = extent.lowerBound + (extent.upperBound - extent.lowerBound) / 2
        return switch kernel {
        case .area: area(extent, count)
        case .areaOrLinear: linear(center, count)
        case .areaOrCubic: cubic(center, count)
        }
    }

    private static func area(_ extent: ClosedRange<Double>, _ count: Int) -> (first: Int, weights: [Double]) {
        let first = min(max(Int(extent.lowerBound), 0), count - 1)
        let last = min(max(Int(extent.upperBound.rounded(.up)) - 1, first), count - 1)
        let parts = (first...last).map { sample in
            max(min(extent.upperBound, Double(sample + 1)) - max(extent.lowerBound, Double(sample)), 0)
        }
        let sum = parts.reduce(0, +)
        // The extent may be empty after rounding.
        return (first, sum > 0 ? parts.map { $0 / sum } : [1])
    }

    private static func linear(_ center: Double, _ count: Int) -> (first: Int, weights: [Double]) {
        let position = min(max(center - 0.5, 0), Double(count - 1))
        let first = Int(position)
        let fraction = position - Double(first)
        return (first, fraction > 0 ? [1 - fraction, fraction] : [1])
    }

    private static func cubic(_ center: Double, _ count: Int) -> (first: Int, weights: [Double]) {
        let before = (center - 0.5).rounded(.down)
        let t = center - 0.5 - before
        let weights = [
            ((2 - t) * t - 1) * t / 2, ((3 * t - 5) * t * t + 2) / 2, ((4 - 3 * t) * t + 1) * t / 2,
            (t - 1) * t * t / 2,
        ]
        let places = (0..<4).map { min(max(Int(before) - 1 + $0, 0), count - 1) }
        // Positions beyond the ends add to the weight of the outermost sample.
        var taps = [Double](repeating: 0, count: places[3] - places[0] + 1)
        for (place, weight) in zip(places, weights) { taps[place - places[0]] += weight }
        return (places[0], taps)
    }
}
