package import Bytes
internal import DepthTypes
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
    /// The stored value of unknown samples; `nan` if not declared.
    private var noData = Float.nan
    /// The known values, as stored and in their unit; values outside are unknown.
    private var known = -Float.infinity...Float.infinity

    private enum Conversion {
        case asStored
        /// Integers that a record stretches over its range. The second value is the highest integer.
        case recorded(SampleEncoding, Int)
        /// `(stored / scale + offset) / divisor`
        case linear(scale: Double, offset: Double, divisor: Double)
    }

    /// The unit of the values; `nil` if missing.
    var unit: String? { scale.isMetric ? quantity.unit : nil }

    /// Follows the file's record, except where `reading` overrides it.
    init(
        _ raster: RasterDescription, record: SampleEncoding?, reading: ReadingOptions,
        camera: RasterCamera
    ) {
        let given = reading.isQuantityAssumed ? nil : reading.quantity?.converted
        let isOverruled =
            reading.scale != nil || camera.stereo != nil || (given != nil && given != record?.quantity)
        type = raster.sampleType
        if let record, !isOverruled {
            quantity = record.quantity
            scale = record.scale
            declared = (record.minimum, record.maximum)
            conversion = type.isFloat ? .asStored : .recorded(record, (1 << raster.bitDepth) - 1)
            if case .value(let value) = reading.noData { noData = Float(value) }
            isHeight = record.isHeight
            // Stored values of photos may not be distances; in Float32 such values are `nan`.
            if !isHeight, !type.isFloat, reading.noData != .nothing {
                let lowest: Float = quantity == .depth ? .leastNonzeroMagnitude : 0
                known = lowest...(.infinity)
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
        if let stereo = camera.stereo {
            scale = .metric
            conversion = .linear(
                scale: reading.scale ?? 1, offset: stereo.offset, divisor: stereo.baselineTimesFocal)
        } else if let divisor = reading.scale {
            scale = .metric
            conversion = .linear(scale: divisor, offset: 0, divisor: 1)
        } else if raster.format == .colmap {
            scale = .unitless
            conversion = .asStored
            diagnostics.append(.note(.noUnit, "distances are in the unit of COLMAP's model"))
        } else if type.isFloat {
            scale = .assumed
            conversion = .asStored
            diagnostics.append(
                .note(
                    .assumedMeters,
                    "assuming that samples are \(quantity == .depth ? "meters" : "1/meters")"))
        } else {
            scale = .unitless
            conversion = .asStored
            isNearSideAssumed = given == nil && !isHeight
            diagnostics.append(.note(.noUnit, "integer samples have no unit"))
            if isNearSideAssumed { diagnostics.append(.assumedNearSide(quantity)) }
        }
        switch reading.noData {
        case .nothing: break
        case .value(let value): noData = Float(value)
        case nil: noData = raster.noData.map { Float($0) } ?? .nan
        }
        if reading.noData != .nothing {
            let lowest: Float =
                isHeight ? -.greatestFiniteMagnitude : quantity == .depth ? .leastNonzeroMagnitude : 0
            known = lowest...(.greatestFiniteMagnitude)
        }
        coding = coding(of: raster)
    }

    /// A diagnostic on samples that are unknown by a rule instead of a declaration in the file.
    func remark(onUnknown count: Int, of all: Int) -> Diagnostic? {
        guard count > 0, known.upperBound.isFinite || !noData.isNaN else { return nil }
        let isSigned = !type.rawValue.hasPrefix("u")
        let kinds = [
            (!noData.isNaN, noData == noData.rounded() && abs(noData) < 1e9 ? "\(Int(noData))" : "\(noData)"),
            (known.lowerBound > 0 && noData != 0, "0"), (known.lowerBound >= 0 && isSigned, "negative"),
            (type.isFloat, "not finite"),
        ]
        let rule = kinds.filter(\.0).map(\.1).joined(separator: ", ")
        return .note(.noDataSamples, "\(count) of \(all) stored samples mean unknown (\(rule))")
    }

    private func coding(of raster: RasterDescription) -> SceneDescription.Coding? {
        guard !type.isFloat, raster.bitDepth <= 16 else { return nil }
        let codeCount = 1 << raster.bitDepth
        let step: Double =
            switch conversion {
            case .asStored: 1
            case .recorded(let record, let highest): (record.maximum - record.minimum) / Double(highest)
            case .linear(let scale, _, let divisor): 1 / (scale * divisor)
            }
        guard step > 0, step.isFinite else { return nil }
        return SceneDescription.Coding(step: Float(step), codeCount: codeCount)
    }

    /// Removes what no longer holds once distances along the rays are depth: the range of codes, and their step.
    mutating func convertDistances() { (declared, coding) = (nil, nil) }

    /// The values of samples, `nan` where unknown.
    func values(of samples: RasterSamples) -> [Float] {
        switch samples {
        case .uint8(let codes):
            let table = (0...255).map { value(ofCode: $0) }
            return codes.map { table[Int($0)] }
        case .uint16(let codes):
            let table = (0...65535).map { value(ofCode: $0) }
            return codes.map { table[Int($0)] }
        case .float(let stored): return stored.map(value)
        }
    }

    private func value(ofCode code: Int) -> Float {
        guard case .recorded(let record, let highest) = conversion else { return value(Float(code)) }
        let value = record.value(ofCode: code, highest: highest)
        return known.contains(value) && Float(code) != noData ? value : .nan
    }

    private func value(_ stored: Float) -> Float {
        guard known.contains(stored), stored != noData else { return .nan }
        switch conversion {
        case .linear(let scale, let offset, let divisor):
            let value = Float((Double(stored) / scale + offset) / divisor)
            return known.contains(value) ? value : .nan
        case .asStored: return stored
        // Only 8- and 16-bit integers are written with a record.
        case .recorded: return .nan
        }
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
