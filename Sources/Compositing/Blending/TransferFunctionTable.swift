internal import DepthCore

/// Codes to linear light and back, by tables made of a ``TransferFunction``.
///
/// Back and forth gives the same code: a code owns the light from the middle of the step below to the middle of the
/// step above.
struct TransferFunctionTable<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    /// Linear light 0…1 of each code.
    let light: [Float]
    /// The least light of each code; 0 for code 0.
    private let thresholds: [Float]
    /// The code that equally spaced light belongs to.
    private let starts: [Sample]

    private static var startCount: Int { Sample.bitWidth > 8 ? 1 << 16 : 1 << 14 }

    init(_ curve: TransferFunction) {
        let top = Int(Sample.max)
        light = (0...top).map { Self.value(curve, Double($0) / Double(top)) }
        thresholds = (0...top).map { $0 == 0 ? 0 : Self.value(curve, (Double($0) - 0.5) / Double(top)) }
        var code = 0
        var starts: [Sample] = []
        for step in 0...Self.startCount {
            let value = Float(step) / Float(Self.startCount)
            while code < top, thresholds[code + 1] <= value { code += 1 }
            starts.append(Sample(code))
        }
        self.starts = starts
    }

    private static func value(_ curve: TransferFunction, _ coded: Double) -> Float {
        let place = coded * Double(curve.light.count - 1)
        let below = min(Int(place), curve.light.count - 2)
        let (first, second) = (curve.light[below], curve.light[below + 1])
        return first + (second - first) * Float(place - Double(below))
    }

    /// The code whose light is nearest in coded steps; light outside 0…1 is clipped.
    @inline(__always)
    func code(ofLight value: Float) -> Sample {
        let clipped = min(max(value, 0), 1)
        var code = starts[Int(clipped * Float(Self.startCount))]
        while code < Sample.max, thresholds[Int(code) + 1] <= clipped { code += 1 }
        return code
    }

    /// The light of a pixel, and 1 for its weight.
    @inline(__always)
    func light(of pixel: RGB<Sample>) -> SIMD4<Float> {
        // SAFETY: there is one element for each code.
        let light = light.span
        return unsafe SIMD4(
            light[unchecked: Int(pixel.red)], light[unchecked: Int(pixel.green)],
            light[unchecked: Int(pixel.blue)], 1)
    }

    /// The pixel of red, green and blue light; the fourth element does not count.
    @inline(__always)
    func pixel(ofLight value: SIMD4<Float>) -> RGB<Sample> {
        RGB(
            red: code(ofLight: value.x), green: code(ofLight: value.y), blue: code(ofLight: value.z))
    }
}
