internal import Bytes
internal import DepthTypes

extension PlaneDescription {
    /// Adds the values in Apple's XMP and in the SEI message to a plane of known kind.
    ///
    /// The range comes from XMP. If values were binary16, it is rounded to the nearest binary16, which undoes the rounding to
    /// six decimals. The SEI message holds the same numbers unrounded, and is used if the range is missing.
    ///
    /// Samples of 16 bits can be unknown: binary16 has `nan`, and if the range of samples begins above 0, 0 means unknown.
    mutating func describe(
        _ metadata: AppleAuxiliaryMetadata?, representation: DepthRepresentation?, at offset: Int?,
        in path: StructurePath
    ) {
        calibration = metadata?.calibration
        blur = metadata?.blur
        quality = metadata?.quality
        isFiltered = metadata?.isFiltered
        guard kind.isDepth else { return }
        let quantity: DepthQuantity = kind == .depth ? .depth : .disparity
        let bitDepth = self.bitDepth ?? 8
        let range: (low: Double, high: Double)?
        if let values = metadata?.values {
            range = Self.unrounded(values, isHalf: metadata?.isNativeHalf == true, representation?.range)
        } else {
            range = representation?.quantity == quantity ? representation?.range : nil
        }
        let storesHalves = bitDepth == 16 && metadata?.isStoredAsHalf == true
        guard let range else {
            var undeclared = SampleMapping(undeclared: quantity, bitDepth: bitDepth)
            (undeclared.storesHalves, undeclared.hasUnit) = (storesHalves, storesHalves)
            mapping = undeclared
            accuracy = storesHalves ? metadata?.accuracy ?? .relative : .unknown
            return
        }
        accuracy = metadata?.accuracy ?? .relative
        let codes = metadata?.codes ?? (0, (1 << bitDepth) - 1)
        guard Float(range.low).isFinite, Float(range.high).isFinite, range.low <= range.high else {
            fail("not a valid range of values: \(range.low) to \(range.high)", at: offset, in: path)
            return
        }
        guard codes.low < codes.high else {
            fail("not a valid range of stored values: \(codes.low) to \(codes.high)", at: offset, in: path)
            return
        }
        mapping = SampleMapping(
            quantity, codes: codes.low...codes.high, low: Float(range.low), high: Float(range.high))
        mapping?.storesHalves = storesHalves
        if bitDepth == 16, !storesHalves, codes.low > 0 { mapping?.unknownCode = 0 }
    }

    private mutating func fail(_ rule: String, at offset: Int?, in path: StructurePath) {
        readError = readError ?? ContainerError(.malformed(rule: rule), at: offset, in: path)
    }

    /// Undoes the rounding of a range to six decimals.
    private static func unrounded(
        _ written: (low: Double, high: Double), isHalf: Bool, _ exact: (low: Double, high: Double)?
    ) -> (low: Double, high: Double) {
        func restore(_ value: Double, _ exact: Double?) -> Double {
            let tolerance = 0.5000001e-6
            let half = Double(Float16(value))
            if isHalf, abs(half - value) <= tolerance { return half }
            if let exact, abs(exact - value) <= tolerance { return exact }
            return value
        }
        return (restore(written.low, exact?.low), restore(written.high, exact?.high))
    }
}
