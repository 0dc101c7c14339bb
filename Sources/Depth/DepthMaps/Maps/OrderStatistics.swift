/// Finds samples by rank without sorting: by a histogram of the upper halves of their ordered bits, then one of the lower.
struct OrderStatistics {
    private let samples: [Float]
    private let upperHalves: [Int]
    private let finiteCount: Int

    /// `nil` if no sample is finite.
    init?(_ samples: [Float]) {
        var upperHalves = [Int](repeating: 0, count: 1 << 16)
        var finiteCount = 0
        for sample in samples where sample.isFinite {
            upperHalves[Int(Self.key(sample) >> 16)] += 1
            finiteCount += 1
        }
        guard finiteCount > 0 else { return nil }
        (self.samples, self.upperHalves, self.finiteCount) = (samples, upperHalves, finiteCount)
    }

    /// The values at fractions 0…1 of the ranks, linear between neighbors.
    func percentiles(_ shares: [Double]) -> [Float] {
        shares.map { share in
            let rank = min(max(share, 0), 1) * Double(finiteCount - 1)
            let below = Int(rank)
            let low = value(atRank: below)
            let part = rank - Double(below)
            guard part > 0 else { return low }
            let high = value(atRank: below + 1)
            return Float(Double(low) + part * (Double(high) - Double(low)))
        }
    }

    /// The finite sample at this rank in sorted order.
    func value(atRank rank: Int) -> Float {
        let (upper, rest) = Self.bin(upperHalves, holding: rank)
        var lowerHalves = [Int](repeating: 0, count: 1 << 16)
        for sample in samples where sample.isFinite {
            let key = Self.key(sample)
            if key >> 16 == upper { lowerHalves[Int(key & 0xffff)] += 1 }
        }
        let (lower, _) = Self.bin(lowerHalves, holding: rest)
        return Self.value(UInt32(upper) << 16 | UInt32(lower))
    }

    private static func bin(_ histogram: [Int], holding rank: Int) -> (bin: Int, rest: Int) {
        var rest = rank
        for (bin, count) in histogram.enumerated() {
            if rest < count { return (bin, rest) }
            rest -= count
        }
        preconditionFailure("a rank is below the count of samples")
    }

    /// Bits that sort as unsigned integers in the order of the floats.
    private static func key(_ value: Float) -> UInt32 {
        let bits = value.bitPattern
        return bits >> 31 == 0 ? bits | 0x8000_0000 : ~bits
    }

    private static func value(_ key: UInt32) -> Float {
        Float(bitPattern: key >> 31 == 1 ? key & 0x7fff_ffff : ~key)
    }
}
