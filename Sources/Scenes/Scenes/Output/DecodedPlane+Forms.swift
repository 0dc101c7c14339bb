internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Embedded
internal import PhotoFormats

/// The forms that a plane of depth or disparity is written in.
extension DecodedPlane {
    typealias Form = (samples: Raster.Samples, record: SampleEncoding, diagnostics: [Diagnostic])

    /// Float32 in the unit of the quantity.
    func float(_ quantity: DepthQuantity?) -> Form {
        let quantity = quantity ?? self.quantity
        let values = values(quantity)
        let range = FiniteRange(values)
        return (
            .float(values), record(quantity, range, unknown: .text("nan")),
            remarkOnDistances(values, quantity)
        )
    }

    /// Reports how many samples the file stores with values that are not distances.
    private func remarkOnDistances(_ values: [Float], _ quantity: DepthQuantity) -> [Diagnostic] {
        guard let mapping, mapping.exceedsDistances else { return [] }
        if mapping.quantity == .disparity {
            let count = values.count { $0 == (quantity == .depth ? .infinity : 0) }
            return count > 0
                ? [.note(.infiniteSamples, "\(count) samples of 0 or less are infinitely far")] : []
        }
        let count = values.count(where: \.isNaN)
        return count > 0 ? [.note(.unknownSamples, "\(count) samples of 0 or less are unknown")] : []
    }

    /// Normalizes the samples to 16 bits. If `quantity` is the one that the file stores, its codes are only rescaled, so no
    /// precision is lost.
    func normalized(_ quantity: DepthQuantity?) -> Form {
        let quantity = quantity ?? self.quantity
        if case .codes(let codes, let mapping?) = content, quantity == self.quantity, mapping.isLine {
            let (samples, used) = codes.stretchedTo16Bits(over: mapping.lowCode...mapping.highCode)
            let low = Double(mapping.value(ofCode: used.lowerBound))
            let high = Double(mapping.value(ofCode: used.upperBound))
            // Codes may fall as values rise (RangeInverse); output samples must not. Codes without a declared range are
            // kept unchanged.
            guard high < low, mapping.isDeclared else {
                return (.gray16(samples), record(quantity, low, high, unknown: .null), [])
            }
            return (.gray16(samples.map { 65535 - $0 }), record(quantity, high, low, unknown: .null), [])
        }
        let values = values(quantity)
        var range = FiniteRange(values)
        if let declared = declaredRange, quantity == self.quantity { range.widen(to: declared) }
        let first = range.isComplete ? 0.0 : 1
        let samples = values.map { value in
            value.isFinite ? UInt16((first + range.share(of: value) * (65535 - first)).rounded()) : 0
        }
        return (
            .gray16(samples),
            record(quantity, range, unknown: range.isComplete ? .null : .integer(0)),
            range.isComplete
                ? []
                : [.note(.omittedSamples, "\(range.missing) samples without a finite value are written as 0")]
        )
    }

    /// 16 bits of millimeters, the convention of RGB-D data sets.
    func millimeters() throws -> Form {
        guard scale.hasUnit else {
            throw SceneError.noUnit
        }
        var beyond = 0
        let values = values(.depth)
        let samples = values.map { meters -> UInt16 in
            guard meters.isFinite else { return 0 }
            let millimeters = (Double(meters) * 1000).rounded()
            guard millimeters >= 0, millimeters <= 65535 else {
                beyond += 1
                return 0
            }
            return UInt16(millimeters)
        }
        var diagnostics: [Diagnostic] = []
        if beyond > 0 {
            diagnostics.append(
                .note(.omittedSamples, "\(beyond) samples beyond 65.535 m are written as 0"))
        }
        if scale != .absolute {
            diagnostics.append(
                .note(
                    .uncertainScale,
                    "the accuracy of the depth is \(scale.accuracy.rawValue): millimeters may be off in scale"
                ))
        }
        var record = integers(perUnit: 1000)
        record.unknownCount = FiniteRange(values).unknown
        let written = samples.filter { $0 > 0 }
        if let least = written.min(), let greatest = written.max() {
            record.occurring = (Double(least) / 1000, Double(greatest) / 1000)
        }
        return (.gray16(samples), record, diagnostics)
    }

    /// 8 bits, near bright, linear in disparity unless `quantity` is depth; 0 (black) if unknown. For heights, high is
    /// bright.
    func preview(_ quantity: DepthQuantity?, colorMap: ColorMap?) -> Form {
        let quantity = isHeight ? .depth : quantity ?? .disparity
        let isDarkHigh = quantity == .depth && !isHeight
        let values = values(quantity)
        let range = FiniteRange(values)
        let map = DisparityMap(
            width: size.width, height: size.height, reciprocalMeters: values, scale: scale)
        var shares = map.normalized()
        if isDarkHigh { shares = shares.inverted }
        var record = record(quantity, range, unknown: range.isComplete ? .null : .integer(0))
        if isDarkHigh { swap(&record.minimum, &record.maximum) }
        if let colorMap { return (.color(shares.colored(by: colorMap).pixels), record, []) }
        let first: Float = range.isComplete ? 0 : 1
        let samples = shares.shares.map { share in
            share >= 0 ? UInt8((first + share * (255 - first)).rounded()) : 0
        }
        return (.gray8(samples), record, [])
    }

    /// The meaning of 16-bit integers of depth, of which this many are a unit, and 0 is unknown.
    func integers(perUnit factor: Double) -> SampleEncoding {
        record(.depth, 1 / factor, 65535 / factor, unknown: .integer(0))
    }

    private func record(_ quantity: DepthQuantity, _ range: FiniteRange, unknown: JSONValue) -> SampleEncoding
    {
        var record = record(quantity, range.low, range.high, unknown: unknown)
        record.unknownCount = range.unknown
        return record
    }

    private func record(
        _ quantity: DepthQuantity, _ minimum: Double, _ maximum: Double, unknown: JSONValue
    ) -> SampleEncoding {
        var record = SampleEncoding(
            quantity: quantity, scale: scale, minimum: minimum, maximum: maximum, unknown: unknown)
        record.isHeight = isHeight
        // Steps of 16-bit codes are too small to see.
        if quantity == self.quantity, let step = step?.magnitude, maximum - minimum < 256 * Double(step) {
            record.step = Double(step)
        }
        return record
    }
}

/// The range and the gaps of a map's values.
private struct FiniteRange {
    /// The smallest finite value; 0 if no value is finite.
    var low = 0.0
    /// The largest finite value.
    var high = 0.0
    /// How many values are not finite.
    var missing = 0
    /// How many of these are unknown, rather than infinite.
    var unknown = 0

    /// Whether all values are finite.
    var isComplete: Bool { missing == 0 }

    /// The position of a finite value between ``low`` and ``high``, 0…1; 0 in a constant map.
    func share(of value: Float) -> Double {
        high > low ? min(max((Double(value) - low) / (high - low), 0), 1) : 0
    }

    init(_ values: [Float]) {
        var (least, greatest) = (Float.infinity, -Float.infinity)
        for value in values {
            guard value.isFinite else {
                missing += 1
                if value.isNaN { unknown += 1 }
                continue
            }
            least = min(least, value)
            greatest = max(greatest, value)
        }
        if least <= greatest { (low, high) = (Double(least), Double(greatest)) }
    }

    /// Widens to a declared range, so that values are stretched as they were before.
    mutating func widen(to declared: (low: Double, high: Double)) {
        guard declared.low <= low, high <= declared.high else { return }
        (low, high) = declared
    }
}
