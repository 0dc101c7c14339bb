internal import DepthCore

/// The blur of one sheet by its disc: sums along rows first, of which each row of the disc takes a difference.
///
/// Large discs work on cells of several pixels, as many as leave the disc six cells of radius at least, and their means are
/// interpolated.
struct LayerBlur: Sendable {
    let radius: Float
    /// Pixels in a cell, across and down.
    private let cell: Int
    private let kernel: DiscKernel

    init(radius: Float) {
        self.init(radius: radius, cell: radius < 6 ? 1 : radius < 20 ? 2 : radius < 64 ? 4 : 8)
    }

    /// The disc that fills what a foreground uncovers: wide enough to reach beyond it.
    init(filling foreground: Float) { self.init(reaching: foreground * 1.25 + 6) }

    /// A disc of this radius on coarse cells.
    init(reaching radius: Float) {
        self.init(radius: radius, cell: radius < 12 ? 2 : radius < 32 ? 4 : radius < 100 ? 8 : 16)
    }

    private init(radius: Float, cell: Int) {
        self.radius = radius
        self.cell = cell
        kernel = DiscKernel(radius: Double(radius) / Double(cell))
    }

    /// How far outside a tile the disc reaches, in pixels.
    var margin: Int { radius == 0 ? 0 : (kernel.reach + 2) * cell }

    /// The means over the disc around each pixel of a tile.
    func gather<Sample>(_ source: LayerSource<Sample>, _ tile: DefocusTile, _ sums: inout LayerAccumulator) {
        // One cell more at each side, to interpolate between.
        let columns = tile.columns.lowerBound / cell - 1..<(tile.columns.upperBound - 1) / cell + 2
        let rows = tile.rows.lowerBound / cell - 1..<(tile.rows.upperBound - 1) / cell + 2
        let input = CellSums(source, columns, rows, cell: cell, reach: kernel.reach)
        let means = input.blurred(by: kernel, columns, rows)
        if cell == 1 {
            means.copy(to: &sums, tile)
        } else {
            means.interpolate(to: &sums, tile, cell: cell)
        }
    }
}

/// Sums over cells of pixels, cumulative along each row.
private struct CellSums {
    private let width: Int
    private let firstColumn: Int
    private let firstRow: Int
    private let cell: Int
    /// For each row one element more than cells: what is before each cell.
    private var light: [SIMD4<Float>]
    private var known: [Float]

    init<Sample>(
        _ source: LayerSource<Sample>, _ columns: Range<Int>, _ rows: Range<Int>, cell: Int, reach: Int
    ) {
        firstColumn = columns.lowerBound - reach - 1
        firstRow = rows.lowerBound - reach
        width = columns.count + 2 * reach + 3
        self.cell = cell
        let height = rows.count + 2 * reach
        light = [SIMD4<Float>](repeating: .zero, count: width * height)
        known = [Float](repeating: 0, count: width * height)
        for row in 0..<height { gather(row, source) }
    }

    /// Sums a row of cells. Outside the picture there is nothing.
    private mutating func gather<Sample>(_ row: Int, _ source: LayerSource<Sample>) {
        let field = source.field
        let lines = (0..<field.height).clamped(
            to: (firstRow + row) * cell..<(firstRow + row + 1) * cell)
        guard !lines.isEmpty else { return }
        let start = row * width + 1 - firstColumn
        var column = max(firstColumn * cell, 0)
        let end = min((firstColumn + width - 1) * cell, field.width)
        while column < end {
            // Cells and their rows do not straddle the blocks of which it is known what they have.
            let next = min((column / LayerCoverage.cell + 1) * LayerCoverage.cell, end)
            switch source.contents(column, lines.lowerBound) {
            case .hidden: break
            case .open: addOpen(column..<next, lines.count, start)
            case .mixed: addSamples(column..<next, lines, start, source)
            }
            column = next
        }
        accumulate(row)
    }

    /// Adds pixels that have nothing on the sheet and nothing before it.
    private mutating func addOpen(_ columns: Range<Int>, _ lineCount: Int, _ start: Int) {
        for column in columns { known[start + column / cell] += Float(lineCount) }
    }

    private mutating func addSamples<Sample>(
        _ columns: Range<Int>, _ lines: Range<Int>, _ start: Int, _ source: LayerSource<Sample>
    ) {
        var column = columns.lowerBound
        while column < columns.upperBound {
            let end = min(column + cell, columns.upperBound)
            var (lightSum, knownSum) = (SIMD4<Float>.zero, Float(0))
            for line in lines {
                let first = line * source.field.width
                for index in first + column..<first + end {
                    let sample = source.sample(at: index)
                    lightSum += sample.light
                    knownSum += sample.known
                }
            }
            light[start + column / cell] = lightSum
            known[start + column / cell] = knownSum
            column = end
        }
    }

