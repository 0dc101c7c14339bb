internal import DepthMaps

/// Renders a photo whose pixels lie on ``DefocusLayers``, sheet by sheet from the farthest to the nearest.
///
/// With w_j(q) the fraction of pixel q on sheet j, W_j(q) = 1 where q shows something on sheet j or farther and 0 where it
/// shows something nearer (which hides sheet j), and ∗ the convolution with the sheet's disc, each sheet changes the picture
/// to
///
///     out ← (1 − A_j) · out + disc ∗ (w_j · light) / disc ∗ W_j,   A_j = disc ∗ w_j / disc ∗ W_j
///
/// Hidden pixels have no weight: behind a sharp subject, the background is the mean of background alone. If all discs are
/// equal, the sum over sheets is the plain convolution, for any fractions. Where nothing is hidden, each pixel spreads
/// exactly its own light over its disc. Areas that a defocused foreground uncovers are filled from farther around.
struct DefocusRenderer<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    private let photo: [RGB<Sample>]
    /// The photo, with the subject's own colors where a matte's subject covers pixels partly.
    private let pixels: [RGB<Sample>]
    private let tones: TransferFunctionTable<Sample>
    private let field: DefocusField
    private let highlights: Highlights
    private let presence: LayerCoverage
    private let blurs: [LayerBlur]
    /// The wide disc that fills hidden areas; `nil` if no foreground is out of focus.
    private let filling: LayerBlur?
    /// Discs for areas beyond its reach, from small to wide: a matte may be soft far from known pixels. Empty without a
    /// matte.
    private let widerFillings: [LayerBlur]
    /// Discs for sheets that are sharp or nearly so, from very small to wide: they continue without a seam what they are
    /// beside. Empty without a matte.
    private let continuations: [LayerBlur]

    /// Pixels in a tile, horizontally and vertically.
    private static var tile: (width: Int, height: Int) { (512, 256) }

    init(
        _ photo: [RGB<Sample>], subject pixels: [RGB<Sample>]? = nil, _ field: DefocusField,
        _ curve: TransferFunction, _ highlights: Highlights = .none
    ) {
        self.photo = photo
        self.pixels = pixels ?? photo
        self.field = field
        self.highlights = highlights
        tones = TransferFunctionTable(curve)
        presence = LayerCoverage(field)
        blurs = field.layers.radii.map { LayerBlur(radius: $0) }
        let foreground = field.layers.radii[field.layers.radii.count - 1]
        filling = field.layers.focus < field.layers.radii.count - 1 ? LayerBlur(filling: foreground) : nil
        let widest = SyntheticAperture.maximumRadius(width: field.width, height: field.height)
        widerFillings = field.hasMatte ? [0.1, 0.4].map { LayerBlur(reaching: widest * $0 + 2) } : []
        let small = [0.02, 0.06].map { LayerBlur(reaching: widest * $0) }
        continuations =
            field.hasMatte
            ? (small + widerFillings + [filling].compactMap(\.self)).sorted { $0.radius < $1.radius } : []
    }

    /// The picture.
    func rendered() -> [RGB<Sample>] {
        let (width, tile) = (field.width, Self.tile)
        return parallelMapRows(width: width, height: field.height, minimum: 1, multiple: tile.height) {
            band, output in
            for top in stride(from: band.lowerBound, to: band.upperBound, by: tile.height) {
                let rows = top..<min(top + tile.height, band.upperBound)
                for left in stride(from: 0, to: width, by: tile.width) {
                    let picture = picture(
                        CellArea(columns: left..<min(left + tile.width, width), rows: rows, cell: 1))
                    for row in rows {
                        let start = (row - band.lowerBound) * width
                        for column in picture.area.columns {
                            output[start + column] = tones.pixel(
                                ofLight: picture.light[picture.area.index(column, row)])
                        }
                    }
                }
            }
        }
    }

    /// The light of a tile.
    private func picture(_ tile: CellArea) -> LayerPicture {
        if isWorkCancelled { return LayerPicture(tile) }
        var picture = base(tile)
        let soft = presence.softExtent(tile, margin: fillingReach)
        // Sheets with cells of the same size are composited in such cells.
        var group: LayerPicture?
        for (sheet, blur) in blurs.enumerated() {
            if let done = group, done.area.cell != blur.cell {
                picture.lay(done)
                group = nil
            }
            guard let means = means(sheet, tile, soft) else { continue }
            if blur.cell == 1 {
                picture.lay(means)
            } else {
                group = group ?? LayerPicture(CellArea(around: tile, cell: blur.cell))
                group?.lay(means)
            }
        }
        if let group { picture.lay(group) }
        return picture
    }

    /// What is visible where no sheet is known: the photo, or if a foreground is out of focus, its means over large cells,
    /// which are smooth, too.
    private func base(_ tile: CellArea) -> LayerPicture {
        let cell = filling == nil ? 1 : Self.baseCell
        // Eight pixels of eight rows are enough for a mean.
        let step = max(cell / 8, 1)
        var base = LayerPicture(CellArea(around: tile, cell: cell))
        /// The pixels of a cell, and outside the picture those of the nearest cell.
        func cellPixels(_ place: Int, _ count: Int) -> Range<Int> {
            let start = min(max(place, 0), (count - 1) / cell) * cell
            return start..<min(start + cell, count)
        }
        for row in base.area.rows {
            let rows = cellPixels(row, field.height)
            for column in base.area.columns {
                let columns = cellPixels(column, field.width)
                var sum = SIMD4<Float>.zero
                for y in rows where y % step == 0 {
                    for x in stride(from: columns.lowerBound, to: columns.upperBound, by: step) {
                        sum += tones.light(of: pixels[y * field.width + x], weight: 1)
                    }
                }
                base.light[base.area.index(column, row)] = sum / sum.w
            }
        }
        guard cell > 1 else { return base }
        var picture = LayerPicture(tile)
        picture.lay(base)
        return picture
    }

    /// Pixels in a cell of the picture below all sheets, horizontally and vertically.
    private static var baseCell: Int { 32 }

    /// The light and coverage of a sheet in a tile; `nil` if it does not reach the tile.
    private func means(_ sheet: Int, _ tile: CellArea, _ soft: CellArea?) -> LayerMeans? {
        let blur = blurs[sheet]
        let own = presence.extent(of: sheet, tile, margin: blur.margin)
        let filled = soft.flatMap { soft in
            presence.extent(of: sheet, tile, margin: fillingReach).map { soft.intersection($0) }
        }
        guard let extent = CellArea.union(own, filled) else { return nil }
        // What is in focus keeps its values.
        let source = LayerSource(
            photo: photo, pixels: pixels, tones: tones, field: field, presence: presence, sheet: sheet,
            highlights: blur.radius == 0 ? .none : highlights)
        let area = CellArea(around: extent, cell: blur.cell)
        var means = blur.radius == 0 ? source.samples(area) : blur.means(of: source, area)
        if let filled, !filled.isEmpty {
            // Lamps are not a part of the surface that continues behind something.
            let surface = LayerSource(
                photo: photo, pixels: pixels, tones: tones, field: field, presence: presence, sheet: sheet)
            fill(&means, CellArea(around: filled, cell: blur.cell), blur, surface)
        }
        return means
    }

    /// Adds light from farther around, with a small weight that matters only where nearer light is missing.
    private func fill(
        _ means: inout LayerMeans, _ area: CellArea, _ blur: LayerBlur, _ source: LayerSource<Sample>
    ) {
        let isSharp = field.hasMatte && blur.radius < field.sharpRadius
        if !isSharp, let filling, filling.radius > blur.radius, let hidden = means.hidden(in: area) {
            means.fillHidden(
                hidden, from: filling.means(of: source, CellArea(around: hidden, cell: filling.cell)))
        }
        for wider in isSharp ? continuations : widerFillings where wider.radius > blur.radius {
            guard let unknown = means.unknown(in: area) else { return }
            means.fillUnknown(
                unknown, from: wider.means(of: source, CellArea(around: unknown, cell: wider.cell)))
        }
    }

    /// How far hidden areas can become visible, in pixels: a blurred foreground uncovers the area that its blur
    /// reaches.
    private var fillingReach: Int {
        Int(max(field.layers.radii[field.layers.radii.count - 1], widerFillings.last?.radius ?? 0)) + 8
    }
}
