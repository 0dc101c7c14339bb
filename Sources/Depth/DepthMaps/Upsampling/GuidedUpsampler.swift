/// The kernel of guided upsampling.
///
/// A *cell* is the square between four sample centers; all pixels in it see the same 4 × 4 samples.
struct GuidedUpsampler<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    private let cells: [GuidedCell]
    private let pixels: [RGB<Sample>]
    private let width: Int
    private let height: Int
    private let columns: CellTaps
    private let rows: CellTaps
    private let plane: PaddedPlane
    private let colors: SampleColors
    private let slopes: ColorSlopes?
    private let guidance: Guidance

    init(
        _ plane: LowResolutionPlane, _ pixels: [RGB<Sample>], _ width: Int, _ height: Int,
        _ guidance: Guidance
    ) {
        self.pixels = pixels
        self.width = width
        self.height = height
        self.guidance = guidance
        columns = CellTaps(of: width, in: plane.width)
        rows = CellTaps(of: height, in: plane.height)
        let colors = SampleColors(
            pixels, width, height, sampleColumns: plane.width, sampleRows: plane.height)
        self.colors = colors
        self.plane = PaddedPlane(guidance.step.map { plane.evened(step: $0, by: colors) } ?? plane)
        cells = self.plane.cells(least: guidance.least, jump: guidance.jump)
        slopes =
            guidance.least < guidance.jump
            ? ColorSlopes(self.plane, colors, differences: guidance.least...2 * guidance.jump) : nil
    }

    func upsampled() -> [Float] {
        parallelMapRows(width: width, height: height) { band, output in
            var line = [SIMD2<Float>](repeating: .zero, count: plane.stride - 3)
            var cell = EdgeCell(jump: guidance.jump, takesSides: guidance.takesSides)
            var row = band.lowerBound
            while row < band.upperBound {
                let cellRow = Int(rows.cells[row])
                let end = min(rows.starts[cellRow + 1], band.upperBound)
                for row in row..<end {
                    interpolate(row, cellRow, &line, at: (row - band.lowerBound) * width, &output)
                }
                follow(row..<end, cellRow, band.lowerBound, &cell, &output)
                row = end
            }
        }
    }

    /// Interpolates a row of pixels bilinearly. Cells with non-finite samples are processed again by ``follow(_:_:_:_:_:)``.
    ///
    /// `line` is scratch memory for the value at the beginning of each cell, and the difference to its end.
    private func interpolate(
        _ row: Int, _ cellRow: Int, _ line: inout [SIMD2<Float>], at start: Int,
        _ output: inout MutableSpan<Float>
    ) {
        let samples = plane.samples.span
        let above = samples.extracting((cellRow + 1) * plane.stride + 1..<(cellRow + 2) * plane.stride - 1)
        let below = samples.extracting((cellRow + 2) * plane.stride + 1..<(cellRow + 3) * plane.stride - 1)
        let y = rows.fractions[row]
        var ends = line.mutableSpan
        var left = above[0] + (below[0] - above[0]) * y
        for cell in ends.indices {
            let right = above[cell + 1] + (below[cell + 1] - above[cell + 1]) * y
            ends[cell] = SIMD2(left, right - left)
            left = right
        }
        let (cells, fractions) = (columns.cells.span, columns.fractions.span.extracting(0..<width))
        for column in cells.indices {
            let end = ends[Int(cells[column])]
            output[start &+ column] = end.x + end.y * fractions[column]
        }
    }

    /// Processes the pixels of one row of cells that need more than interpolation.
    private func follow(
        _ pixelRows: Range<Int>, _ cellRow: Int, _ firstRow: Int, _ cell: inout EdgeCell,
        _ output: inout MutableSpan<Float>
    ) {
        let kinds = cells.span.extracting(
            cellRow * (plane.stride - 3)..<(cellRow + 1) * (plane.stride - 3))
        for column in kinds.indices where kinds[column] != .even {
            let pixels = PixelsOfCell(
                rows: pixelRows, columns: columns.starts[column]..<columns.starts[column + 1],
                firstRow: firstRow)
            guard !pixels.columns.isEmpty else { continue }
            if kinds[column] == .empty {
                for row in pixels.rows {
                    for column in pixels.columns { output[(row - firstRow) * width + column] = .nan }
                }
                continue
            }
            if let slopes { followColor(slopes, cellRow, column, pixels, &output) }
            if kinds[column] == .edge {
                cell.load(plane, colors, row: cellRow, column: column)
                vote(cell, pixels, &output)
            }
        }
    }

    /// The pixels of a cell inside a band. The band's first row is the first of the output.
    private struct PixelsOfCell {
        let rows: Range<Int>
        let columns: Range<Int>
        let firstRow: Int
    }

    /// Adds to each pixel of a cell the change that the difference between its color and the interpolated color of the
    /// samples predicts.
    private func followColor(
        _ slopes: ColorSlopes, _ cellRow: Int, _ cellColumn: Int, _ pixels: PixelsOfCell,
        _ output: inout MutableSpan<Float>
    ) {
        let slopes = CellCorners(row: cellRow + 1, column: cellColumn + 1, slopes.slope)
        guard !slopes.areZero else { return }
        let colors = CellCorners(row: cellRow + 1, column: cellColumn + 1, colors.color)
        let (low, high) = plane.range(row: cellRow, column: cellColumn)
        for row in pixels.rows {
            let y = rows.fractions[row]
            let ((slope, slopeStep), (color, colorStep)) = (slopes.row(at: y), colors.row(at: y))
            for column in pixels.columns {
                let x = columns.fractions[column]
                let change = (slope + slopeStep * x) * (self.color(row, column) - (color + colorStep * x))
                let place = (row &- pixels.firstRow) &* width &+ column
                output[place] = min(max(output[place] + (change.x + change.y + change.z), low), high)
            }
        }
    }

    /// Lets the surrounding samples vote for the pixels of a cell. They get a vote in groups of four, across rows, if one of
    /// them needs it.
    private func vote(_ cell: EdgeCell, _ pixels: PixelsOfCell, _ output: inout MutableSpan<Float>) {
        let (columns, firstRow) = (pixels.columns, pixels.firstRow)
        @inline(__always)
        func pixel(_ index: Int) -> PixelOfCell {
            let (row, column) = (
                pixels.rows.lowerBound &+ index / columns.count,
                columns.lowerBound &+ index % columns.count
            )
            return PixelOfCell(
                color: color(row, column), x: self.columns.fractions[column], y: rows.fractions[row],
                place: (row &- firstRow) &* width &+ column)
        }
        let count = pixels.rows.count * columns.count
        for first in stride(from: 0, to: count, by: 4) {
            let group = first..<min(first + 4, count)
            if group.allSatisfy({ cell.isSettled(pixel($0)) }) { continue }
            for index in group {
                let pixel = pixel(index)
                output[pixel.place] = cell.value(pixel, smooth: output[pixel.place])
            }
        }
    }

    /// Red, green and blue of a pixel, 0…1, and 0.
    @inline(__always)
    private func color(_ row: Int, _ column: Int) -> SIMD4<Float> {
        let pixel = pixels[row &* width &+ column]
        return SIMD4(Float(pixel.red), Float(pixel.green), Float(pixel.blue), 0) * (1 / Float(Sample.max))
    }
}

/// The positions of pixels among the cells, along one axis. Cell c is between samples c − 1 and c.
struct CellTaps: Sendable {
    /// The cell of each pixel's center.
    let cells: [Int32]
    /// The position of each center between the cell's first and second sample, 0…1.
    let fractions: [Float]
    /// The first pixel of each cell, followed by the number of pixels.
    let starts: [Int]

    init(of pixelCount: Int, in sampleCount: Int) {
        let taps = InterpolationTap.taps(of: pixelCount, in: sampleCount)
        cells = taps.map { Int32($0.interval) }
        fractions = taps.map(\.fraction)
        starts = taps.intervalStarts(between: sampleCount)
    }
}
