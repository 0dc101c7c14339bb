internal import DepthMaps

// DepthMaps has copies of these functions: only public functions are inlined in another module, and calling one for
// each pixel takes four times as long (`@inlinable package` does not remove the calls).

extension TransferFunctionTable {
    /// The stored value of light; light outside 0…1 is clipped.
    @inline(__always)
    func code(ofLight value: Float) -> Sample {
        let clipped = min(max(value, 0), 1)
        let (starts, thresholds) = (starts.span, thresholds.span)
        var code = starts[Int(clipped * Float(starts.count - 1))]
        while code < Sample.max, thresholds[Int(code) + 1] <= clipped { code += 1 }
        return code
    }

    /// The light of red, green and blue, with the caller's `weight` as the fourth element.
    @inline(__always)
    func light(of pixel: RGB<Sample>, weight: Float = 0) -> SIMD4<Float> {
        // SAFETY: the table has one element for each stored value.
        let light = light.span
        return unsafe SIMD4(
            light[unchecked: Int(pixel.red)], light[unchecked: Int(pixel.green)],
            light[unchecked: Int(pixel.blue)], weight)
    }

    /// The pixel of red, green and blue light, clipped; the fourth element is ignored.
    @inline(__always)
    func pixel(ofLight value: SIMD4<Float>) -> RGB<Sample> {
        RGB(
            red: code(ofLight: value.x), green: code(ofLight: value.y), blue: code(ofLight: value.z))
    }
}

extension SIMD4<Float> {
    /// Light clamped to 0…1: `clamped` is a call on each side.
    @inline(__always)
    var limitedLight: SIMD4<Float> {
        let high = replacing(with: 1, where: self .> 1)
        return high.replacing(with: 0, where: high .< 0)
    }
}
