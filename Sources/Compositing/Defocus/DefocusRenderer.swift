internal import DepthCore

/// Renders a photo whose pixels lie on ``DefocusLayers``, sheet by sheet from the farthest to the nearest.
///
/// With w_j(q) the share of pixel q on sheet j, W_j(q) = 1 where q shows something on sheet j or farther and 0 where it shows
/// something nearer (which hides sheet j), and ∗ the convolution with the sheet's disc, each sheet changes the picture to
///
///     out ← (1 − A_j) · out + disc ∗ (w_j · light) / disc ∗ W_j,   A_j = disc ∗ w_j / disc ∗ W_j
///
/// What is hidden has no weight: behind a sharp subject, the background is the mean of background alone. Where all discs are equal,
/// the sum over sheets is the plain convolution, whatever the shares; where nothing is hidden, each pixel spreads over
/// its disc what it has, and not more. What a defocused foreground uncovers is filled from farther around.
struct DefocusRenderer<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    private let pixels: [RGB<Sample>]
    private let tones: TransferFunctionTable<Sample>
    private let field: DefocusField
    private let presence: LayerCoverage
    private let blurs: [LayerBlur]
    /// The wide disc that fills what is hidden; `nil` when no foreground is out of focus.
    private let filling: LayerBlur?
    /// Discs for what that does not reach, from small to wide: a matte may be soft far from what is known. None without one.
    private let widerFillings: [LayerBlur]

    /// Pixels in a tile, across and down; divisible by every scale.
    private static var tile: Int { 256 }

    init(_ pixels: [RGB<Sample>], _ field: DefocusField, _ curve: TransferFunction) {
        self.pixels = pixels
        self.field = field
        tones = TransferFunctionTable(curve)
        presence = LayerCoverage(field)
        blurs = field.layers.radii.map { LayerBlur(radius: $0) }
        let foreground = field.layers.radii[field.layers.radii.count - 1]
        filling = field.layers.focus < field.layers.radii.count - 1 ? LayerBlur(filling: foreground) : nil
        let widest = SyntheticAperture.maximumRadius(width: field.width, height: field.height)
        widerFillings = field.hasMatte ? [0.1, 0.4].map { LayerBlur(reaching: widest * $0 + 2) } : []
    }

    func rendered() -> [RGB<Sample>] {
        let width = field.width
        return parallelMapRows(width: width, height: field.height, minimum: 1, multiple: Self.tile) {
            band, output in
            var top = band.lowerBound
            while top < band.upperBound {
                let rows = top..<min(top + Self.tile, band.upperBound)
                for left in stride(from: 0, to: width, by: Self.tile) {
                    let columns = left..<min(left + Self.tile, width)
                    let light = light(columns, rows)
                    for row in rows {
                        let start = (row - band.lowerBound) * width
                        for column in columns {
                            let place = (row - top) * columns.count + column - left
                            output[start + column] = tones.pixel(ofLight: light[place])
                        }
                    }
                }
                top = rows.upperBound
            }
        }
    }

    /// The light of a tile.
    private func light(_ columns: Range<Int>, _ rows: Range<Int>) -> [SIMD4<Float>] {
        if isWorkCancelled { return [SIMD4<Float>](repeating: .zero, count: columns.count * rows.count) }
        var tile = DefocusTile(columns, rows)
        for row in rows {
            for column in columns {
                tile.light.append(tones.light(of: pixels[row * field.width + column], weight: 1))
            }
        }
        for sheet in blurs.indices {
            add(sheet, to: &tile)
        }
        return tile.light
    }

    private func add(_ sheet: Int, to tile: inout DefocusTile) {
        let blur = blurs[sheet]
        let around = presence.mask(tile.columns, tile.rows, margin: blur.margin)
        guard around & (1 << UInt64(sheet)) != 0 else { return }
        let hasNearer = around >> UInt64(sheet) > 1
        if blur.radius == 0 {
            addSharp(sheet, hasNearer, to: &tile)
            return
        }
        var sums = LayerAccumulator(tile.columns.count * tile.rows.count)
        blur.gather(source(sheet), tile, &sums)
        if hasNearer { fill(sheet, blur, &sums, tile) }
        tile.add(sums)
    }

    private func addSharp(_ sheet: Int, _ hasNearer: Bool, to tile: inout DefocusTile) {
        var sums = LayerAccumulator(tile.columns.count * tile.rows.count)
        let source = source(sheet)
        var place = 0
        for row in tile.rows {
            for column in tile.columns {
                let sample = source.sample(at: row * field.width + column)
                sums.light[place] = sample.light
                sums.known[place] = sample.known
                place += 1
            }
        }
        if hasNearer { fill(sheet, blurs[sheet], &sums, tile) }
        tile.add(sums)
    }

    /// Adds light from farther around, with little weight that counts where there is no other.
    private func fill(_ sheet: Int, _ blur: LayerBlur, _ sums: inout LayerAccumulator, _ tile: DefocusTile) {
        if let filling, filling.radius > blur.radius, sums.known.contains(where: { $0 < 0.7 }) {
            sums.fill(from: means(filling, sheet, tile))
        }
        for wider in widerFillings where wider.radius > blur.radius {
            guard sums.known.contains(where: { $0 < LayerAccumulator.leastKnown }) else { return }
            sums.fillUnknown(from: means(wider, sheet, tile))
        }
    }

    private func means(_ disc: LayerBlur, _ sheet: Int, _ tile: DefocusTile) -> LayerAccumulator {
        var means = LayerAccumulator(tile.columns.count * tile.rows.count)
        disc.gather(source(sheet), tile, &means)
        return means
    }

    private func source(_ sheet: Int) -> LayerSource<Sample> {
        LayerSource(pixels: pixels, tones: tones, field: field, presence: presence, sheet: sheet)
    }
}