    /// Turns the sums of a row's cells into sums of all cells so far.
    private mutating func accumulate(_ row: Int) {
        var (lightSum, knownSum) = (SIMD4<Float>.zero, Float(0))
        for place in row * width..<(row + 1) * width {
            lightSum += light[place]
            knownSum += known[place]
            light[place] = lightSum
            known[place] = knownSum
        }
    }

    /// The means over the disc around each of some cells.
    func blurred(by kernel: DiscKernel, _ columns: Range<Int>, _ rows: Range<Int>) -> CellMeans {
        var lightMeans = [SIMD4<Float>](repeating: .zero, count: columns.count * rows.count)
        var knownMeans = [Float](repeating: 0, count: lightMeans.count)
        let scale = 1 / (kernel.area * Float(cell * cell))
        // Every place that is read lies in these planes: a part's ends are `reach` and one from its middle at most.
        precondition(width == columns.count + 2 * kernel.reach + 3, "a margin for the disc")
        precondition(light.count == width * (rows.count + 2 * kernel.reach), "a margin for the disc")
        let (light, known) = (light.span, known.span)
        for row in 0..<rows.count {
            for (offset, part) in kernel.rows.enumerated() {
                var left = (row + offset) * width + kernel.reach + 1 + part.left
                var right = left - part.left + part.right
                for place in row * columns.count..<(row + 1) * columns.count {
                    // SAFETY: as said above.
                    unsafe lightMeans[place] += part.sum(of: light, left, right) * scale
                    unsafe knownMeans[place] += part.sum(of: known, left, right) * scale
                    left += 1
                    right += 1
                }
            }
        }
        return CellMeans(columns: columns, rows: rows, light: lightMeans, known: knownMeans)
    }
}

extension DiscKernel.Row {
    /// What is between the ends, of a row of cumulative sums. Both ends and the places after them are inside.
    @unsafe @inline(__always)
    fileprivate func sum(of sums: Span<SIMD4<Float>>, _ left: Int, _ right: Int) -> SIMD4<Float> {
        let (before, after) = unsafe (sums[unchecked: left], sums[unchecked: right])
        let toLeft = unsafe (sums[unchecked: left + 1] - before) * leftShare
        let toRight = unsafe (sums[unchecked: right + 1] - after) * rightShare
        return after - before + toRight - toLeft
    }

    /// The same for plain numbers.
    @unsafe @inline(__always)
    fileprivate func sum(of sums: Span<Float>, _ left: Int, _ right: Int) -> Float {
        let (before, after) = unsafe (sums[unchecked: left], sums[unchecked: right])
        let toLeft = unsafe (sums[unchecked: left + 1] - before) * leftShare
        let toRight = unsafe (sums[unchecked: right + 1] - after) * rightShare
        return after - before + toRight - toLeft
    }
}

/// Means over discs around cells.
private struct CellMeans {
    let columns: Range<Int>
    let rows: Range<Int>
    let light: [SIMD4<Float>]
    let known: [Float]

    func copy(to sums: inout LayerAccumulator, _ tile: DefocusTile) {
        for row in 0..<tile.rows.count {
            let start =
                (row + tile.rows.lowerBound - rows.lowerBound) * columns.count
                + tile.columns.lowerBound - columns.lowerBound
            for column in 0..<tile.columns.count {
                sums.light[row * tile.columns.count + column] = light[start + column]
                sums.known[row * tile.columns.count + column] = known[start + column]
            }
        }
    }

    /// Linear between the centers of cells.
    func interpolate(to sums: inout LayerAccumulator, _ tile: DefocusTile, cell: Int) {
        let taps = tile.columns.map {
            InterpolationTap($0, cell: cell, from: columns.lowerBound, columns.count)
        }
        var lightRow = [SIMD4<Float>](repeating: .zero, count: columns.count)
        var knownRow = [Float](repeating: 0, count: columns.count)
        for row in tile.rows {
            let y = InterpolationTap(row, cell: cell, from: rows.lowerBound, rows.count)
            let (upper, lower) = (y.first * columns.count, y.second * columns.count)
            for column in 0..<columns.count {
                lightRow[column] =
                    light[upper + column] + (light[lower + column] - light[upper + column]) * y.fraction
                knownRow[column] =
                    known[upper + column] + (known[lower + column] - known[upper + column]) * y.fraction
            }
            let start = (row - tile.rows.lowerBound) * tile.columns.count
            for column in 0..<tile.columns.count {
                let x = taps[column]
                sums.light[start + column] =
                    lightRow[x.first] + (lightRow[x.second] - lightRow[x.first]) * x.fraction
                sums.known[start + column] =
                    knownRow[x.first] + (knownRow[x.second] - knownRow[x.first]) * x.fraction
            }
        }
    }
}

extension InterpolationTap {
    /// A pixel between the centers of two of `count` cells of so many pixels, the first of which is number `firstCell`.
    fileprivate init(_ pixel: Int, cell: Int, from firstCell: Int, _ count: Int) {
        self.init(at: (Double(pixel) + 0.5) / Double(cell) - 0.5 - Double(firstCell), of: count)
    }
}
