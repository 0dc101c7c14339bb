/// A non-negative fraction, TIFF's RATIONAL.
struct Rational: Hashable, Sendable {
    var numerator: UInt32
    var denominator: UInt32

    /// `value` to the nearest 1/`resolution`, in lowest terms.
    init(_ value: Double, resolution: UInt32 = 10_000, field: String) throws(ContainerWritingError) {
        let scaled = (value * Double(resolution)).rounded()
        guard value >= 0, let numerator = UInt32(exactly: scaled) else {
            throw .notRepresentable(field: field, value: "\(value)")
        }
        let divisor = greatestCommonDivisor(numerator, resolution)
        self.numerator = numerator / divisor
        self.denominator = resolution / divisor
    }
}

private func greatestCommonDivisor(_ first: UInt32, _ second: UInt32) -> UInt32 {
    second == 0 ? first : greatestCommonDivisor(second, first % second)
}
