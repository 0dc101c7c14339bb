internal import Bytes
internal import DepthMaps
internal import DepthTypes

/// Codes one map.
struct DepthCoder {
    private let coding: DepthCoding
    private let scale: DepthScale
    private var diagnostics: [Diagnostic] = []

    init(_ coding: DepthCoding, scale: DepthScale) {
        self.coding = coding
        self.scale = scale
    }

    mutating func code(_ source: DecodedPlane) throws -> CodedDepth {
        if let near = coding.near, !(near > 0 && near.isFinite) { throw DepthCodingError.invalidRange }
        if let far = coding.far, !(far > 0 && far.isFinite) { throw DepthCodingError.invalidRange }
        if let near = coding.near, let far = coding.far, near >= far { throw DepthCodingError.invalidRange }
        let quantity = coding.quantity ?? source.quantity
        if quantity != source.quantity { try scale.requireReciprocal() }
        var coded: CodedDepth
        if quantity == source.quantity, let kept = unchanged(source), fits(kept.mapping) {
            coded = kept
        } else {
            let declared = quantity == source.quantity ? source.declaredRange : nil
            coded = try quantized(
                source.values(quantity), width: source.size.width, height: source.size.height, quantity,
                declared)
        }
        if !scale.hasUnit {
            coded.mapping = try mappingWithoutUnit(coded.mapping)
        }
        if coded.scale == .unknown {
            diagnostics.append(.note(.assumedRange, "meters are assumed: the result is read as 'relative'"))
        }
        coded.diagnostics = diagnostics
        return coded
    }

    // MARK: Codes that are kept

