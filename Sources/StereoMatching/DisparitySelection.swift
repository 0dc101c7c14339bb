internal import DepthCore

/// The best disparity of each pixel, with what speaks for it.
struct DisparitySelection {
    /// The second-best cost must be larger than the best by this share in percent.
    var uniqueness = 2
    /// How far the disparities that two eyes see may differ.
    var agreement: Float = 1

    /// Selects the disparity of one pixel. Overwrites sums.
    func select(_ column: Int, _ sums: Lanes, disparities: Range<Int>, width: Int, _ row: inout SelectedRow) {
        let depth = disparities.count
        let (best, cost) = Self.best(sums, depth)
        let disparity = best + disparities.lowerBound
        let partner = column - disparity
        row.disparity[column] = .nan
        guard partner >= 0, partner < width else { return }
        let center = Self.sum(sums, best)
        let before = best > 0 ? Self.sum(sums, best - 1) : center
        let after = best + 1 < depth ? Self.sum(sums, best + 1) : center
        // Equiangular fit: costs of a census rise in straight lines.
        let (fall, rise) = (Int(before) - Int(center), Int(after) - Int(center))
        let wide = max(fall, rise)
        var fraction: Float = 0
        if best > 0, best + 1 < depth, wide > 0 { fraction = Float(fall - rise) / Float(2 * wide) }
        for index in max(0, best - 1)...min(depth - 1, best + 1) { sums[sum: Self.place(index)] = 0x3FF }
        let second = Int(Self.best(sums, depth).cost)
        if cost < row.partnerCost[partner] {
            row.partnerCost[partner] = cost
            row.partnerDisparity[partner] = Float(disparity) + fraction
        }
        guard (second - Int(cost)) * 100 > uniqueness * second else { return }
        row.disparity[column] = Float(disparity) + fraction
        row.margin[column] = UInt8(min(255, (second - Int(cost)) * 512 / max(1, second)))
    }

    /// The left-right check: the other eye must see the same disparity.
    ///
    /// Writes `nan` and 0 where nothing matches, and makes the row ready for the next one.
    func finish(
        _ row: inout SelectedRow, into output: inout MutableSpan<Float>,
        _ confidence: inout MutableSpan<UInt8>,
        at start: Int
    ) {
        let width = row.disparity.count
        for column in 0..<width {
            let disparity = row.disparity[column]
            output[start + column] = .nan
            confidence[start + column] = 0
            guard disparity == disparity else { continue }
            let partner = Float(column) - disparity
            let (low, high) = (Int(partner.rounded(.down)), Int(partner.rounded(.up)))
            let agrees =
                (0..<width).contains(low) && abs(row.partnerDisparity[low] - disparity) <= agreement
                || (0..<width).contains(high) && abs(row.partnerDisparity[high] - disparity) <= agreement
            guard agrees else { continue }
            output[start + column] = disparity
            confidence[start + column] = max(1, row.margin[column])
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

    /// The least sum and its disparity; of equal ones that in the first vector.
    ///
    /// A sum of five paths needs 10 bits, so the number of its vector fits below it: one minimum finds both.
    @inline(__always) private static func best(_ sums: Lanes, _ depth: Int) -> (index: Int, cost: UInt16) {
        var best = SIMD8<Int16>(repeating: .max)
        var number = Sums(repeating: 0)
        var index = 0
        while index < depth {
            // SAFETY: both are eight numbers of 16 bits.
            let keys = unsafe unsafeBitCast((sums[sums: index] &<< 5) | number, to: SIMD8<Int16>.self)
            best = best.replacing(with: keys, where: keys .< best)
            number &+= 1
            index &+= 8
        }
        var (key, lane) = (best[0], 0)
        for other in 1..<8 where best[other] < key { (key, lane) = (best[other], other) }
        let vector = Int(key & 31)
        return (vector / 2 * 16 + 2 * lane + vector % 2, UInt16(key >> 5))
    }
}

/// What the left-right check needs of a row.
struct SelectedRow {
    var disparity: [Float]
    var margin: [UInt8]
    var partnerCost: [UInt16]
    var partnerDisparity: [Float]

    init(width: Int) {
        disparity = [Float](repeating: .nan, count: width)
        margin = [UInt8](repeating: 0, count: width)
        partnerCost = [UInt16](repeating: .max, count: width)
        partnerDisparity = [Float](repeating: .nan, count: width)
    }

    mutating func reset() {
        for index in partnerCost.indices {
            partnerCost[index] = .max
            partnerDisparity[index] = .nan
        }
    }
}
