internal import DepthCore

/// Linear light 0…1 of every code.
struct LinearizationTable<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    private let table: [Float]

    init(_ curve: TransferFunction) {
        let steps = Double(curve.light.count - 1)
        table = (0...Int(Sample.max)).map { code in
            let place = Double(code) / Double(Sample.max) * steps
            let below = min(Int(place), curve.light.count - 2)
            let (low, high) = (Double(curve.light[below]), Double(curve.light[below + 1]))
            return Float(low + (high - low) * (place - Double(below)))
        }
    }

    @inline(__always)
    func light(_ pixel: RGB<Sample>) -> SIMD4<Float> {
        let table = table.span
        // SAFETY: the table has a place for every value of the type.
        return unsafe SIMD4(
            table[unchecked: Int(pixel.red)], table[unchecked: Int(pixel.green)],
            table[unchecked: Int(pixel.blue)], 0)
    }
}

/// The codes of linear light: the inverse of ``LinearizationTable``.
///
/// Codes are tabulated over the square root of light, of which they are nearly linear for all common curves, and
/// linear in between: for sRGB exact to 0.02 of a 16-bit code.
struct EncodingTable<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    /// One more entry than steps, and a copy of the last, so that light 1 has a neighbor.
    private let table: [Float]

    private static var steps: Int { 4096 }

    init(_ curve: TransferFunction) {
        let light = curve.light
        var table: [Float] = []
        var below = 0
        for step in 0...Self.steps {
            let root = Double(step) / Double(Self.steps)
            let value = root * root
            while below < light.count - 2, Double(light[below + 1]) < value { below += 1 }
            let (low, high) = (Double(light[below]), Double(light[below + 1]))
            let share = high > low ? min(max((value - low) / (high - low), 0), 1) : 0
            table.append(Float((Double(below) + share) / Double(light.count - 1) * Double(Sample.max)))
        }
        self.table = table + [table[Self.steps]]
    }

    /// The codes of red, green and blue; light must be 0…1.
    @inline(__always)
    func pixel(_ light: SIMD4<Float>) -> RGB<Sample> {
        let place = light.squareRoot() * Float(Self.steps)
        return RGB(red: code(place.x), green: code(place.y), blue: code(place.z))
    }

    @inline(__always)
    private func code(_ place: Float) -> Sample {
        let below = Int32(place)
        let table = table.span
        let low = table[Int(below)]
        let value = low + (table[Int(below) + 1] - low) * (place - Float(below))
        return Sample(truncatingIfNeeded: Int32(value + 0.5))
    }
}

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

/// A code in another depth: 8 bits times 257, 16 bits rounded.
@inline(__always)
func depthConverted<Sample: FixedWidthInteger, Other: FixedWidthInteger>(_ code: Sample) -> Other {
    let (top, otherTop) = (UInt32(Sample.max), UInt32(Other.max))
    return top == otherTop
        ? Other(truncatingIfNeeded: code)
        : Other(truncatingIfNeeded: (UInt32(code) &* otherTop &+ top / 2) / top)
}

extension SIMD4<Float> {
    /// Light 0…1: `clamped` is a call on each side.
    @inline(__always)
    var limitedLight: SIMD4<Float> {
        let high = replacing(with: 1, where: self .> 1)
        return high.replacing(with: 0, where: high .< 0)
    }
}
