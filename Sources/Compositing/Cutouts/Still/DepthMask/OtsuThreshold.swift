internal import DepthCore

/// The split of values into two classes whose means lie farthest apart, weighed by their counts: the threshold of
/// N. Otsu, "A Threshold Selection Method from Gray-Level Histograms" (1979), which maximizes the variance between classes.
struct OtsuThreshold: Hashable, Sendable {
    /// Where one class ends and the other begins: the middle of the gap where there is one.
    let threshold: Float
    /// The mean of what is below the threshold.
    let lowerMean: Float
    /// The mean of what is above the threshold.
    let upperMean: Float

    private static var binCount: Int { 1024 }

    /// Splits finite values; those above `limit` are treated as `limit`.
    init(_ samples: [Float], upTo limit: Float) {
        let statistics = SampleStatistics(samples)
        let low = statistics.minimum ?? 0
        let high = min(statistics.maximum ?? low, max(limit, low))
        let scale = Float(Self.binCount - 1) / (high - low)
        // Values so close that no bin is as narrow are one class, too.
        guard high > low, scale.isFinite else {
            (threshold, lowerMean, upperMean) = (low, low, low)
            return
        }
        var counts = [Int](repeating: 0, count: Self.binCount)
        for sample in samples where sample.isFinite {
            counts[Int((min(sample, high) - low) * scale + 0.5)] += 1
        }
        let split = Self.split(counts)
        threshold = low + Float(split.place) / scale
        lowerMean = low + Float(split.lowerMean) / scale
        upperMean = low + Float(split.upperMean) / scale
    }

    private static func split(_ counts: [Int]) -> (place: Double, lowerMean: Double, upperMean: Double) {
        let total = Double(counts.reduce(0, +))
        let totalSum = counts.indices.reduce(0.0) { $0 + Double($1) * Double(counts[$1]) }
        var (count, sum, best) = (0.0, 0.0, -1.0)
        var (first, last, lowerMean, upperMean) = (0, 0, 0.0, 0.0)
        for bin in counts.indices.dropLast() {
            count += Double(counts[bin])
            sum += Double(bin) * Double(counts[bin])
            guard count > 0, count < total else { continue }
            let (lower, upper) = (sum / count, (totalSum - sum) / (total - count))
            let variance = count * (total - count) * (upper - lower) * (upper - lower)
            if variance > best {
                (best, first, lowerMean, upperMean) = (variance, bin, lower, upper)
                last = bin
            } else if variance == best {
                last = bin
            }
        }
        return (Double(first + last) / 2 + 0.5, lowerMean, upperMean)
    }
}
