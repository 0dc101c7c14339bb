extension Span<Float> {
    /// The four samples from this index on.
    @inline(__always)
    func four(_ index: Int) -> SIMD4<Float> {
        // SAFETY: the call checks its bounds, and every bit pattern is a float.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index &* 4, as: SIMD4<Float>.self)
    }
}

extension SIMD4<Float> {
    /// The smaller of each pair; `pointwiseMin` is a call.
    @inline(__always)
    func lesser(_ other: Self) -> Self { replacing(with: other, where: other .< self) }

    /// The larger of each pair.
    @inline(__always)
    func greater(_ other: Self) -> Self { replacing(with: other, where: other .> self) }

    /// Whether each lane is finite.
    @inline(__always)
    var isFinite: SIMDMask<SIMD4<Int32>> { (self - self) .== 0 }

    /// About exp(−8x) for x ≥ 0, without a call: (1 − x)⁸, but at least a millionth, so that some weight always remains.
    @inline(__always)
    var decay: Self {
        let base = (1 - self).greater(SIMD4(repeating: 0.1778279))
        let square = base * base
        let fourth = square * square
        return fourth * fourth
    }
}
