/// Codes to linear light 0…1 and back, by tables made of a ``TransferFunction``.
///
/// A code owns the light from halfway to the code below, in codes, to halfway to the code above. So back and forth gives the same
/// code, and light becomes the code that rounding its coded value gives.
package struct TransferFunctionTable<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    /// The light of each code.
    package let light: [Float]
    /// The least light of each code; 0 for code 0.
    package let thresholds: [Float]
    /// The code of equally spaced light, from 0 to 1.
    package let starts: [Sample]

    /// Tables for all codes of the type.
    package init(_ function: TransferFunction) {
        let top = Int(Sample.max)
        light = (0...top).map { function.light(of: Double($0) / Double(top)) }
        thresholds = function.thresholds(ofCodesTo: top)
        starts = thresholds.codes(ofSteps: top > 255 ? 1 << 16 : 1 << 14).map {
            Sample(truncatingIfNeeded: $0)
        }
    }
}

extension TransferFunction {
    /// The light halfway between each code and the one below; 0 for code 0.
    fileprivate func thresholds(ofCodesTo top: Int) -> [Float] {
        (0...top).map { $0 == 0 ? 0 : light(of: (Double($0) - 0.5) / Double(top)) }
    }
}

extension [Float] {
    /// With the thresholds of codes, the codes of light 0, 1/steps … 1.
    fileprivate func codes(ofSteps steps: Int) -> [UInt16] {
        var code = 0
        return (0...steps).map { step in
            let light = Float(step) / Float(steps)
            while code < count - 1, self[code + 1] <= light { code += 1 }
            return UInt16(code)
        }
    }
}
