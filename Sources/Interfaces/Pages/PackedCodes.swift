internal import Codecs
internal import DepthMaps
internal import Scenes

/// Values as linear codes: the value of code c is `minimum + (c − first) · step`, and codes below `first` are unknown.
struct PackedCodes: Sendable {
    /// Gray, 8 or 16 bits.
    let samples: Raster.Samples
    /// The value of the code ``first``.
    let minimum: Double
    /// The difference between the values of successive codes.
    let step: Double
    /// 1 if any value is unknown, else 0.
    let first: Int
    /// Bits of a code.
    let bitDepth: Int

    /// The original codes, if values are multiples of `coded`; otherwise 16 bits over the range of the finite values.
    init(_ values: [Float], step coded: Double?) {
        let statistics = SampleStatistics(values)
        let first = statistics.finiteCount < statistics.count ? 1 : 0
        let (low, high) = (Double(statistics.minimum ?? 0), Double(statistics.maximum ?? 0))
        let own = coded.flatMap { Self.step($0, of: values, from: low, to: high) }
        let finest = high > low ? (high - low) / Double(65535 - first) : 1
        let step = own ?? finest
        let last = ((high - low) / step).rounded() + Double(first)
        (self.first, self.step, minimum, bitDepth) = (first, step, low, last <= 255 ? 8 : 16)
        func code(_ value: Float) -> Double {
            value.isFinite ? ((Double(value) - low) / step).rounded() + Double(first) : 0
        }
        samples =
            last <= 255
            ? .gray8(values.map { UInt8(clamping: Int(code($0))) })
            : .gray16(values.map { UInt16(clamping: Int(code($0))) })
    }

    /// The step of a coding, if all values are multiples of it and codes fit 16 bits.
    private static func step(
        _ step: Double, of values: [Float], from low: Double, to high: Double
    ) -> Double? {
        guard step > 0, step.isFinite, (high - low) / step < 65534 else { return nil }
        for value in values where value.isFinite {
            let place = (Double(value) - low) / step
            guard abs(place - place.rounded()) < 0.125 else { return nil }
        }
        return step
    }
}
