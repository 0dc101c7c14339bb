/// The dissimilarity of pixels in a row of the two pictures, at each disparity.
struct MatchingCost {
    /// The maximum contribution of the census: two for each of 24 bits.
    static let censusMost = 48
    /// The maximum contribution of the slope.
    static let slopeMost: UInt8 = 32
    /// The largest cost.
    static let most = censusMost + Int(slopeMost)
    /// The cost of a partner outside the other picture: about that of two unrelated pixels.
    static let beyond: UInt8 = 36

    private let ours: (Lanes, Lanes, Lanes, Lanes)
    private let theirs: (Lanes, Lanes, Lanes, Lanes)
    private let width: Int
    private let low: Int
    private let leftPlace: Int
    private let rightPlace: Int

    /// `right` is reversed, so that the partners x − d of a pixel are in the order of d. `low` is the first disparity.
    init(_ left: borrowing MatchingSignature, _ right: borrowing MatchingSignature, _ row: Int, _ low: Int) {
        (ours, theirs) = (left.planes.lanes, right.planes.lanes)
        (width, self.low) = (left.width, low)
        leftPlace = row * left.stride + left.margin
        rightPlace = row * right.stride + right.margin + left.width - 1 + low
    }

    @inline(__always) func pixel(_ column: Int) -> Pixel {
        let place = leftPlace &+ column
        return Pixel(
            a0: Costs(repeating: ours.0[byte: place]), a1: Costs(repeating: ours.1[byte: place]),
            a2: Costs(repeating: ours.2[byte: place]), slope: Costs(repeating: ours.3[byte: place]),
            theirs: theirs, partners: rightPlace &- column, first: column &- low, width: width)
    }

    /// A pixel of the left picture.
    struct Pixel {
        fileprivate let a0: Costs
        fileprivate let a1: Costs
        fileprivate let a2: Costs
        fileprivate let slope: Costs
        fileprivate let theirs: (Lanes, Lanes, Lanes, Lanes)
        fileprivate let partners: Int
        /// The partner's column at the first disparity.
        fileprivate let first: Int
        fileprivate let width: Int

        /// Computes and stores sixteen costs, starting with the `index`th disparity.
        @inline(__always) func costs(_ index: Int, storedAt target: Int, of costs: Lanes) -> Costs {
            let at = partners &+ index
            let bits = bitCount(
                a0 ^ theirs.0[costs: at], a1 ^ theirs.1[costs: at], a2 ^ theirs.2[costs: at])
            let other = theirs.3[costs: at]
            let difference = greater(slope, other) &- lesser(slope, other)
            let steep = lesser(difference &>> 1, Costs(repeating: slopeMost))
            let cost = bits &+ bits &+ steep
            costs[costs: target] = cost
            // Partners exist for 0 ≤ x − d < width.
            let partner = first &- index
            guard partner < 15 || partner >= width else { return cost }
            for lane in 0..<16 where !(0..<width).contains(partner - lane) {
                costs[byte: target &+ lane] = beyond
            }
            return costs[costs: target]
        }
    }
}
