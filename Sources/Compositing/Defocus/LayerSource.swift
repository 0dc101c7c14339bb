internal import DepthCore

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
    private let pixels: [RGB<Sample>]
    private let tones: TransferFunctionTable<Sample>
    private let presence: LayerCoverage
    private let sheet: Int
    /// As ``Highlights/stops``; empty if no pixel is brighter than stored.
    private let stops: [UInt8]
    private let factors = Highlights.factors

    init(
        pixels: [RGB<Sample>], tones: TransferFunctionTable<Sample>, field: DefocusField,
        presence: LayerCoverage, sheet: Int, highlights: Highlights = .none
    ) {
        precondition(
            pixels.count == field.places.count && pixels.count == field.coverage.count, "one place a pixel")
        (self.pixels, self.tones, self.field) = (pixels, tones, field)
        (self.presence, self.sheet, stops) = (presence, sheet, highlights.stops)
        precondition(stops.isEmpty || stops.count == pixels.count, "one factor a pixel")
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
        let distance =
            unsafe Int(field.places.span[unchecked: index]) &- sheet &* Int(DefocusLayers.placeScale)
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
