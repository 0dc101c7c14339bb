/// Statistics of a plane of floats.
package struct SampleStatistics: Hashable, Sendable {
    /// The number of all samples.
    package let count: Int
    /// Samples without a value (`nan`).
    package let unknownCount: Int
    /// Samples at infinity, of either sign.
    package let infiniteCount: Int
    /// The smallest finite value; `nil` if no value is finite.
    package let minimum: Float?
    /// The largest finite value; `nil` if no value is finite.
    package let maximum: Float?
    /// The mean of the finite values; `nil` if no value is finite.
    package let mean: Double?

    /// The number of samples that are neither unknown nor infinite.
    package var finiteCount: Int { count - unknownCount - infiniteCount }

    /// The finite range; `nil` if no value is finite.
    package var range: ClosedRange<Float>? {
        guard let minimum, let maximum else { return nil }
        return minimum...maximum
    }

    /// Reads every sample once.
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

    /// The values at these fractions (0…1) of the sorted finite samples, linear between the two adjacent samples, as in
    /// `numpy.percentile` (`linear`, type 7); `nil` if no sample is finite.
    package func percentiles(_ shares: [Double]) -> [Float]? {
        OrderStatistics(samples)?.percentiles(shares)
    }
}