    /// Codes of up to 8 bits, or of 16 if requested, rising with their values.
    private func unchanged(_ source: DecodedPlane) -> CodedDepth? {
        guard case .codes(let plane, var mapping?) = source.content, mapping.isLine,
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

    /// Whether codes can be kept: the ends of their range are within the given bounds, and are distances if required.
    private func fits(_ mapping: SampleMapping) -> Bool {
        guard scale.hasUnit else { return true }
        if coding.needsDistances, !(mapping.low > 0 && (1 / mapping.low).isFinite) { return false }
        let bounds = bounds(mapping.quantity)
        if let low = bounds.low, Double(mapping.low) < low { return false }
        if let high = bounds.high, Double(mapping.high) > high { return false }
        return mapping.low.isFinite && mapping.high.isFinite
    }

    /// `near` and `far` as bounds of a quantity.
    private func bounds(_ quantity: DepthQuantity) -> (low: Double?, high: Double?) {
        guard scale.hasUnit else { return (nil, nil) }
        return quantity == .depth
            ? (coding.near, coding.far) : (coding.far.map { 1 / $0 }, coding.near.map { 1 / $0 })
    }

    // MARK: Rounding

    /// Statistics of a map's values.
    private struct Census {
        /// The smallest and largest value that is kept; `low` exceeds `high` if no value is kept.
        var (low, high) = (Double.infinity, -Double.infinity)
        /// How many values are unknown.
        var missing = 0
        /// How many values are not distances, although distances are required.
        var withoutDistance = 0
        /// How many values are outside the given bounds.
        var clipped = 0
        /// How many values are infinite within the given bounds.
        var infinite = 0

        init(
            _ values: [Float], _ quantity: DepthQuantity, within bounds: (low: Double?, high: Double?),
            needsDistances: Bool
        ) {
            for value in values {
                if DepthCoder.isUnknown(value, quantity) {
                    missing += 1
                    continue
                }
                let value = Double(value)
                if needsDistances, value <= 0 || value == .infinity { withoutDistance += 1 }
                if let bound = bounds.low, value < bound { clipped += 1 }
                if let bound = bounds.high, value > bound { clipped += 1 }
                var kept = value
                if let bound = bounds.low { kept = max(kept, bound) }
                if let bound = bounds.high { kept = min(kept, bound) }
                if needsDistances, kept <= 0 { continue }
                guard kept.isFinite else {
                    infinite += 1
                    continue
                }
                (low, high) = (min(low, kept), max(high, kept))
            }
        }
    }

    private mutating func quantized(
        _ values: [Float], width: Int, height: Int, _ quantity: DepthQuantity,
        _ declared: (low: Double, high: Double)?
    ) throws -> CodedDepth {
        let bounds = bounds(quantity)
        let needsDistances = coding.needsDistances
        let census = Census(values, quantity, within: bounds, needsDistances: needsDistances)
        try require(census, quantity, bounds)
        let form = form(for: census)
        // Codes of a map that was coded before keep the range that its file declares; for others a new range is
        // computed.
        var rounded: Rounded?
        if let declared, census.clipped == 0, census.infinite == 0, declared.low <= census.low,
            census.high <= declared.high, !needsDistances || declared.low > 0
        {
            let coded = round(values, quantity, declared.low, declared.high, form)
            if coded.isExact { rounded = coded }
        }
        if rounded == nil, census.missing > 0, census.clipped == 0, let halves = halves(values, quantity) {
            var mapping = SampleMapping(
                quantity, codes: 0...65535, low: Float(census.low), high: Float(census.high))
            mapping.storesHalves = true
            return CodedDepth(
                codes: SamplePlane(width: width, height: height, bitDepth: 16, codes: .uint16(halves)),
                mapping: mapping, scale: scale, diagnostics: [])
        }
        if census.infinite > 0 {
            diagnostics.append(
                .note(
                    .clippedSamples,
                    "\(census.infinite) samples at infinity are given the farthest distance"))
        }
        let coded = rounded ?? round(values, quantity, census.low, census.high, form)
        if !coded.isExact { tellStep(coded.step, form, quantity, subject: Double(values.sortedMedian)) }
        var mapping = SampleMapping(quantity, codes: form.first...form.last, low: coded.low, high: coded.high)
        if census.missing > 0 { mapping.unknownCode = 0 }
        return CodedDepth(
            codes: SamplePlane(width: width, height: height, bitDepth: form.bitDepth, codes: coded.codes),
            mapping: mapping, scale: scale, diagnostics: [])
    }

    /// Throws if the form cannot hold such values.
    private func require(
        _ census: Census, _ quantity: DepthQuantity, _ bounds: (low: Double?, high: Double?)
    ) throws(DepthCodingError) {
        guard census.missing == 0 || coding.holdsUnknown else { throw .unknownSamples(census.missing) }
        let isBounded = quantity == .depth ? bounds.high != nil && bounds.low != nil : bounds.low != nil
        guard census.withoutDistance == 0 || isBounded else {
            throw .withoutDistance(census.withoutDistance)
        }
        guard census.low <= census.high else { throw .empty }
    }

    /// The code range for these values; adds a diagnostic on what it changes.
    private mutating func form(for census: Census) -> Codes {
        if census.clipped > 0 {
            diagnostics.append(
                .note(
                    .clippedSamples, "\(census.clipped) samples are clipped to the range that was given"))
        }
        guard census.missing > 0 else { return Codes(bitDepth: coding.bitDepth, first: 0) }
        diagnostics.append(
            .note(
                .unknownSamples,
                "\(census.missing) samples are unknown: the map is coded in 16 bits, which have a code for that"
            ))
        return Codes(bitDepth: 16, first: 1)
    }

    /// Whether a value is unknown: not a number, or infinite where infinity is not a valid distance.
    private static func isUnknown(_ value: Float, _ quantity: DepthQuantity) -> Bool {
        value.isNaN || value == -.infinity || value == .infinity && quantity == .disparity
    }

    /// The range of codes.
    private struct Codes {
        var bitDepth: Int
        /// 1 where code 0 means unknown.
        var first: Int
        var last: Int { (1 << bitDepth) - 1 }
    }

    /// Values as bit patterns of binary16; `nil` if that would round any.
    private func halves(_ values: [Float], _ quantity: DepthQuantity) -> [UInt16]? {
        var patterns: [UInt16] = []
        patterns.reserveCapacity(values.count)
        for value in values {
            let isUnknown = Self.isUnknown(value, quantity)
            let half = isUnknown ? .nan : Float16(value)
            guard isUnknown || Float(half) == value else { return nil }
            patterns.append(half.bitPattern)
        }
        return patterns
    }

    /// Values as codes of a range.
    private struct Rounded {
        var codes: SamplePlane.Codes
        var low: Float
        var high: Float
        var step: Double
        /// Whether decoding the codes restores the values, except for the last bits of Float.
        var isExact: Bool
    }

    private func round(
        _ values: [Float], _ quantity: DepthQuantity, _ low: Double, _ high: Double, _ form: Codes
    ) -> Rounded {
        // Readers keep the ends of the range as Float, so codes are computed between those.
        let (first, last) = (Float(low), Float(high))
        let (low, high) = (Double(first), Double(last))
        let step = (high - low) / Double(form.last - form.first)
        let factor = step > 0 ? 1 / step : 0
        var error = 0.0
        func code(_ value: Float) -> Int {
            if form.first > 0, Self.isUnknown(value, quantity) { return 0 }
            let clipped = min(max(Double(value), low), high)
            let code = ((clipped - low) * factor).rounded()
            error = max(error, abs(low + code * step - clipped))
            return form.first + Int(code)
        }
        let codes: SamplePlane.Codes =
            form.bitDepth == 8
            ? .uint8(values.map { UInt8(code($0)) }) : .uint16(values.map { UInt16(code($0)) })
        return Rounded(
            codes: codes, low: first, high: last, step: step, isExact: error <= (high - low) * 0x1p-20)
    }

    /// Reports the size of a step between codes, in meters at the middle of the map.
    private mutating func tellStep(
        _ step: Double, _ codes: Codes, _ quantity: DepthQuantity, subject: Double
    ) {
        var message = "\(codes.bitDepth) bits hold it in steps of \(short(step))"
        if scale.hasUnit {
            let distance = quantity == .depth ? subject : 1 / subject
            message += " \(quantity.unit)"
            if quantity == .disparity, distance.isFinite, distance > 0 {
                message += ", \(short(step * distance * distance)) m at \(short(distance)) m"
            }
        }
        diagnostics.append(.note(codes.bitDepth == 8 ? .quantizationStep : .finestStep, message))
    }

    /// Three significant digits.
    private func short(_ value: Double) -> String {
        guard value.isFinite, value != 0 else { return "\(value)" }
        var scale = 1.0
        while abs(value) * scale < 100 { scale *= 10 }
        let rounded = (value * scale).rounded() / scale
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
    }

    // MARK: Maps without a unit

    /// Keeps a range without a unit if the form allows it, and no distance is given to clip at.
    private mutating func mappingWithoutUnit(_ mapping: SampleMapping) throws -> SampleMapping {
        var mapping = mapping
        guard coding.holdsNoUnit, scale == .unitless, coding.near == nil, coding.far == nil,
            mapping.low > 0, (1 / mapping.low).isFinite, mapping.high.isFinite
        else { throw DepthCodingError.noUnit }
        mapping.hasUnit = false
        diagnostics.append(.note(.omittedMetadata, "the map has no unit, and the file states none"))
        return mapping
    }
}

extension [Float] {
    /// The median of a sample of at most 4096 values.
    fileprivate var sortedMedian: Float {
        let some = stride(from: 0, to: count, by: Swift.max(1, count / 4096)).map { self[$0] }
            .filter(\.isFinite).sorted()
        return some.isEmpty ? .nan : some[some.count / 2]
    }
}
