/// How unlike pixels of the two pictures are at each disparity.
struct MatchingCost {
    /// What the census weighs: two for each of 24 bits.
    static let censusMost = 48
    /// What the slope weighs at most.
    static let slopeMost: UInt8 = 32
    /// The largest cost.
    static let most = censusMost + Int(slopeMost)
    /// The cost of a partner beyond the other picture: about that of two pixels that have nothing to do with each other.
    static let beyond: UInt8 = 36

    /// Costs of one row of `left`, `range.count` bytes for each pixel.
    ///
    /// `right` is reversed, so that the partners x − d of a pixel stand in the order of d.
    static func fill(
        _ costs: Lanes, row: Int, left: borrowing MatchingSignature,
        right: borrowing MatchingSignature, disparities: Range<Int>
    ) {
        let (width, depth) = (left.width, disparities.count)
        let (l0, l1, l2, ls) = left.planes.lanes
        let (r0, r1, r2, rs) = right.planes.lanes
        for column in 0..<width {
            let place = row * left.stride + left.margin + column
            let a0 = Costs(repeating: l0[byte: place])
            let a1 = Costs(repeating: l1[byte: place])
            let a2 = Costs(repeating: l2[byte: place])
            let slope = Costs(repeating: ls[byte: place])
            let partners = row * right.stride + right.margin + width - 1 - column + disparities.lowerBound
            let target = column * depth
            var index = 0
            while index < depth {
                let at = partners &+ index
                let bits = bitCount(a0 ^ r0[costs: at], a1 ^ r1[costs: at], a2 ^ r2[costs: at])
                let other = rs[costs: at]
                let difference = greater(slope, other) &- lesser(slope, other)
                let steep = lesser(difference &>> 1, Costs(repeating: slopeMost))
                costs[costs: target &+ index] = bits &+ bits &+ steep
                index &+= 16
            }
            // Partners exist for 0 ≤ x − d < width.
            let first = min(max(column - (width - 1) - disparities.lowerBound, 0), depth)
            let end = min(max(column + 1 - disparities.lowerBound, 0), depth)
            for index in 0..<first { costs[byte: target + index] = beyond }
            for index in max(end, first)..<depth { costs[byte: target + index] = beyond }
        }
    }
}
