internal import ByteParsing
internal import DepthModel
internal import RasterContainers

/// What the stored samples of a raster mean: by its own record, or by the reading.
struct SampleInterpretation: Sendable {
    /// What the values measure.
    var quantity: DepthQuantity
    /// What they mean.
    var scale: DepthScale
    /// The values of the lowest and the highest sample, where the file declares them.
    var declared: (low: Double, high: Double)?
    /// What was assumed.
    var diagnostics: [Diagnostic] = []
    /// The codes that integer samples are; `nil` for floating point.
    private(set) var coding: SceneDescription.Coding?
    /// Whether nothing says which side is near: integers without a unit.
    private(set) var isNearSideAssumed = false
    private var conversion: Conversion
    private let isFloat: Bool

    private enum Conversion {
        case asStored
        /// Integers that a record stretches over its range; the second is the largest.
        case recorded(SampleEncoding, Int)
        /// `(stored / scale + offset) / divisor`
        case linear(scale: Double, offset: Double, divisor: Double)
    }

    /// Their unit; `nil` where they have none.
    var unit: String? { scale.isMetric ? quantity.unit : nil }

    /// Follows the file's record unless something else was said.
    init(
        _ raster: RasterDescription, record: SampleEncoding?, reading: RasterInterpretation,
        camera: RasterCamera
    ) {
        let isOverruled =
            reading.scale != nil || camera.stereo != nil
            || (reading.quantity != nil && reading.quantity != record?.quantity)
        if let record, !isOverruled {
            self = SampleInterpretation(
                record, isFloat: raster.sampleType.isFloat, highest: 1 << raster.bitDepth - 1)
            coding = coding(of: raster)
            return
        }
        isFloat = raster.sampleType.isFloat
        quantity = reading.quantity ?? (camera.stereo == nil ? record?.quantity ?? .depth : .disparity)
        if record != nil {
            diagnostics.append(.note(.unusedRecord, "the file's own record of its values is not used"))
        }
        if let stereo = camera.stereo {
            scale = .metric
            conversion = .linear(
                scale: reading.scale ?? 1, offset: stereo.offset, divisor: stereo.baselineTimesFocal)
        } else if let divisor = reading.scale {
            scale = .metric
            conversion = .linear(scale: divisor, offset: 0, divisor: 1)
        } else if isFloat {
            scale = .assumed
            conversion = .asStored
            diagnostics.append(
                .note(
                    .assumedMeters,
                    "assuming that samples are \(quantity == .depth ? "meters" : "1/meters")"))
        } else {
            scale = .unitless
            conversion = .asStored
            isNearSideAssumed = reading.quantity == nil || reading.isQuantityAssumed
            diagnostics.append(
                reading.isQuantityAssumed && quantity == .disparity
                    ? .assumedNearSide(.disparity) : .note(.noUnit, "integer samples have no unit"))
        }
        coding = coding(of: raster)
    }

    private func coding(of raster: RasterDescription) -> SceneDescription.Coding? {
        guard !isFloat, raster.bitDepth <= 16 else { return nil }
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

    private init(_ record: SampleEncoding, isFloat: Bool, highest: Int) {
        quantity = record.quantity
        scale = record.scale
        declared = (record.minimum, record.maximum)
        conversion = isFloat ? .asStored : .recorded(record, highest)
        self.isFloat = isFloat
    }

    /// The values of samples, `nan` where unknown. Finite floating point samples without a scale stay as they are.
    func values(of samples: RasterSamples) -> [Float] {
        switch samples {
        case .uint8(let codes):
            let table = (0...255).map { value(ofCode: $0) }
            return codes.map { table[Int($0)] }
        case .uint16(let codes):
            let table = (0...65535).map { value(ofCode: $0) }
            return codes.map { table[Int($0)] }
        case .float(let stored):
            if isFloat, case .asStored = conversion, quantity == .depth || declared != nil { return stored }
            return stored.map(value)
        }
    }

    private func value(ofCode code: Int) -> Float {
        if case .recorded(let record, let highest) = conversion {
            return record.value(ofCode: code, highest: highest)
        }
        return value(Float(code))
    }

    private func value(_ stored: Float) -> Float {
        if quantity == .depth, !isFloat, stored == 0 { return .nan }
        // Stereo data sets write infinity where no match was found.
        if quantity == .disparity, stored == .infinity { return .nan }
        switch conversion {
        case .linear(let scale, let offset, let divisor):
            return Float((Double(stored) / scale + offset) / divisor)
        case .asStored: return stored
        // Only 8- and 16-bit integers are written with a record.
        case .recorded: return .nan
        }
    }
}
