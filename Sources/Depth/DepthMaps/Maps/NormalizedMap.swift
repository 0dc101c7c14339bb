/// Values as fractions of a range, 0…1, without a unit; `nan` where unknown. Row-major. For previews and integer files.
public struct NormalizedMap: Sendable {
    /// Samples in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The samples, row by row.
    public let shares: [Float]

    /// Row-major samples. Their number must be `width · height`.
    public init(width: Int, height: Int, shares: [Float]) {
        precondition(shares.count == width * height)
        (self.width, self.height, self.shares) = (width, height, shares)
    }

    /// Each fraction f as 1 − f: swaps bright and dark.
    public var inverted: NormalizedMap {
        NormalizedMap(width: width, height: height, shares: shares.map { 1 - $0 })
    }

    /// The fractions as integers 0…2^bitDepth − 1, rounded; `unknown` for samples without a value.
    public func codes(bitDepth: Int, unknown: Int = 0) -> SamplePlane {
        precondition((1...16).contains(bitDepth))
        let top = Float((1 << bitDepth) - 1)
        let codes = parallelMap(shares) { $0 >= 0 ? UInt16(min($0, 1) * top + 0.5) : UInt16(unknown) }
        return SamplePlane(
            width: width, height: height, bitDepth: bitDepth,
            codes: bitDepth > 8 ? .uint16(codes) : .uint8(codes.map { UInt8($0) }))
    }
}

extension FloatPlane {
    /// Values as fractions of a range: its lower bound becomes 0, its upper 1. Values outside, infinity included, are
    /// clamped. If the bounds are equal, known values inside become 0.
    public func normalized(over range: ClosedRange<Float>) -> NormalizedMap {
        let (low, extent) = (range.lowerBound, range.upperBound - range.lowerBound)
        let shares: [Float] = parallelMap(samples) { value in
            let share = extent > 0 ? (value - low) / extent : value > low ? 1 : 0
            return value.isNaN ? .nan : min(max(share, 0), 1)
        }
        return NormalizedMap(width: width, height: height, shares: shares)
    }

    /// Min–max normalization: the smallest finite value becomes 0, the largest 1. Without a finite value, all samples
    /// are unknown.
    public func normalized() -> NormalizedMap {
        normalized(over: statistics.range ?? 0...0)
    }

    /// Percentile normalization: the range is between two percentiles of the finite samples, so that a few outliers do
    /// not reduce the contrast of all others.
    public func normalized(percentiles: ClosedRange<Double>) -> NormalizedMap {
        let ends = self.percentiles([percentiles.lowerBound, percentiles.upperBound]) ?? [0, 0]
        return normalized(over: ends[0]...max(ends[0], ends[1]))
    }
}
