internal import DepthMaps

/// The blur of one sheet by its disc: each row of the disc is the difference of two cumulative sums along a row of the
/// sheet.
///
/// Large discs work on cells of several pixels, with a radius of at least three cells.
struct LayerBlur: Sendable {
    let radius: Float
    /// Pixels in a cell, horizontally and vertically.
    let cell: Int
    private let kernel: DiscKernel

    init(radius: Float) {
        self.init(radius: radius, cell: radius < 6 ? 1 : radius < 20 ? 2 : radius < 64 ? 4 : 8)
    }

    /// The disc that fills the area uncovered by a foreground: it is wide enough to extend beyond that area.
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

    /// How far the disc reaches outside a tile, in pixels.
    var margin: Int { radius == 0 ? 0 : (kernel.reach + 2) * cell }

    /// The means over the disc around each cell of an area with cells of this disc's size.
    func means<Sample>(of source: LayerSource<Sample>, _ area: CellArea) -> LayerMeans {
        CellSums(source, area, reach: kernel.reach).blurred(by: kernel, area)
    }
}

/// Sums over cells of pixels, cumulative along each row.
private struct CellSums {
    private let width: Int
    private let firstColumn: Int
    private let firstRow: Int
    private let cell: Int
    /// For each row, one more element than cells: the sum before each cell.
    private var light: [SIMD4<Float>]
    private var known: [Float]

