internal import DepthCore

// The same functions are in DepthCore, letter by letter: only what is public is inlined in another module, and a call for each
// pixel takes four times as long (`@inlinable package` was tried: the calls stay).

extension TransferFunctionTable {
    /// The code of light; what is outside 0…1 is clipped.
    @inline(__always)
    func code(ofLight value: Float) -> Sample {
        let clipped = min(max(value, 0), 1)
        let (starts, thresholds) = (starts.span, thresholds.span)
        var code = starts[Int(clipped * Float(starts.count - 1))]
        while code < Sample.max, thresholds[Int(code) + 1] <= clipped { code += 1 }
        return code
    }

    /// The light of red, green and blue, and a number of the caller's in the fourth place.
    @inline(__always)
    func light(of pixel: RGB<Sample>, weight: Float = 0) -> SIMD4<Float> {
        // SAFETY: there is one element for each code.
        let light = light.span
        return unsafe SIMD4(
            light[unchecked: Int(pixel.red)], light[unchecked: Int(pixel.green)],
            light[unchecked: Int(pixel.blue)], weight)
    }

    /// The pixel of red, green and blue light, clipped; the fourth element is not used.
    @inline(__always)
    func pixel(ofLight value: SIMD4<Float>) -> RGB<Sample> {
        RGB(
            red: code(ofLight: value.x), green: code(ofLight: value.y), blue: code(ofLight: value.z))
    }
}
