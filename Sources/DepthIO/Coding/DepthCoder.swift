internal import ByteParsing
internal import DepthCore
internal import DepthModel

/// Codes one map.
struct DepthCoder {
    private let coding: DepthCoding
    private let scale: DepthScale
    private var diagnostics: [Diagnostic] = []

    init(_ coding: DepthCoding, scale: DepthScale) {
        self.coding = coding
        self.scale = scale
    }

    mutating func code(_ source: DepthSource) throws -> CodedDepth {
        if let near = coding.near, !(near > 0 && near.isFinite) { throw DepthCodingError.invalidRange }
        if let far = coding.far, !(far > 0 && far.isFinite) { throw DepthCodingError.invalidRange }
        if let near = coding.near, let far = coding.far, near >= far { throw DepthCodingError.invalidRange }
        let quantity = coding.quantity ?? source.quantity
        if quantity != source.quantity { try scale.requireReciprocal() }
        var coded: CodedDepth
        if quantity == source.quantity, let kept = unchanged(source), fits(kept.mapping) {
            coded = kept
        } else {
            let declared = quantity == source.quantity ? declaredRange(of: source) : nil
            coded = try quantized(
                source.values(quantity), width: source.width, height: source.height, quantity, declared)
        }
        if !scale.isMetric {
            coded.mapping = try assumedMapping(coded.mapping)
            coded.scale = .assumed
        }
        if coded.scale == .assumed {
            diagnostics.append(
                .note(
                    .assumedRange,
                    scale.isMetric
                        ? "meters are assumed: the file says 'relative'"
                        : "the range of \(coding.near ?? 0) to \(coding.far ?? 0) m is assumed: the file says 'relative'"
                ))
        }
        coded.diagnostics = diagnostics
        return coded
    }

    // MARK: Codes that stay

    /// Codes of up to 8 bits, or of all 16 where that is asked for, with values rising as codes do.
    private func unchanged(_ source: DepthSource) -> CodedDepth? {
        guard case .coded(let plane, var mapping) = source.samples,
            plane.bitDepth == 8 || plane.bitDepth == 16 && coding.bitDepth == 16
        else { return nil }
        var codes = plane
        let highest = plane.maximumCode
        let isFalling = mapping.high < mapping.low
        if isFalling {
            codes = plane.complemented
            (mapping.lowCode, mapping.highCode) = (highest - mapping.highCode, highest - mapping.lowCode)
            (mapping.low, mapping.high) = (mapping.high, mapping.low)
        }
        let (low, high) = (mapping.value(ofCode: 0), mapping.value(ofCode: highest))
        let hasUnit = mapping.hasUnit
        mapping = SampleMapping(mapping.quantity, codes: 0...highest, low: low, high: high)
        mapping.hasUnit = hasUnit
        return CodedDepth(
            codes: codes, mapping: mapping, scale: scale, isUnchanged: !isFalling, diagnostics: [])
    }

    /// Whether codes can stay: the ends of their range are distances where that is needed, and within the bounds given.
    private func fits(_ mapping: SampleMapping) -> Bool {
        guard scale.isMetric else { return true }
        if coding.needsDistances, !(mapping.low > 0 && (1 / mapping.low).isFinite) { return false }
        let bounds = bounds(mapping.quantity)
        if let low = bounds.low, Double(mapping.low) < low { return false }
        if let high = bounds.high, Double(mapping.high) > high { return false }
        return mapping.low.isFinite && mapping.high.isFinite
    }

    /// `near` and `far` as bounds of a quantity.
    private func bounds(_ quantity: DepthQuantity) -> (low: Double?, high: Double?) {
        guard scale.isMetric else { return (nil, nil) }
        return quantity == .depth
            ? (coding.near, coding.far) : (coding.far.map { 1 / $0 }, coding.near.map { 1 / $0 })
    }

    /// The range over which a source says its values are spread, so that codes become what they were.
    private func declaredRange(of source: DepthSource) -> (low: Double, high: Double)? {
        switch source.samples {
        case .coded(_, let mapping):
            mapping.isDeclared
                ? (Double(min(mapping.low, mapping.high)), Double(max(mapping.low, mapping.high))) : nil
        case .values(_, let declared): declared
        }
    }

    // MARK: Rounding

