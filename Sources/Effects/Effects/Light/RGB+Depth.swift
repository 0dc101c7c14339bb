internal import DepthMaps

extension RGB {
    /// The color in another depth: 8 bits times 257, 16 bits rounded.
    @inline(__always)
    func converted<Other: FixedWidthInteger & BitwiseCopyable & Sendable>(
        to type: Other.Type = Other.self
    ) -> RGB<Other> {
        RGB<Other>(
            red: depthConverted(red), green: depthConverted(green), blue: depthConverted(blue))
    }
}

/// A value in another depth: 8 bits times 257, 16 bits rounded.
@inline(__always)
func depthConverted<Sample: FixedWidthInteger, Other: FixedWidthInteger>(_ code: Sample) -> Other {
    let (top, otherTop) = (UInt32(Sample.max), UInt32(Other.max))
    return top == otherTop
        ? Other(truncatingIfNeeded: code)
        : Other(truncatingIfNeeded: (UInt32(code) &* otherTop &+ top / 2) / top)
}

extension SIMD4<Float> {
    /// Light clamped to 0…1: `clamped` is a call on each side.
    @inline(__always)
    var limitedLight: SIMD4<Float> {
        let high = replacing(with: 1, where: self .> 1)
        return high.replacing(with: 0, where: high .< 0)
    }
}
