/// The meaning of the stored values (codes) of a depth plane: a linear function from codes to values.
///
/// `value = low + (code − lowCode) · (high − low) / (highCode − lowCode)`, in the plane's quantity: ITU-T H.265 Annex
/// F, depth representation types 0–2, and Apple's `FloatMinValue`…`FloatMaxValue`. A plane that is linear in 1/Z has a
/// mapping of disparity; `high < low` reverses the order (Google's RangeInverse).
package struct SampleMapping: Hashable, Sendable {
    /// The quantity of the values.
    package var quantity: DepthQuantity
    package var lowCode: Int
    /// The code of ``high``, above ``lowCode``.
    package var highCode: Int
    /// The value at ``lowCode``, in the quantity's unit; 0 if no range is declared.
    package var low: Float
    /// The value at ``highCode``; 1 if no range is declared.
    package var high: Float
    /// Whether the file declares the range.
    package var isDeclared: Bool
    /// Whether values are in the quantity's unit. A declared range may have no unit (Google's Lens Blur).
    package var hasUnit: Bool
    /// The code of samples without a value, outside the range of codes; `nil` if missing.
    package var unknownCode: Int?
    /// Whether the format gives each code a value, although no range is declared.
    package var usesAllCodes = false
    /// The codes with a value, if others occur and the plane declares no range: see ``SampleRule``.
    package var knownCodes: ClosedRange<Int>?
    /// Whether 16-bit codes are bit patterns of IEEE binary16 rather than linear; `nan` is unknown.
    package var storesHalves = false

    /// A mapping whose range the file declares.
    package init(_ quantity: DepthQuantity, codes: ClosedRange<Int>, low: Float, high: Float) {
        self.quantity = quantity
        self.lowCode = codes.lowerBound
        self.highCode = codes.upperBound
        (self.low, self.high, self.isDeclared, self.hasUnit) = (low, high, true, true)
    }

    /// The mapping of a plane without a declared range: codes as 0…1, without a unit.
    package init(undeclared quantity: DepthQuantity, bitDepth: Int) {
        self.init(quantity, codes: 0...max(1, (1 << bitDepth) - 1), low: 0, high: 1)
        self.isDeclared = false
        self.hasUnit = false
    }

    /// Whether all codes are linear, so that codes can be stretched instead of values.
    package var isLine: Bool {
        unknownCode == nil && knownCodes == nil && !storesHalves && !exceedsDistances
    }

    /// Whether the line includes values that are not distances: those of depth are unknown, and disparities below 0 are infinitely
    /// far.
    package var exceedsDistances: Bool { !storesHalves && !isDistance(min(low, high)) }

    /// The smallest and the largest value of the codes, without unknown ones.
    package var range: (low: Float, high: Float) {
        let (least, greatest) = (min(low, high), max(low, high))
        return hasUnit ? (max(least, 0), max(greatest, 0)) : (least, greatest)
    }

    /// Whether a value is valid for the quantity: a distance is positive, and a disparity is not negative. Values
    /// without a unit have an arbitrary scale.
    private func isDistance(_ value: Float) -> Bool {
        !hasUnit || (quantity == .depth ? value > 0 : value >= 0)
    }

    /// The unit of the values; `nil` if missing.
    package var unit: String? { hasUnit ? quantity.unit : nil }

    /// The difference between the values of successive codes; `nil` for a single code, and for binary16.
    package var step: Float? {
        highCode > lowCode && !storesHalves ? (high - low) / Float(highCode - lowCode) : nil
    }

    /// The value of a code; `nan` if unknown.
    package func value(ofCode code: Int) -> Float {
        switch kind(ofCode: code) {
        case nil: lineValue(ofCode: code)
        case .infinite?: 0
        case _?: .nan
        }
    }

    /// What a code means that is not a distance, or infinitely far; `nil` for others.
    package func kind(ofCode code: Int) -> SampleKind? {
        if code == unknownCode { return .noData }
        if knownCodes?.contains(code) == false { return code == 0 ? .zero : .nothingHit }
        let value = lineValue(ofCode: code)
        if value.isNaN { return .notFinite }
        if hasUnit, quantity == .disparity { return value <= 0 ? .infinite : nil }
        return isDistance(value) ? nil : value == 0 ? .zero : .negative
    }

    /// The mapping of codes without a declared range, of which these occur: codes that ``SampleRule`` makes unknown have no value.
    package func settled(for codes: some Collection<Int>, bitDepth: Int, noData: Int?) -> SampleMapping {
        guard !isDeclared, !usesAllCodes, !storesHalves else { return self }
        var (mapping, rule) = (self, SampleRule(quantity, bits: bitDepth))
        mapping.unknownCode = noData
        rule.noData = noData.map { Float($0) } ?? .nan
        rule = rule.settled(for: codes.lazy.map { Float($0) })
        let known = codes.filter { rule.known.contains(Float($0)) }
        let none = 1 << bitDepth
        let range = (known.min() ?? none)...(known.max() ?? none)
        if codes.contains(where: { !range.contains($0) }) { mapping.knownCodes = range }
        return mapping
    }

    private func lineValue(ofCode code: Int) -> Float {
        if storesHalves { return Float(Float16(bitPattern: UInt16(truncatingIfNeeded: code))) }
        guard highCode > lowCode else { return low }
        let share = Double(code - lowCode) / Double(highCode - lowCode)
        return Float(Double(low) + share * (Double(high) - Double(low)))
    }
}
