/// Pairs of a foreground and a background color between which a pixel's light may lie: four, one per lane.
struct LayerPairs: BitwiseCopyable {
    /// The background's color.
    let back: Colors
    /// From the background's color to the foreground's.
    let axis: Colors
    /// The axis, divided by its squared length and the variance of noise.
    let scaledAxis: Colors
    /// The squared length, limited for light beyond one of the colors: such light belongs to that layer, only brighter or
    /// darker.
    let tolerated: SIMD4<Float>
    /// The variance of a position along the axis.
    let uncertainty: SIMD4<Float>

    /// Four colors, or differences of colors.
    struct Colors: BitwiseCopyable {
        var red: SIMD4<Float>
        var green: SIMD4<Float>
        var blue: SIMD4<Float>
    }

    private static var tolerance: Float { 0.05 }
    /// A background color far from all light.
    private static var nowhere: SIMD4<Float> { SIMD4(repeating: 1e4) }

    /// Pairs a foreground color with up to four background colors, starting at index `first`. Unused lanes get a background
    /// color far from all light, so that they have no weight.
    init(
        front: SIMD4<Float>, _ backs: Span<SIMD4<Float>>, from first: Int, noise deviation: Float
    ) {
        var back = Colors(repeating: Self.nowhere)
        var (scale, tolerated, uncertainty) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
        for lane in 0..<min(backs.count - first, 4) {
            let color = backs[first + lane]
            let noise = ((front + color) * 0.5).noiseVariance(ofCodes: deviation)
            let axis = front - color
            let length = axis.x * axis.x + axis.y * axis.y + axis.z * axis.z
            (back.red[lane], back.green[lane], back.blue[lane]) = (color.x, color.y, color.z)
            scale[lane] = 1 / (length + noise)
            tolerated[lane] = length * Self.tolerance
            uncertainty[lane] = noise / (length + 4 * noise)
        }
        self.back = back
        axis = Colors(red: front.x - back.red, green: front.y - back.green, blue: front.z - back.blue)
        scaledAxis = Colors(red: axis.red * scale, green: axis.green * scale, blue: axis.blue * scale)
        (self.tolerated, self.uncertainty) = (tolerated, uncertainty)
    }
}

extension LayerPairs.Colors {
    fileprivate init(repeating color: SIMD4<Float>) {
        self.init(
            red: SIMD4(repeating: color.x), green: SIMD4(repeating: color.y), blue: SIMD4(repeating: color.z))
    }
}
