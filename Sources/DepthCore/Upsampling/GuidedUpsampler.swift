/// The kernel of guided upsampling.
///
/// A *cell* is the square between four sample centers; all pixels in it see the same 4 × 4 samples.
struct GuidedUpsampler<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    private let cells: [GuidedCell]
    private let cellColumns: Int
    private let pixels: [RGB<Sample>]
    private let width: Int
    private let height: Int
    private let columns: [PixelTap]
    private let rows: [PixelTap]
    private let plane: PaddedPlane
    private let guide: PaddedGuide
    private let jump: Float
    private let takesSides: Bool

    init(
        _ plane: LowResolutionPlane, _ pixels: [RGB<Sample>], _ width: Int, _ height: Int, _ jump: Float,
        _ takesSides: Bool
    ) {
        self.pixels = pixels
        self.width = width
        self.height = height
        self.jump = jump
        self.takesSides = takesSides
        columns = InterpolationTap.taps(of: width, in: plane.width).map { PixelTap($0) }
        rows = InterpolationTap.taps(of: height, in: plane.height).map { PixelTap($0) }
        self.plane = PaddedPlane(plane)
        guide = PaddedGuide(pixels, width, height, plane.width, plane.height)
        cellColumns = plane.width + 1
        cells = self.plane.cells(jump: jump)
    }

    func upsampled() -> [Float] {
        parallelMapRows(width: width, height: height) { band, output in
            var row = band.lowerBound
            while row < band.upperBound {
                var end = row + 1
                while end < band.upperBound, rows[end].cell == rows[row].cell { end += 1 }
                fill(row..<end, of: band, &output)
                row = end
            }
        }
    }

    /// Rows of pixels in one row of cells.
    private func fill(_ cellRows: Range<Int>, of band: Range<Int>, _ output: inout MutableSpan<Float>) {
        let cellRow = rows[cellRows.lowerBound].cell
        var column = 0
        while column < width {
            let cellColumn = columns[column].cell
            var end = column + 1
            while end < width, columns[end].cell == cellColumn { end += 1 }
            let place = cellRow * plane.stride + cellColumn
            switch cells[cellRow * cellColumns + cellColumn] {
            case .empty: fillUnknown(cellRows, column..<end, band, &output)
            case .even: interpolate(cellRows, column..<end, place, band, &output)
            case .edge: vote(cellRows, column..<end, place, band, &output)
            }
            column = end
        }
    }

    private func fillUnknown(
        _ cellRows: Range<Int>, _ cellColumns: Range<Int>, _ band: Range<Int>,
        _ output: inout MutableSpan<Float>
    ) {
        for row in cellRows {
            let start = (row - band.lowerBound) * width
            for column in cellColumns { output[start + column] = .nan }
        }
    }

    private func interpolate(
        _ cellRows: Range<Int>, _ cellColumns: Range<Int>, _ place: Int, _ band: Range<Int>,
        _ output: inout MutableSpan<Float>
    ) {
        let corner = place + plane.stride + 1
        let (a, b) = (plane.values[corner], plane.values[corner + 1])
        let (c, d) = (plane.values[corner + plane.stride], plane.values[corner + plane.stride + 1])
        for row in cellRows {
            let y = rows[row].fraction
            let left = a + (c - a) * y
            let step = b + (d - b) * y - left
            let start = (row - band.lowerBound) * width
            for column in cellColumns { output[start + column] = left + step * columns[column].fraction }
        }
    }

    private func vote(
        _ cellRows: Range<Int>, _ cellColumns: Range<Int>, _ place: Int, _ band: Range<Int>,
        _ output: inout MutableSpan<Float>
    ) {
        let samples = GuidedSamples(plane, guide, at: place, jump: jump, takesSides: takesSides)
        for row in cellRows {
            let start = (row - band.lowerBound) * width
            for column in cellColumns {
                let pixel = pixels[row * width + column]
                let color = SIMD3(Float(pixel.red), Float(pixel.green), Float(pixel.blue))
                output[start + column] = samples.value(
                    forColor: color * (1 / Float(Sample.max)), at: columns[column], rows[row])
            }
        }
    }
}

/// A pixel between the samples along one axis, and the weights of the four around it.
struct PixelTap: Sendable {
    /// The cell that its center is in: cell c lies between samples c − 1 and c.
    let cell: Int
    /// How far the center is from the cell's first sample to its second, 0…1.
    let fraction: Float
    /// Weights of the four samples for the vote: 1 − (distance/2)².
    let near: SIMD4<Float>
    /// Weights of the four samples for the result: the cubic B-spline.
    let smooth: SIMD4<Float>

    init(_ tap: InterpolationTap) {
        (cell, fraction) = (tap.interval, tap.fraction)
        let (t, s) = (fraction, 1 - fraction)
        let distance = SIMD4(1 + t, t, 1 - t, 2 - t)
        near = 1 - distance * distance * 0.25
        smooth = SIMD4(s * s * s, 4 - 6 * t * t + 3 * t * t * t, 4 - 6 * s * s + 3 * s * s * s, t * t * t) / 6
    }
}
