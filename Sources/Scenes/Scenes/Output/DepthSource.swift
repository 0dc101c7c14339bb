internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Embedded
internal import PhotoFormats

/// A decoded depth plane, before conversion to an output form.
package struct DepthSource {
    typealias Form = (samples: Raster.Samples, record: SampleEncoding, diagnostics: [Diagnostic])

    /// The samples and their meaning.
    enum Samples {
        /// Integer codes, linear in depth or disparity.
        case coded(SamplePlane, SampleMapping)
        /// Values of a raster in real units, with the range that its file declares.
        case values([Float], declared: (low: Double, high: Double)?)
    }

    var samples: Samples
    var width: Int
    var height: Int
    var quantity: DepthQuantity
    /// The scale of the values.
    var scale: DepthScale
    /// The distances whose reciprocals the disparity values are, if distances were computed first; else `nil`.
    private var meters: [Float]?
    /// The difference between the values of successive codes, in the stored quantity; `nil` for values that are not codes.
    var step: Float?
    /// Whether values are heights of a terrain, of any sign.
    var isHeight = false
    /// What the treatment of the samples assumed or changed.
    var treatmentRemarks: [Diagnostic] = []

    /// A coded plane of a photo.
    init(_ codes: SamplePlane, mapping: SampleMapping, scale: DepthScale) {
        samples = .coded(codes, mapping)
        (width, height) = (codes.width, codes.height)
        quantity = mapping.quantity
        self.scale = scale
        step = mapping.step
    }

    /// The values of a raster.
    init(
        _ values: [Float], width: Int, height: Int, quantity: DepthQuantity, scale: DepthScale,
        declared: (low: Double, high: Double)?, step: Float? = nil
    ) {
        samples = .values(values, declared: declared)
        self.step = step
        (self.width, self.height) = (width, height)
        self.quantity = quantity
        self.scale = scale
    }

    /// The values of a depth map.
    init(_ map: DepthMap, declared: (low: Double, high: Double)? = nil, step: Float? = nil) {
        self.init(
            map.meters, width: map.width, height: map.height, quantity: .depth, scale: map.scale,
            declared: declared, step: step)
    }

    /// The values of a disparity map.
    init(_ map: DisparityMap, declared: (low: Double, high: Double)? = nil, step: Float? = nil) {
        self.init(
            map.reciprocalMeters, width: map.width, height: map.height, quantity: .disparity,
            scale: map.scale, declared: declared, step: step)
    }

    /// Converts values of a plane that was measured along rays to distances along the optical axis.
    func alongAxis(_ plane: PlaneDescription, _ frame: PixelOrientation) -> DepthSource {
        let rays = DepthMap(
            width: width, height: height, meters: values(.depth), scale: scale,
            calibration: plane.calibration(in: frame))
        let axial = rays.alongAxis()
        var source = DepthSource(
            quantity == .depth ? axial.meters : DisparityMap(reciprocalOf: axial).reciprocalMeters,
            width: width,
            height: height, quantity: quantity, scale: scale, declared: nil)
        source.meters = axial.meters
        return source
    }

    /// Float32 in the unit of the quantity.
    func float(_ quantity: DepthQuantity?) -> Form {
        let quantity = quantity ?? self.quantity
        let values = values(quantity)
        let range = FiniteRange(values)
        return (
            .float(values), record(quantity, range, unknown: .text("nan")),
            remarkOnUnknown(values)
        )
    }

    /// Reports how many samples the file stores with values that are not distances.
    private func remarkOnUnknown(_ values: [Float]) -> [Diagnostic] {
        guard case .coded(_, let mapping) = samples, mapping.reachesUnknown else { return [] }
        let count = values.count(where: \.isNaN)
        guard count > 0 else { return [] }
        let below = mapping.quantity == .depth ? "0 or less" : "less than 0"
        return [.note(.unknownSamples, "\(count) samples of \(below) are unknown")]
    }

    /// Normalizes the samples to 16 bits. If `quantity` is the one that the file stores, its codes are only rescaled, so no
    /// precision is lost.
    func normalized(_ quantity: DepthQuantity?) -> Form {
        let quantity = quantity ?? self.quantity
        if case .coded(let codes, let mapping) = samples, quantity == self.quantity, mapping.isLine {
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
        guard scale.isMetric else {
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
        if scale != .metric {
            diagnostics.append(
                .note(
                    .inexactScale,
                    "the accuracy of the depth is \(scale.accuracy.rawValue): millimeters may be off in scale"
                ))
        }
        var record = record(.depth, 0.001, 65.535, unknown: .integer(0))
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
        let map = DisparityMap(width: width, height: height, reciprocalMeters: values, scale: scale)
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

    /// The values in a quantity.
    func values(_ quantity: DepthQuantity) -> [Float] {
        // Taking the reciprocal twice would round twice.
        if quantity == .depth, let meters { return meters }
        switch samples {
        case .coded(let codes, let mapping):
            return quantity == .depth
                ? DepthMap(codes, mapping: mapping, scale: scale).meters
                : DisparityMap(codes, mapping: mapping, scale: scale).reciprocalMeters
        case .values(let values, _):
            guard quantity != self.quantity else { return values }
            let (depth, disparity) = (
                DepthMap(width: width, height: height, meters: values, scale: scale),
                DisparityMap(width: width, height: height, reciprocalMeters: values, scale: scale)
            )
            return quantity == .depth
                ? DepthMap(reciprocalOf: disparity).meters
                : DisparityMap(reciprocalOf: depth).reciprocalMeters
        }
    }

    /// The range of values that the source declares.
    var declaredRange: (low: Double, high: Double)? {
        switch samples {
        case .coded(_, let mapping):
            mapping.isDeclared ? (Double(mapping.range.low), Double(mapping.range.high)) : nil
        case .values(_, let declared): declared
        }
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
