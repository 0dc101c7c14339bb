internal import DepthMaps

/// Selects the best disparity of each pixel, with its reliability.
struct DisparitySelection {
    /// By how many percent the second-best cost must exceed the best.
    var uniqueness = 2
    /// How far the disparities of the two eyes may differ.
    var agreement: Float = 1

    /// Selects the disparity of one pixel, whose vectors begin at `starts`, relative to `low`. `numbers` are 0…7.
    @inline(__always) func select(
        _ column: Int, _ starts: Span<UInt8>, _ sums: Lanes, _ numbers: Sums, low: Int,
        _ row: borrowing SelectedRow
    ) {
        let count = starts.count &* 16
        let (best, cost) = Self.best(sums, count, signed(numbers))
        let (vector, lane) = (best >> 4, best & 15)
        let disparity = Int(starts[vector]) &+ lane &+ low
        row[.winner, column] = Int16(truncatingIfNeeded: disparity)
        guard row.isChecked else { return }
        row[.cost, column] = Int16(bitPattern: cost)
        row[.secondCost, column] = 0
        let partner = column &- disparity
        guard partner >= 0, partner < row.width else { return }
        // The adjacent disparities may be in another vector, or not searched.
        let hasBefore = lane > 0 || vector > 0 && Int(starts[vector - 1]) + 16 == Int(starts[vector])
        let hasAfter =
            lane < 15 || vector + 1 < starts.count && Int(starts[vector]) + 16 == Int(starts[vector + 1])
        let before = hasBefore ? Self.sum(sums, best &- 1) : cost
        let after = hasAfter ? Self.sum(sums, best &+ 1) : cost
        row[.slope, column] = Int16(bitPattern: before &- after)
        row[.rise, column] = hasBefore && hasAfter ? Int16(bitPattern: max(before, after) &- cost) : 0
        let near = (hasBefore ? best &- 1 : best, hasAfter ? best &+ 1 : best)
        row[.secondCost, column] = Self.least(sums, count, signed(numbers), besides: near)
        if Int16(bitPattern: cost) < row[.partnerCost, partner] {
            row[.partnerCost, partner] = Int16(bitPattern: cost)
            row[partner: partner] = column
        }
    }

    /// The left-right check: the other eye must see the same disparity.
    ///
    /// Writes `nan` and 0 where nothing matches, and resets the row for the next one.
    func finish(
        _ row: borrowing SelectedRow, into disparities: inout [Float], _ trust: inout [UInt8], at start: Int
    ) {
        var output = disparities.mutableSpan
        var confidence = trust.mutableSpan
        row.refine()
        for column in 0..<row.width {
            output[start + column] = .nan
            confidence[start + column] = 0
            let second = Int(row[.secondCost, column])
            guard (second &- Int(row[.cost, column])) &* 100 > uniqueness &* second else { continue }
            let disparity = row[disparity: column]
            let partner = Float(column) - disparity
            var low = Int(partner)
            if Float(low) > partner { low -= 1 }
            guard agrees(low, disparity, row) || Float(low) < partner && agrees(low + 1, disparity, row)
            else { continue }
            output[start + column] = disparity
            confidence[start + column] = max(1, UInt8(row[margin: column]))
        }
        row.reset()
    }

    /// Whether a pixel of the right picture has about this disparity.
    @inline(__always) private func agrees(
        _ column: Int, _ disparity: Float, _ row: borrowing SelectedRow
    ) -> Bool {
        guard column >= 0, column < row.width else { return false }
        let partner = row[partner: column]
        return partner >= 0 && abs(row[disparity: partner] - disparity) <= agreement
    }

    /// The index of a disparity's sum among the sums of its pixel: in each sixteen, even disparities are before odd
    /// ones.
    @inline(__always) private static func place(_ index: Int) -> Int {
        index & ~15 | (index & 1) << 3 | (index & 15) >> 1
    }

