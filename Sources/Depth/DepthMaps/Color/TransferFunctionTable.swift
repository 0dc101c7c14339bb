/// Converts stored values to linear light 0…1 and back, by tables made from a ``TransferFunction``.
///
/// Light between the midpoints of two successive pairs of stored values belongs to the value between them. So a round trip
/// returns the same value, and light becomes the value that rounding gives.
package struct TransferFunctionTable<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    /// The light of each stored value.
    package let light: [Float]
    /// The lowest light of each stored value; 0 for value 0.
    package let thresholds: [Float]
    /// The stored value of equally spaced light, from 0 to 1.
    package let starts: [Sample]

    /// Tables for all values of the type.
    @_specialize(where Sample == UInt8)
    @_specialize(where Sample == UInt16)
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
    /// The light halfway between each stored value and the one below; 0 for value 0.
    fileprivate func thresholds(ofCodesTo top: Int) -> [Float] {
        (0...top).map { $0 == 0 ? 0 : light(of: (Double($0) - 0.5) / Double(top)) }
    }
}

extension [Float] {
    /// The stored values of light 0, 1/steps … 1, found by their thresholds.
    fileprivate func codes(ofSteps steps: Int) -> [UInt16] {
        var code = 0
        return (0...steps).map { step in
            let light = Float(step) / Float(steps)
            while code < count - 1, self[code + 1] <= light { code += 1 }
            return UInt16(code)
        }
    }
}
