extension BitWriter {
    /// Appends `depth_rep_info_element` (ITU-T H.265 Annex G): sign u(1), exponent u(7), mantissa length − 1 u(5),
    /// mantissa u(v).
    ///
    /// A value is ±2^(exponent − 31) × (1 + mantissa / 2^length) with exponent 1…126, or ±2^−(30 + length) × mantissa with
    /// exponent 0. The mantissa gets 16 bits, as in Apple's files: enough for every binary16 value to be exact. Other values
    /// get 32 bits, enough for every Float; finer values are rounded to the nearest.
    mutating func appendDepthElement(_ value: Double) throws(ContainerWritingError) {
        let isShort = value == 0 || (value.significand * 65_536).rounded() == value.significand * 65_536
        let isFloat = Double(Float(value)) == value && value.magnitude >= 0x1p-30
        let length = isShort || !isFloat ? 16 : 32
        let (exponent, mantissa) = try depthElement(of: value.magnitude, mantissaBits: length)
        append(value.sign == .minus)
        append(exponent, bitCount: 7)
        append(UInt64(length - 1), bitCount: 5)
        append(mantissa, bitCount: length)
    }
}

private func depthElement(
    of magnitude: Double, mantissaBits: Int
) throws(ContainerWritingError) -> (exponent: UInt64, mantissa: UInt64) {
    let smallestNormal = Double(sign: .plus, exponent: -30, significand: 1)
    guard magnitude.isFinite else {
        throw .notRepresentable(field: "depth_rep_info_element", value: "\(magnitude)")
    }
    guard magnitude >= smallestNormal else {
        let scaled = Double(sign: .plus, exponent: 30 + mantissaBits, significand: magnitude).rounded()
        // Rounding may reach the smallest normal number, which has a zero mantissa.
        let mantissa = UInt64(scaled)
        return mantissa >> UInt64(mantissaBits) == 0 ? (0, mantissa) : (1, 0)
    }
    let one = UInt64(1) << UInt64(mantissaBits)
    var exponent = Int(magnitude.exponent) + 31
    var mantissa = UInt64((magnitude.significand * Double(one)).rounded()) - one
    if mantissa == one {
        (exponent, mantissa) = (exponent + 1, 0)
    }
    guard exponent <= 126 else {
        throw .notRepresentable(field: "depth_rep_info_element", value: "\(magnitude)")
    }
    return (UInt64(exponent), mantissa)
}
