extension SIMD16<Float> {
    /// The sum of the elements, added as a tree: `sum()` adds one after the other.
    @inline(__always)
    var treeSum: Float {
        let eight = lowHalf + highHalf
        let four = eight.lowHalf + eight.highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }

    /// Rows of four under one another.
    @inline(__always)
    init(
        rows first: SIMD4<Float>, _ second: SIMD4<Float>, _ third: SIMD4<Float>, _ fourth: SIMD4<Float>
    ) {
        self.init(
            lowHalf: SIMD8(lowHalf: first, highHalf: second),
            highHalf: SIMD8(lowHalf: third, highHalf: fourth))
    }

    /// The product of a weight per column and a weight per row.
    @inline(__always)
    init(columns: SIMD4<Float>, rows: SIMD4<Float>) {
        self.init(rows: columns * rows.x, columns * rows.y, columns * rows.z, columns * rows.w)
    }

    /// About exp(−x) for x ≥ 0, without a call: (1 − x/8)⁸, and 0 beyond 8.
    @inline(__always)
    var decay: SIMD16<Float> {
        let base = 1 - self * 0.125
        let square = base.replacing(with: 0, where: base .< 0) * base
        let fourth = square * square
        return fourth * fourth
    }
}
