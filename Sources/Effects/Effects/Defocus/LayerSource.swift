internal import DepthMaps

/// A photo's contribution to one sheet.
struct LayerSource<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    /// The contents of a cell of ``LayerCoverage``, relative to the sheet.
    enum Contents {
        /// The photo has no samples on this layer of depth or nearer to the camera.
        case open
        /// Only nearer samples.
        case hidden
        /// Anything else.
        case mixed
    }

    let field: DefocusField
    private let photo: [RGB<Sample>]
    /// The photo, with the subject's own colors where a matte's subject covers pixels partly.
    private let pixels: [RGB<Sample>]
    private let tones: TransferFunctionTable<Sample>
    private let presence: LayerCoverage
    private let sheet: Int
    /// How much partly covered pixels say about the background on this sheet, 0...1. Where it is nearly sharp, the subject's
    /// light would show as a thin line: such background is continued from beside them.
    private let trust: Float
    /// As ``Highlights/stops``; empty if no pixel is brighter than stored.
    private let stops: [UInt8]
    private let factors = Highlights.factors

    init(
        photo: [RGB<Sample>], pixels: [RGB<Sample>], tones: TransferFunctionTable<Sample>,
        field: DefocusField, presence: LayerCoverage, sheet: Int, highlights: Highlights = .none
    ) {
        precondition(
            pixels.count == field.places.count && pixels.count == field.coverage.count
                && photo.count == pixels.count, "one position for each pixel")
        (self.photo, self.pixels, self.tones, self.field) = (photo, pixels, tones, field)
        (self.presence, self.sheet, stops) = (presence, sheet, highlights.stops)
        precondition(stops.isEmpty || stops.count == pixels.count, "one factor a pixel")
        trust = min(max(field.layers.radii[sheet] / field.sharpRadius - 1, 0), 1)
    }

    /// The contents of the cell around a pixel.
    @inline(__always)
    func contents(_ column: Int, _ row: Int) -> Contents {
        let mask = presence.mask(at: column, row)
        if mask >> UInt64(sheet) == 0 { return .open }
        return mask & ((2 << UInt64(sheet)) - 1) == 0 ? .hidden : .mixed
    }

    /// Adds light times its fraction w on the sheet, and w; and to `known` less than 1 if something nearer hides the sheet.
    @inline(__always)
    func add(_ index: Int, _ light: inout SIMD4<Float>, _ known: inout Float) {
        // SAFETY: callers stay inside the field, whose planes have one sample per pixel.
        let place = unsafe field.places.span[unchecked: index]
        let distance = Int(place & ~DefocusField.mixedFlag) &- sheet &* Int(DefocusLayers.placeScale)
        if distance > 0, trust > 0, place & DefocusField.mixedFlag != 0 {
            addBehind(index, distance, &light, &known)
        }
        guard distance < Int(DefocusLayers.placeScale) else { return }
        guard distance > -Int(DefocusLayers.placeScale) else {
            known += 1
            return
        }
        let fraction = Float(distance) * (1 / DefocusLayers.placeScale)
        known += min(1 - fraction, 1)
        let weight = unsafe (1 - abs(fraction)) * Float(field.coverage.span[unchecked: index]) * (1 / 255)
        var color = unsafe tones.light(of: pixels.span[unchecked: index], weight: 1)
        if !stops.isEmpty {
            // SAFETY: as above; there are as many factors as values of a byte.
            color *= unsafe factors.span[unchecked: Int(stops.span[unchecked: index])]
        }
        light += color * weight
    }

    /// Adds what a matte's subject leaves visible of the background, if the subject is nearer than the sheet by `distance`:
    /// the light I − α F is (1 − α) times the background's. The weight is smaller, for it is uncertain where α is large.
    private func addBehind(_ index: Int, _ distance: Int, _ light: inout SIMD4<Float>, _ known: inout Float) {
        guard let behind = field.behind else { return }
        let (row, column) = index.quotientAndRemainder(dividingBy: field.width)
        let scale = Int(DefocusLayers.placeScale)
        let below = Int(behind.value(atColumn: column, row: row)) &- sheet &* scale
        let alpha = Float(field.coverage[index]) * (1 / 255)
        let trust = trust * max(1 - alpha * (1 / Self.greatestAlpha), 0)
        let nearer = Float(min(distance, scale)) * (1 / DefocusLayers.placeScale)
        guard trust > 0, below < scale else { return }
        let weight = trust * (1 - alpha) * nearer
        guard below > -scale else {
            known += weight
            return
        }
        let fraction = Float(below) * (1 / DefocusLayers.placeScale)
        known += weight * min(1 - fraction, 1)
        let rest =
            tones.light(of: photo[index], weight: 1) - tones.light(of: pixels[index], weight: 1) * alpha
        light += rest * (trust * nearer * (1 - abs(fraction)))
    }

    /// Pixels with this part of the subject or more say nothing about the background.
    private static var greatestAlpha: Float { 0.9 }

    /// The samples themselves, for a sheet in focus. The area is inside the picture; its cells are pixels.
    func samples(_ area: CellArea) -> LayerMeans {
        var means = LayerMeans(
            area: area, light: [SIMD4<Float>](repeating: .zero, count: area.count),
            known: [Float](repeating: 0, count: area.count))
        precondition(
            area.columns.upperBound <= field.width && area.rows.upperBound <= field.height,
            "inside the picture")
        for row in area.rows {
            for column in area.columns {
                let place = area.index(column, row)
                add(row * field.width + column, &means.light[place], &means.known[place])
            }
        }
        return means
    }
}