    @inline(__always) private static func sum(_ sums: Lanes, _ index: Int) -> UInt16 {
        sums[sum: place(index)]
    }

    /// The smallest sum and its index; of equal ones, that in the first vector.
    ///
    /// A sum of five paths needs 10 bits, so the number of its vector fits beside it: one minimum finds both.
    @inline(__always) private static func best(
        _ sums: Lanes, _ count: Int, _ numbers: SIMD8<Int16>
    ) -> (index: Int, cost: UInt16) {
        var best = SIMD8<Int16>(repeating: .max)
        var number = Sums(repeating: 0)
        var index = 0
        while index < count {
            best = lesser(best, signed((sums[sums: index] &<< 5) | number))
            number &+= 1
            index &+= 8
        }
        let keys = leastOfAll(best)
        // Lane numbers, plus 8 where the key differs.
        let isOther = lesser(best &- keys, SIMD8<Int16>(repeating: 1))
        let (key, lane) = (keys[0], Int(sums.first(leastOfAll((isOther &<< 3) | numbers), count)))
        let vector = Int(key & 31)
        return ((vector & ~1) &* 8 &+ 2 &* lane &+ (vector & 1), UInt16(key >> 5))
    }

    /// The smallest sum, ignoring the disparities from `near.first` to `near.last`; at most 0x3FF.
    @inline(__always) private static func least(
        _ sums: Lanes, _ count: Int, _ numbers: SIMD8<Int16>, besides near: (first: Int, last: Int)
    ) -> Int16 {
        let most = SIMD8<Int16>(repeating: 0x3FF)
        let first = SIMD8(repeating: Int16(truncatingIfNeeded: near.first))
        let last = SIMD8(repeating: Int16(truncatingIfNeeded: near.last))
        let (one, sixteen) = (SIMD8<Int16>(repeating: 1), SIMD8<Int16>(repeating: 16))
        var best = most
        var even = numbers &+ numbers
        var index = 0
        while index < count {
            let odd = even &+ one
            let (a, b) = (signed(sums[sums: index]), signed(sums[sums: index &+ 8]))
            best = lesser(best, a.replacing(with: most, where: (even .>= first) .& (even .<= last)))
            best = lesser(best, b.replacing(with: most, where: (odd .>= first) .& (odd .<= last)))
            even &+= sixteen
            index &+= 16
        }
        return sums.first(leastOfAll(best), count)
    }
}

extension Lanes {
    /// The first of eight. All are stored after the sums, which keeps them a vector: see ``leastOfAll(_:)``.
    @_transparent fileprivate func first(_ a: SIMD8<Int16>, _ count: Int) -> Int16 {
        self[sums: count] = SIMD8(truncatingIfNeeded: a)
        return a[0]
    }
}

/// Numbers of less than 16 bits: SSE2 has a minimum only for signed ones.
@_transparent private func signed(_ a: Sums) -> SIMD8<Int16> {
    // SAFETY: both are eight 16-bit numbers.
    unsafe unsafeBitCast(a, to: SIMD8<Int16>.self)
}

@_transparent private func lesser(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    a.replacing(with: b, where: b .< a)
}

/// The smallest of eight, in all lanes: see the other ``leastOfAll(_:)``.
@_transparent private func leastOfAll(_ a: SIMD8<Int16>) -> SIMD8<Int16> {
    // SAFETY: all are 16 bytes, and every bit pattern is valid.
    let halves = unsafe unsafeBitCast(a, to: SIMD2<UInt64>.self)
    let two = unsafe lesser(a, unsafeBitCast(SIMD2(halves[1], halves[0]), to: SIMD8<Int16>.self))
    let words = unsafe unsafeBitCast(two, to: SIMD4<UInt32>.self)
    let b = unsafe lesser(
        two, unsafeBitCast(SIMD4(words[1], words[0], words[3], words[2]), to: SIMD8<Int16>.self))
    return lesser(b, SIMD8(b[1], b[0], b[3], b[2], b[5], b[4], b[7], b[6]))
}
