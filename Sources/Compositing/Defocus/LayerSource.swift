internal import DepthCore

/// What a photo has on one sheet.
struct LayerSource<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    /// What a cell of ``LayerCoverage`` holds, seen from the sheet.
    enum Contents {
        /// Nothing on the sheet, and nothing nearer.
        case open
        /// Only what is nearer.
        case hidden
        /// Something else.
        case mixed
    }

    let field: DefocusField
    private let pixels: [RGB<Sample>]
    private let tones: TransferFunctionTable<Sample>
    private let presence: LayerCoverage
    private let sheet: Int

    init(
        pixels: [RGB<Sample>], tones: TransferFunctionTable<Sample>, field: DefocusField,
        presence: LayerCoverage,
        sheet: Int
    ) {
        precondition(
            pixels.count == field.places.count && pixels.count == field.coverage.count, "one place a pixel")
        self.pixels = pixels
        self.tones = tones
        self.field = field
        self.presence = presence
        self.sheet = sheet
    }

    /// What the cell around a pixel holds.
    @inline(__always)
    func contents(_ column: Int, _ row: Int) -> Contents {
        let mask = presence.mask(at: column, row)
        if mask >> UInt64(sheet) == 0 { return .open }
        return mask & (2 << UInt64(sheet) - 1) == 0 ? .hidden : .mixed
    }

    /// Light times its share w on the sheet, and w; and `known`, which is less than 1 where something nearer hides it.
    @inline(__always)
    func sample(at index: Int) -> (light: SIMD4<Float>, known: Float) {
        // SAFETY: callers keep inside the field, whose planes have one sample a pixel.
        let place = unsafe field.places.span[unchecked: index]
        let distance = Float(place) * (1 / DefocusLayers.placeScale) - Float(sheet)
        let known = min(max(1 - distance, 0), 1)
        let share = known - max(-distance, 0)
        guard share > 0 else { return (.zero, known) }
        let weight = unsafe share * Float(field.coverage.span[unchecked: index]) * (1 / 255)
        return unsafe (tones.light(of: pixels.span[unchecked: index], weight: 1) * weight, known)
    }
}
