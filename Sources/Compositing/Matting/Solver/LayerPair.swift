/// A color of the foreground and one of the background, between which a pixel's light may lie.
struct LayerPair: BitwiseCopyable {
    let back: SIMD4<Float>
    /// From the background's color to the foreground's.
    let axis: SIMD4<Float>
    /// The axis, divided by its squared length and the variance of noise.
    let scaledAxis: SIMD4<Float>
    /// The squared length, as far as it matters for what lies beyond one of the colors: that is of its layer, only brighter or darker.
    let tolerated: Float
    /// The variance of a position along the axis.
    let uncertainty: Float

    private static var tolerance: Float { 0.05 }

    init(front: SIMD4<Float>, back: SIMD4<Float>, noise deviation: Float) {
        let noise = ((front + back) * 0.5).noiseVariance(ofCodes: deviation)
        let axis = front - back
        let length = (axis * axis).sum()
        self.back = back
        self.axis = axis
        scaledAxis = axis / (length + noise)
        tolerated = length * Self.tolerance
        uncertainty = noise / (length + 4 * noise)
    }
}