    private mutating func quantized(
        _ values: [Float], width: Int, height: Int, _ quantity: DepthQuantity,
        _ declared: (low: Double, high: Double)?
    ) throws -> CodedDepth {
        let bounds = bounds(quantity)
        var (low, high) = (Double.infinity, -Double.infinity)
        var (missing, withoutDistance, clipped) = (0, 0, 0)
        for value in values {
            if value.isNaN || value == -.infinity || value == .infinity && quantity == .disparity {
                missing += 1
                continue
            }
            let value = Double(value)
            if coding.needsDistances, value <= 0 || value == .infinity { withoutDistance += 1 }
            if let bound = bounds.low, value < bound { clipped += 1 }
            if let bound = bounds.high, value > bound { clipped += 1 }
            var kept = value
            if let bound = bounds.low { kept = max(kept, bound) }
            if let bound = bounds.high { kept = min(kept, bound) }
            if coding.needsDistances, kept <= 0 { continue }
            guard kept.isFinite else { continue }
            (low, high) = (min(low, kept), max(high, kept))
        }
        guard missing == 0 else { throw DepthCodingError.unknownSamples(missing) }
        let isBounded = quantity == .depth ? bounds.high != nil && bounds.low != nil : bounds.low != nil
        guard withoutDistance == 0 || isBounded else {
            throw DepthCodingError.withoutDistance(withoutDistance)
        }
        guard low <= high else { throw DepthCodingError.empty }
        if clipped > 0 {
            diagnostics.append(
                .note(.clippedSamples, "\(clipped) samples are clipped to the range that was given"))
        }
        // The codes of a map that was coded before lie on the range that its file declares; others get their own range.
        var rounded: Rounded?
        if let declared, clipped == 0, declared.low <= low, high <= declared.high,
            !coding.needsDistances || declared.low > 0
        {
            let coded = round(values, declared.low, declared.high)
            if coded.isExact { rounded = coded }
        }
        let coded = rounded ?? round(values, low, high)
        if !coded.isExact { tellStep(coded.step, quantity, subject: Double(values.sortedMedian)) }
        return CodedDepth(
            codes: SamplePlane(width: width, height: height, bitDepth: coding.bitDepth, codes: coded.codes),
            mapping: SampleMapping(
                quantity, codes: 0...(1 << coding.bitDepth - 1), low: coded.low, high: coded.high),
            scale: scale, diagnostics: [])
    }

    /// Values as codes of a range.
    private struct Rounded {
        var codes: SamplePlane.Codes
        var low: Float
        var high: Float
        var step: Double
        /// Whether the codes stand for the values themselves, but for the last bits of Float.
        var isExact: Bool
    }

    private func round(_ values: [Float], _ low: Double, _ high: Double) -> Rounded {
        // Readers keep the ends as Float, so codes are counted between those.
        let (first, last) = (Float(low), Float(high))
        let (low, high) = (Double(first), Double(last))
        let step = (high - low) / Double(1 << coding.bitDepth - 1)
        let factor = step > 0 ? 1 / step : 0
        var error = 0.0
        func code(_ value: Float) -> Int {
            let clipped = min(max(Double(value), low), high)
            let code = ((clipped - low) * factor).rounded()
            error = max(error, abs(low + code * step - clipped))
            return Int(code)
        }
        let codes: SamplePlane.Codes =
            coding.bitDepth == 8
            ? .uint8(values.map { UInt8(code($0)) }) : .uint16(values.map { UInt16(code($0)) })
        return Rounded(
            codes: codes, low: first, high: last, step: step, isExact: error <= (high - low) * 0x1p-20)
    }

    /// Says what a step of codes is, in meters where the middle of the map is.
    private mutating func tellStep(_ step: Double, _ quantity: DepthQuantity, subject: Double) {
        var message = "\(coding.bitDepth) bits hold it in steps of \(short(step))"
        if scale.isMetric {
            let distance = quantity == .depth ? subject : 1 / subject
            message += " \(quantity.unit)"
            if quantity == .disparity, distance.isFinite, distance > 0 {
                message += ", \(short(step * distance * distance)) m at \(short(distance)) m"
            }
        }
        diagnostics.append(.note(.quantizationStep, message))
    }

    /// Three significant digits.
    private func short(_ value: Double) -> String {
        guard value.isFinite, value != 0 else { return "\(value)" }
        var scale = 1.0
        while abs(value) * scale < 100 { scale *= 10 }
        let rounded = (value * scale).rounded() / scale
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
    }

    // MARK: A range that was given

    /// The range from `near` to `far` in the place of one without a unit.
    private func assumedMapping(_ mapping: SampleMapping) throws -> SampleMapping {
        guard let near = coding.near, let far = coding.far else { throw DepthCodingError.noUnit }
        var mapping = mapping
        (mapping.low, mapping.high) =
            mapping.quantity == .depth
            ? (Float(near), Float(far)) : (Float(1 / far), Float(1 / near))
        (mapping.isDeclared, mapping.hasUnit) = (true, true)
        return mapping
    }
}

extension [Float] {
    /// The middle of a sample of at most 4096 of the values.
    fileprivate var sortedMedian: Float {
        let some = stride(from: 0, to: count, by: Swift.max(1, count / 4096)).map { self[$0] }.sorted()
        return some.isEmpty ? .nan : some[some.count / 2]
    }
}
