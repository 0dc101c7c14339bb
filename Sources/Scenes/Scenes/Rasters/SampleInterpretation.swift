package import Bytes
internal import DepthTypes
internal import Embedded
internal import RasterFormats

/// The meaning of a raster's stored samples, from the record in the file or the caller's interpretation.
struct SampleInterpretation: Sendable {
    /// The quantity of the values.
    var quantity: DepthQuantity
    /// Their scale.
    var scale: DepthScale
    /// The values of the lowest and the highest sample, if the file declares them.
    var declared: (low: Double, high: Double)?
    /// Assumptions.
    var diagnostics: [Diagnostic] = []
    /// The coding of integer samples; `nil` for floating point.
    private(set) var coding: SceneDescription.Coding?
    /// Whether the near side is unknown, as for integers without a unit.
    private(set) var isNearSideAssumed = false
    /// Whether values are heights of a terrain: of any sign, and without a disparity.
    private(set) var isHeight = false
    private var conversion: Conversion
    private let type: SampleType
    /// Which stored samples are unknown; of integers with a record, which values.
    private(set) var rule = SampleRule.everyValue
    /// Whether samples are unknown by this rule, rather than by the file's record.
    private(set) var reportsUnknown = false

    private enum Conversion {
        case asStored
        /// Integers that a record stretches over its range. The second value is the highest integer.
        case recorded(SampleEncoding, Int)
        /// `(stored / scale + offset) / divisor`
        case linear(scale: Double, offset: Double, divisor: Double)
    }

    /// The unit of the values; `nil` if missing.
    var unit: String? { scale.hasUnit ? quantity.unit : nil }

    /// Follows the file's record, except where `reading` overrides it.
    init(
        _ raster: RasterDescription, record: SampleEncoding?, reading: ReadingOptions,
        camera: RasterCamera
    ) {
        let given = reading.isQuantityAssumed ? nil : reading.quantity?.converted
        let isOverruled =
            reading.scale != nil || reading.range != nil || camera.stereo != nil
            || (given != nil && given != record?.quantity)
        type = raster.sampleType
        if let record, !isOverruled {
            quantity = record.quantity
            scale = record.scale
            declared = (record.minimum, record.maximum)
            conversion = type.isFloat ? .asStored : .recorded(record, (1 << raster.bitDepth) - 1)
            if case .value(let value) = reading.noData {
                (rule.noData, reportsUnknown) = (Float(value), true)
            }
            isHeight = record.isHeight
            // Stored values of photos may not be distances; in Float32 such values are `nan`.
            if !isHeight, !type.isFloat, reading.noData != .nothing {
                rule.known = (quantity == .depth ? .leastNonzeroMagnitude : 0)...(.infinity)
            }
            if isHeight { diagnostics.append(.heights) }
            coding = record.coding ?? coding(of: raster)
            return
        }
        isHeight = raster.isGeoreferenced && given == nil && camera.stereo == nil
        let isPicture = !type.isFloat && raster.bitDepth <= 8 && reading.scale == nil && !isHeight
        let usual: DepthQuantity = camera.stereo != nil || isPicture ? .disparity : .depth
        quantity = given ?? (camera.stereo == nil ? record?.quantity : nil) ?? usual
        if record != nil {
            diagnostics.append(.note(.unusedRecord, "the file's own record of its values is not used"))
        }
        if isHeight {
            diagnostics.append(.heights)
        }
        if let range = reading.range {
            let highest = raster.maximumCode ?? (1 << raster.bitDepth) - 1
            let encoding = SampleEncoding(
                quantity: quantity, scale: .absolute,
                minimum: quantity == .depth ? range.lowerBound : 1 / range.upperBound,
                maximum: quantity == .depth ? range.upperBound : 1 / range.lowerBound, unknown: .integer(0))
            (scale, declared) = (.absolute, (encoding.minimum, encoding.maximum))
            (reportsUnknown, isNearSideAssumed) = (true, given == nil)
            if isNearSideAssumed { diagnostics.append(.assumedNearSide(quantity, hasUnit: true)) }
            conversion = .recorded(encoding, highest)
        } else if let stereo = camera.stereo, type.isFloat || reading.scale != nil {
            scale = .absolute
            conversion = .linear(
                scale: reading.scale ?? 1, offset: stereo.offset, divisor: stereo.baselineTimesFocal)
        } else if let divisor = reading.scale {
            scale = .absolute
            conversion = .linear(scale: divisor, offset: 0, divisor: 1)
        } else if raster.format == .colmap {
            scale = .unitless
            conversion = .asStored
            diagnostics.append(.note(.noUnit, "distances are in the unit of COLMAP's model"))
        } else if type.isFloat {
            scale = .unknown
            conversion = .asStored
            diagnostics.append(
                .note(
                    .assumedMeters,
                    "assuming that samples are \(quantity == .depth ? "meters" : "1/meters")"))
        } else {
            scale = .unitless
            conversion = .asStored
            isNearSideAssumed = given == nil && camera.stereo == nil && !isHeight
            diagnostics.append(
                .note(
                    .noUnit,
                    camera.stereo == nil
                        ? "integer samples have no unit"
                        : "integer disparity has no unit: its steps per pixel are unknown (256 in KITTI)"))
            if isNearSideAssumed { diagnostics.append(.assumedNearSide(quantity)) }
        }
        if reading.noData != .nothing {
            if reading.range == nil {
                rule = isHeight ? .heights : SampleRule(quantity, bits: type.isFloat ? nil : raster.bitDepth)
            }
            rule.noData = raster.noData.map { Float($0) } ?? .nan
            reportsUnknown = true
        }
        if case .value(let value) = reading.noData { rule.noData = Float(value) }
        coding = coding(of: raster)
    }

