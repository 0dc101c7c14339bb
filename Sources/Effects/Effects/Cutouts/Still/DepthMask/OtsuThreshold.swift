internal import DepthMaps

/// Splits values into two classes so that the variance between the classes is greatest (N. Otsu, "A Threshold Selection
/// Method from Gray-Level Histograms", 1979).
struct OtsuThreshold: Hashable, Sendable {
    /// The border between the classes: the middle of the gap, if there is one.
    let threshold: Float
    /// The mean of the values below the threshold.
    let lowerMean: Float
    /// The mean of the values above the threshold.
    let upperMean: Float

    private static var binCount: Int { 1024 }

    /// Splits finite values; those above `limit` are treated as `limit`.
    init(_ samples: [Float], upTo limit: Float) {
        let statistics = SampleStatistics(samples)
        let low = statistics.minimum ?? 0
        let high = min(statistics.maximum ?? low, max(limit, low))
        let scale = Float(Self.binCount - 1) / (high - low)
        // Values too close for any bin width are one class, too.
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
