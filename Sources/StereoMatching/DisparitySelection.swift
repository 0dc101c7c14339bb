internal import DepthCore

/// The best disparity of each pixel, with what speaks for it.
struct DisparitySelection {
    /// The second-best cost must be larger than the best by this share in percent.
    var uniqueness = 2
    /// How far the disparities that two eyes see may differ.
    var agreement: Float = 1

    /// Selects the disparity of one pixel, whose vectors begin at `starts`, counted from `low`. Overwrites sums.
    @inline(__always) func select(
        _ column: Int, _ starts: Span<UInt8>, _ sums: Lanes, low: Int, _ row: borrowing SelectedRow
    ) {
        let count = starts.count &* 16
        let (best, cost) = Self.best(sums, count)
        let (vector, lane) = (best >> 4, best & 15)
        let disparity = Int(starts[vector]) &+ lane &+ low
        row[winner: column] = Int16(truncatingIfNeeded: disparity)
        guard row.isChecked else { return }
        let partner = column &- disparity
        row[disparity: column] = .nan
        guard partner >= 0, partner < row.width else { return }
        // The disparities beside it may be in another vector, or not searched.
        let hasBefore = lane > 0 || vector > 0 && Int(starts[vector - 1]) + 16 == Int(starts[vector])
        let hasAfter =
            lane < 15 || vector + 1 < starts.count && Int(starts[vector]) + 16 == Int(starts[vector + 1])
        let center = Int(cost)
        let before = hasBefore ? Int(Self.sum(sums, best &- 1)) : center
        let after = hasAfter ? Int(Self.sum(sums, best &+ 1)) : center
        // Equiangular fit: costs of a census rise in straight lines.
        let (fall, rise) = (before &- center, after &- center)
        let wide = max(fall, rise)
        var fraction: Float = 0
        if hasBefore, hasAfter, wide > 0 { fraction = Float(fall &- rise) / Float(2 &* wide) }
        sums[sum: Self.place(best)] = 0x3FF
        if hasBefore { sums[sum: Self.place(best &- 1)] = 0x3FF }
        if hasAfter { sums[sum: Self.place(best &+ 1)] = 0x3FF }
        let second = Int(Self.least(sums, count))
        if cost < row[partnerCost: partner] {
            row[partnerCost: partner] = cost
            row[partnerDisparity: partner] = Float(disparity) + fraction
        }
        guard (second &- center) &* 100 > uniqueness &* second else { return }
        row[disparity: column] = Float(disparity) + fraction
        row[margin: column] = UInt8(min(255, (second &- center) &* 512 / max(1, second)))
    }

    /// The left-right check: the other eye must see the same disparity.
    ///
    /// Writes `nan` and 0 where nothing matches, and makes the row ready for the next one.
    func finish(
        _ row: borrowing SelectedRow, into disparities: inout [Float], _ trust: inout [UInt8], at start: Int
    ) {
        var output = disparities.mutableSpan
        var confidence = trust.mutableSpan
        let width = row.width
        for column in 0..<width {
            let disparity = row[disparity: column]
            output[start + column] = .nan
            confidence[start + column] = 0
            guard disparity == disparity else { continue }
            let partner = Float(column) - disparity
            let (low, high) = (Int(partner.rounded(.down)), Int(partner.rounded(.up)))
            let agrees =
                (0..<width).contains(low) && abs(row[partnerDisparity: low] - disparity) <= agreement
                || (0..<width).contains(high) && abs(row[partnerDisparity: high] - disparity) <= agreement
            guard agrees else { continue }
            output[start + column] = disparity
            confidence[start + column] = max(1, row[margin: column])
        }
        row.reset()
    }

    /// Where a disparity's sum stands among those of its pixel: even ones before odd ones in each sixteen.
    @inline(__always) private static func place(_ index: Int) -> Int {
        index & ~15 | (index & 1) << 3 | (index & 15) >> 1
    }

    @inline(__always) private static func sum(_ sums: Lanes, _ index: Int) -> UInt16 {
        sums[sum: place(index)]
    }

    /// The least sum and where it is; of equal ones that in the first vector.
    ///
    /// A sum of five paths needs 10 bits, so the number of its vector fits below it: one minimum finds both.
    @inline(__always) private static func best(_ sums: Lanes, _ count: Int) -> (index: Int, cost: UInt16) {
        var best = SIMD8<Int16>(repeating: .max)
        var number = Sums(repeating: 0)
        var index = 0
        while index < count {
            best = lesser(best, signed((sums[sums: index] &<< 5) | number))
            number &+= 1
            index &+= 8
        }
        let key = leastOf(best)
        // Numbers of places, 8 more where another key is.
        let isOther = lesser(best &- SIMD8<Int16>(repeating: key), SIMD8<Int16>(repeating: 1))
        let lane = Int(leastOf((isOther &<< 3) | laneNumbers))
        let vector = Int(key & 31)
        return ((vector & ~1) &* 8 &+ 2 &* lane &+ (vector & 1), UInt16(key >> 5))
    }

    /// The least sum.
    @inline(__always) private static func least(_ sums: Lanes, _ count: Int) -> Int16 {
        var best = SIMD8<Int16>(repeating: .max)
        var index = 0
        while index < count {
            best = lesser(best, signed(sums[sums: index]))
            index &+= 8
        }
        return leastOf(best)
    }
}

/// Numbers of less than 16 bits: SSE2 has their minimum for signed numbers alone.
@_transparent private func signed(_ a: Sums) -> SIMD8<Int16> {
    // SAFETY: both are eight numbers of 16 bits.
    unsafe unsafeBitCast(a, to: SIMD8<Int16>.self)
}

@_transparent private func lesser(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    a.replacing(with: b, where: b .< a)
}

/// 0…7
@_transparent private var laneNumbers: SIMD8<Int16> {
    // SAFETY: both are 16 bytes without invalid patterns.
    unsafe unsafeBitCast(SIMD2<UInt64>(0x3_0002_0001_0000, 0x7_0006_0005_0004), to: SIMD8<Int16>.self)
}

/// The smallest of eight.
@_transparent private func leastOf(_ a: SIMD8<Int16>) -> Int16 {
    var low = lesser(a, halvesSwapped(a))
    low = lesser(low, shifted(low, by: 32))
    low = lesser(low, shifted(low, by: 16))
    return low[0]
}

@_transparent private func halvesSwapped(_ a: SIMD8<Int16>) -> SIMD8<Int16> {
    // SAFETY: all are 16 bytes without invalid patterns.
    let pair = unsafe unsafeBitCast(a, to: SIMD2<UInt64>.self)
    return unsafe unsafeBitCast(SIMD2(pair[1], pair[0]), to: SIMD8<Int16>.self)
}

/// Numbers of either half moved down.
@_transparent private func shifted(_ a: SIMD8<Int16>, by bits: UInt64) -> SIMD8<Int16> {
    // SAFETY: all are 16 bytes without invalid patterns.
    unsafe unsafeBitCast(unsafeBitCast(a, to: SIMD2<UInt64>.self) &>> bits, to: SIMD8<Int16>.self)
}