    private func coding(of raster: RasterDescription) -> SceneDescription.Coding? {
        guard !type.isFloat, raster.bitDepth <= 16 else { return nil }
        let codeCount = 1 << raster.bitDepth
        let step: Double =
            switch conversion {
            case .asStored: 1
            case .recorded(let record, let highest):
                (record.maximum - record.minimum)
                    / Double(record.unknown.integer == 0 ? highest - 1 : highest)
            case .linear(let scale, _, let divisor): 1 / (scale * divisor)
            }
        guard step > 0, step.isFinite else { return nil }
        return SceneDescription.Coding(step: Float(step), codeCount: codeCount)
    }

    /// Removes what no longer holds once distances along the rays are depth: the range of codes, and their step.
    mutating func convertDistances() { (declared, coding) = (nil, nil) }

    /// The values of samples, `nan` where unknown, and how many samples are.
    func values(of samples: RasterSamples) -> (values: [Float], counts: SampleCounts) {
        switch samples {
        case .uint8(let codes): return values(ofCodes: codes, highest: 255)
        case .uint16(let codes): return values(ofCodes: codes, highest: 65535)
        case .float(let stored):
            let rule = rule.settled(for: stored)
            var counts = SampleCounts()
            counts.total = stored.count
            let values = stored.map { sample in
                let (value, kind) = value(sample, rule)
                if let kind { counts[kind] += 1 }
                return value
            }
            return (values, counts)
        }
    }

    private func values<Code: FixedWidthInteger>(
        ofCodes codes: [Code], highest: Int
    ) -> (values: [Float], counts: SampleCounts) {
        var histogram = [Int](repeating: 0, count: highest + 1)
        for code in codes { histogram[Int(code)] += 1 }
        let rule = rule.settled(for: histogram.indices.lazy.filter { histogram[$0] > 0 }.map { Float($0) })
        var counts = SampleCounts()
        counts.total = codes.count
        let table = histogram.indices.map { code in
            let (value, kind) = value(Float(code), rule)
            if let kind { counts[kind] += histogram[code] }
            return value
        }
        return (codes.map { table[Int($0)] }, counts)
    }

    /// The value of a stored sample, `nan` if it is unknown, and what it means if it is not a distance.
    private func value(_ stored: Float, _ rule: SampleRule) -> (value: Float, kind: SampleKind?) {
        let value: Float
        switch conversion {
        case .recorded(let record, let highest):
            if stored == rule.noData { return (.nan, .noData) }
            // Only 8- and 16-bit integers are written with a record.
            guard let code = Int(exactly: stored) else { return (.nan, .notFinite) }
            value = record.value(ofCode: code, highest: highest)
            if value.isNaN { return (.nan, .zero) }
        case .linear(let scale, let offset, let divisor):
            if let reason = rule.reason(stored) { return (.nan, reason) }
            value = Float((Double(stored) / scale + offset) / divisor)
            // An offset may bring disparities below 0.
            if value < 0, !isHeight, reportsUnknown { return (.nan, .negative) }
            if !value.isFinite, reportsUnknown { return (.nan, .notFinite) }
            return (value, kind(of: value))
        case .asStored:
            return rule.reason(stored).map { (.nan, $0) } ?? (stored, kind(of: stored))
        }
        if let reason = rule.reason(value) { return (.nan, reason) }
        return (value, kind(of: value))
    }

    private func kind(of value: Float) -> SampleKind? {
        value == (quantity == .depth ? .infinity : 0) && !isHeight ? .infinite : nil
    }
}

extension Diagnostic {
    fileprivate static let heights = note(
        .heights, "samples are heights (GeoTIFF), not distances from a camera")
}

extension Diagnostic.Code {
    /// Samples are heights of a terrain.
    package static let heights: Self = "heights"
    /// Samples are unknown, by the default rule or by a value with that meaning.
    package static let noDataSamples: Self = "no-data-samples"
    /// Pixels are vectors of two numbers, such as the row and the column of a disparity grid.
    package static let vectorGrid: Self = "vector-grid"
}