    /// Sums for discs with a radius of `reach` cells around the cells of an area.
    init<Sample>(_ source: LayerSource<Sample>, _ area: CellArea, reach: Int) {
        firstColumn = area.columns.lowerBound - reach - 1
        firstRow = area.rows.lowerBound - reach
        width = area.columns.count + 2 * reach + 3
        cell = area.cell
        let height = area.rows.count + 2 * reach
        light = [SIMD4<Float>](repeating: .zero, count: width * height)
        known = [Float](repeating: 0, count: width * height)
        for row in 0..<height { gather(row, source) }
    }
    /// Sums a row of cells. Pixels outside the picture have no weight.
    private mutating func gather<Sample>(_ row: Int, _ source: LayerSource<Sample>) {
        let field = source.field
        let lines = (0..<field.height).clamped(
            to: (firstRow + row) * cell..<(firstRow + row + 1) * cell)
        guard !lines.isEmpty else { return }
        let start = row * width + 1 - firstColumn
        var column = max(firstColumn * cell, 0)
        let end = min((firstColumn + width - 1) * cell, field.width)
        while column < end {
            // Cells do not straddle the blocks whose contents are known.
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

    /// Adds pixels with nothing on the sheet and nothing in front of it.
    private mutating func addOpen(_ columns: Range<Int>, _ lineCount: Int, _ start: Int) {
        for first in stride(from: columns.lowerBound, to: columns.upperBound, by: cell) {
            known[start + first / cell] = Float(lineCount * (min(first + cell, columns.upperBound) - first))
        }
    }

    private mutating func addSamples<Sample>(
        _ columns: Range<Int>, _ lines: Range<Int>, _ start: Int, _ source: LayerSource<Sample>
    ) {
        var place = start + columns.lowerBound / cell
        for first in stride(from: columns.lowerBound, to: columns.upperBound, by: cell) {
            let end = min(first + cell, columns.upperBound)
            var (lightSum, knownSum) = (SIMD4<Float>.zero, Float(0))
            for line in lines {
                let line = line * source.field.width
                for index in line + first..<line + end {
                    source.add(index, &lightSum, &knownSum)
                }
            }
            light[place] = lightSum
            known[place] = knownSum
            place += 1
        }
    }

    /// Converts the sums of a row's cells to cumulative sums.
    private mutating func accumulate(_ row: Int) {
        var (lightSum, knownSum) = (SIMD4<Float>.zero, Float(0))
        for place in row * width..<(row + 1) * width {
            lightSum += light[place]
            knownSum += known[place]
            light[place] = lightSum
            known[place] = knownSum
        }
    }

    /// The means over the disc around each cell of the area.
    func blurred(by kernel: DiscKernel, _ area: CellArea) -> LayerMeans {
        let columns = area.columns.count
        var lightMeans = [SIMD4<Float>](repeating: .zero, count: area.count)
        var knownMeans = [Float](repeating: 0, count: area.count)
        // Every index that is read is in these planes: a part's ends are at most `reach` + 1 from its middle.
        precondition(width == columns + 2 * kernel.reach + 3, "a margin for the disc")
        precondition(light.count == width * (area.rows.count + 2 * kernel.reach), "a margin for the disc")
        let (light, known) = (light.span, known.span)
        var lightSpan = lightMeans.mutableSpan
        var knownSpan = knownMeans.mutableSpan
        for row in 0..<area.rows.count {
            for offset in 0...kernel.reach {
                // Rows at equal distances above and below the middle have the same ends. The middle row is paired with
                // itself.
                let part = kernel.rows[offset]
                let twin = kernel.rows.count - 1 - offset
                let scale = (offset == twin ? 0.5 : 1) / (kernel.area * Float(cell * cell))
                let chord = DiscChord(
                    upper: (row + offset) * width + kernel.reach + 1 + part.left,
                    lower: (row + twin) * width + kernel.reach + 1 + part.left,
                    length: part.right - part.left,
                    leftShare: part.leftShare * scale, rightShare: part.rightShare * scale, scale: scale)
                // SAFETY: as explained above.
                unsafe chord.add(light, to: &lightSpan, row * columns..<(row + 1) * columns)
                unsafe chord.add(known, to: &knownSpan, row * columns..<(row + 1) * columns)
            }
        }
        for index in knownMeans.indices where knownMeans[index] < Self.roundingError {
            (lightMeans[index], knownMeans[index]) = (.zero, 0)
        }
        return LayerMeans(area: area, light: lightMeans, known: knownMeans)
    }

    /// Smaller means are errors of cumulative sums.
    private static var roundingError: Float { 1e-5 }
}

/// Two rows of a disc with the same ends, in planes of cumulative sums.
private struct DiscChord {
    /// The indices of the left end for the first cell, in both rows.
    let upper: Int
    let lower: Int
    /// From the left end to the right one.
    let length: Int
    /// The fractions beyond complete cells, and the weight of a sum.
    let leftShare: Float
    let rightShare: Float
    let scale: Float

    /// Adds the sum between the ends for each of the cells. Both ends and the indices after them must be valid.
    @unsafe @inline(__always)
    func add(_ sums: Span<SIMD4<Float>>, to means: inout MutableSpan<SIMD4<Float>>, _ cells: Range<Int>) {
        var (left, below) = (upper, lower)
        var before = unsafe sums[unchecked: left] + sums[unchecked: below]
        var after = unsafe sums[unchecked: left + length] + sums[unchecked: below + length]
        for cell in cells {
            (left, below) = (left &+ 1, below &+ 1)
            let nextBefore = unsafe sums[unchecked: left] + sums[unchecked: below]
            let nextAfter = unsafe sums[unchecked: left &+ length] + sums[unchecked: below &+ length]
            let whole = (after - before) * scale
            let rest = (nextAfter - after) * rightShare - (nextBefore - before) * leftShare
            unsafe means[unchecked: cell] += whole + rest
            (before, after) = (nextBefore, nextAfter)
        }
    }

    /// The same for plain numbers.
    @unsafe @inline(__always)
    func add(_ sums: Span<Float>, to means: inout MutableSpan<Float>, _ cells: Range<Int>) {
        for cell in 0..<cells.count {
            let (left, below) = (upper &+ cell, lower &+ cell)
            let before = unsafe sums[unchecked: left] + sums[unchecked: below]
            let nextBefore = unsafe sums[unchecked: left &+ 1] + sums[unchecked: below &+ 1]
            let after = unsafe sums[unchecked: left &+ length] + sums[unchecked: below &+ length]
            let nextAfter =
                unsafe sums[unchecked: left &+ length &+ 1] + sums[unchecked: below &+ length &+ 1]
            let whole = (after - before) * scale
            let rest = (nextAfter - after) * rightShare - (nextBefore - before) * leftShare
            unsafe means[unchecked: cells.lowerBound &+ cell] += whole + rest
        }
    }
}
