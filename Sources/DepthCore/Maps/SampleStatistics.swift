/// What a plane of floats holds.
package struct SampleStatistics: Hashable, Sendable {
    /// All samples.
    package let count: Int
    /// Samples without a value (`nan`).
    package let unknownCount: Int
    /// Samples at infinity, of either sign.
    package let infiniteCount: Int
    /// The smallest finite value; `nil` where there is none.
    package let minimum: Float?
    /// The largest finite value; `nil` where there is none.
    package let maximum: Float?
    /// The mean of the finite values; `nil` where there is none.
    package let mean: Double?

    /// Samples that are neither unknown nor infinite.
    package var finiteCount: Int { count - unknownCount - infiniteCount }

    /// The share of unknown samples, 0…1; 0 for a plane without samples.
    package var unknownShare: Double { count == 0 ? 0 : Double(unknownCount) / Double(count) }

    /// The finite range; `nil` where no value is finite.
    package var range: ClosedRange<Float>? {
        guard let minimum, let maximum else { return nil }
        return minimum...maximum
    }

    /// Looks at every sample once.
    package init(_ samples: [Float]) {
        var (unknown, infinite) = (0, 0)
        var (low, high) = (Float.infinity, -Float.infinity)
        var sum = 0.0
        let span = samples.span
        for index in span.indices {
            let value = span[index]
            let isFinite = value.isFinite
            unknown += value.isNaN ? 1 : 0
            infinite += value.isInfinite ? 1 : 0
            low = isFinite && value < low ? value : low
            high = isFinite && value > high ? value : high
            sum += isFinite ? Double(value) : 0
        }
        count = samples.count
        unknownCount = unknown
        infiniteCount = infinite
        let finite = samples.count - unknown - infinite
        minimum = finite == 0 ? nil : low
        maximum = finite == 0 ? nil : high
        mean = finite == 0 ? nil : sum / Double(finite)
    }
}

extension FloatPlane {
    /// Range, mean and the number of unknown and infinite samples.
    package var statistics: SampleStatistics { SampleStatistics(samples) }

    /// The values below which the given shares (0…1) of the finite samples lie, each linear between the two samples
    /// next to it, as `numpy.percentile` has it (`linear`, type 7); `nil` where no sample is finite.
    package func percentiles(_ shares: [Double]) -> [Float]? {
        OrderStatistics(samples)?.percentiles(shares)
    }
}