/// Means over the disc around each pixel of a tile: of light and share on a sheet, and of what is not hidden from it.
struct LayerAccumulator {
    var light: [SIMD4<Float>]
    var known: [Float]

    init(_ count: Int) {
        light = [SIMD4<Float>](repeating: .zero, count: count)
        known = [Float](repeating: 1, count: count)
    }

    /// Adds wider means where more is hidden, by a two-thousandth of the fourth power of the hidden part.
    mutating func fill(from wide: LayerAccumulator) {
        for index in known.indices {
            let hidden = max(1 - known[index], 0)
            let weight = hidden * hidden * hidden * hidden * 0.0005
            light[index] += wide.light[index] * weight
            known[index] += wide.known[index] * weight
        }
    }
}

extension LayerAccumulator {
    /// Below this so little of the surroundings is known that wider ones count, too.
    static var leastKnown: Float { 0.00005 }

    /// Adds means wider still, the more the less is known.
    mutating func fillUnknown(from wide: LayerAccumulator) {
        for index in known.indices where known[index] < Self.leastKnown {
            let missing = 1 - max(known[index], 0) / Self.leastKnown
            let weight = missing * missing * 0.0005
            light[index] += wide.light[index] * weight
            known[index] += wide.known[index] * weight
        }
    }
}

/// A tile of the picture that is being rendered.
struct DefocusTile {
    let columns: Range<Int>
    let rows: Range<Int>
    /// Light in red, green and blue; row by row.
    var light: [SIMD4<Float>] = []

    init(_ columns: Range<Int>, _ rows: Range<Int>) {
        self.columns = columns
        self.rows = rows
        light.reserveCapacity(columns.count * rows.count)
    }

    /// Lays a sheet over what is there.
    mutating func add(_ sums: LayerAccumulator) {
        for index in light.indices where sums.light[index].w > 0 {
            // Below this, sums are of rounding errors.
            guard sums.known[index] > 1e-5 else { continue }
            let sheet = sums.light[index] / sums.known[index]
            let opacity = min(sheet.w, 1)
            light[index] = light[index] * (1 - opacity) + sheet
        }
    }
}

extension LayerCoverage {
    /// The sheets that have something in a rectangle and so many pixels around.
    func mask(_ x: Range<Int>, _ y: Range<Int>, margin: Int) -> UInt64 {
        mask(x.lowerBound - margin..<x.upperBound + margin, y.lowerBound - margin..<y.upperBound + margin)
    }
}
