internal import DepthCore

/// A matte at the depth's size, brought to the picture's size along its edges.
///
/// The guided filter (He, Sun and Tang 2013) in its fast form (He and Sun 2015): within windows of the depth's samples, coverage is
/// a·I + b of the picture's luma I, with a = cov(I, p) / (var(I) + ε) and b = mean(p) − a·mean(I); means of a and b are interpolated
/// between samples and applied to the luma of each pixel. Where all of a window is covered, or nothing, there is nothing to do.
struct GuidedMatte {
    /// Samples on either side of a window's middle.
    static let radius = 3
    /// ε, in squared luma of 0…1.
    static let smoothness: Float = 2e-4

    /// What a cell between samples holds.
    enum Cell: UInt8 {
        case empty = 0
        case full = 1
        case mixed = 2
    }

    private var width = 0
    private var height = 0
    private var luma: [Float] = []
    private var slope: [Float] = []
    private var offset: [Float] = []
    private var cells: [UInt8] = []
    private var (sums, more, scratch): ([Float], [Float], [Float]) = ([], [], [])
    private(set) var columns = Axis()
    private(set) var rows = Axis()

    /// Sets up for the coverage of a frame, 0…1.
    mutating func set(_ coverage: borrowing FramePlane<Float>, guide: borrowing FramePlane<RGB<UInt8>>) {
        let (newWidth, newHeight) = (coverage.width, coverage.height)
        let count = newWidth * newHeight
        if (width, height) != (newWidth, newHeight) {
            (width, height) = (newWidth, newHeight)
            luma = [Float](repeating: 0, count: count)
            (slope, offset, sums, more, scratch) = (luma, luma, luma, luma, luma)
            cells = [UInt8](repeating: 0, count: count)
        }
        columns.set(count: guide.width, samples: width)
        rows.set(count: guide.height, samples: height)
        readLuma(guide)
        classify(coverage.samples.span)
        solve(coverage.samples.span)
    }

    /// The mean luma of four pixels in each sample's cell.
    private mutating func readLuma(_ guide: borrowing FramePlane<RGB<UInt8>>) {
        let pixels = guide.samples.span
        let (width, height) = (width, height)
        var output = luma.mutableSpan
        for row in 0..<height {
            let rows = (
                (4 * row + 1) * guide.height / (4 * height), (4 * row + 3) * guide.height / (4 * height)
            )
            for column in 0..<width {
                let (left, right) = (
                    (4 * column + 1) * guide.width / (4 * width),
                    (4 * column + 3) * guide.width / (4 * width)
                )
                let sum =
                    Self.luma(pixels[rows.0 * guide.width + left])
                    + Self.luma(pixels[rows.0 * guide.width + right])
                    + Self.luma(pixels[rows.1 * guide.width + left])
                    + Self.luma(pixels[rows.1 * guide.width + right])
                output[row * width + column] = sum * 0.25
            }
        }
    }

    /// Luma 0…1 as of Rec. 709, of coded values.
    @inline(__always)
    static func luma(_ pixel: RGB<UInt8>) -> Float {
        let sum = 54 * Int32(pixel.red) + 183 * Int32(pixel.green) + 19 * Int32(pixel.blue)
        return Float(sum) * (1 / 65_280)
    }

    /// Marks cells with one kind of coverage all around them, as far as windows of windows reach.
    private mutating func classify(_ coverage: Span<Float>) {
        Self.combine(coverage, luma.span, into: &sums) { value, _ in
            value <= 0.002 ? 0 : value >= 0.998 ? 1 : 4096
        }
        Self.mean(&sums, &scratch, width, height, radius: 2 * Self.radius + 1)
        let sums = sums.span
        var output = cells.mutableSpan
        for index in sums.indices {
            let value = sums[index]
            // The mean of only zeros, or of only ones.
            output[index] = value < 1e-5 ? 0 : abs(value - 1) < 1e-3 ? 1 : 2
        }
    }

    private mutating func solve(_ coverage: Span<Float>) {
        let radius = Self.radius
        // Means of p, I, I·p and I·I.
        Self.combine(coverage, luma.span, into: &sums) { p, _ in p }
        Self.combine(coverage, luma.span, into: &more) { _, i in i }
        Self.combine(coverage, luma.span, into: &slope) { p, i in p * i }
        Self.combine(coverage, luma.span, into: &offset) { _, i in i * i }
        Self.mean(&sums, &scratch, width, height, radius: radius)
        Self.mean(&more, &scratch, width, height, radius: radius)
        Self.mean(&slope, &scratch, width, height, radius: radius)
        Self.mean(&offset, &scratch, width, height, radius: radius)
        Self.fit(sums.span, more.span, &slope, &offset)
        Self.mean(&slope, &scratch, width, height, radius: radius)
        Self.mean(&offset, &scratch, width, height, radius: radius)
    }

    @inline(__always)
    private static func combine(
        _ first: Span<Float>, _ second: Span<Float>, into output: inout [Float],
        _ body: (Float, Float) -> Float
    ) {
        var output = output.mutableSpan
        for index in first.indices { output[index] = body(first[index], second[index]) }
    }

    /// Turns means of I·p and I·I into a and b.
    private static func fit(
        _ p: Span<Float>, _ i: Span<Float>, _ products: inout [Float], _ squares: inout [Float]
    ) {
        var slope = products.mutableSpan
        var offset = squares.mutableSpan
        for index in p.indices {
            let (meanP, meanI) = (p[index], i[index])
            let variance = max(offset[index] - meanI * meanI, 0)
            let factor = (slope[index] - meanI * meanP) / (variance + smoothness)
            slope[index] = factor
            offset[index] = meanP - factor * meanI
        }
    }

    /// Replaces samples by the mean of the square window around them, as far as it lies inside.
    private static func mean(
        _ samples: inout [Float], _ scratch: inout [Float], _ width: Int, _ height: Int, radius: Int
    ) {
        unsafe samples.withUnsafeMutableBufferPointer { samples in
            unsafe scratch.withUnsafeMutableBufferPointer { scratch in
                // SAFETY: rows and columns stay within width and height, which both buffers have.
                for row in 0..<height {
                    let line = row * width
                    for column in 0..<width { unsafe scratch[line + column] = 0 }
                    // One neighbor of all columns at a time, which compilers turn into vectors.
                    for shift in -radius...radius {
                        for column in max(0, -shift)..<max(0, -shift, min(width, width - shift)) {
                            unsafe scratch[line + column] += samples[line + column + shift]
                        }
                    }
                    for column in 0..<width {
                        let count = min(column + radius, width - 1) - max(column - radius, 0) + 1
                        unsafe scratch[line + column] /= Float(count)
                    }
                }
                for row in 0..<height {
                    let (first, last) = (max(row - radius, 0), min(row + radius, height - 1))
                    let scale = 1 / Float(last - first + 1)
                    let line = row * width
                    for column in 0..<width { unsafe samples[line + column] = 0 }
                    for other in first...last {
                        for column in 0..<width {
                            unsafe samples[line + column] += scratch[other * width + column]
                        }
                    }
                    for column in 0..<width { unsafe samples[line + column] *= scale }
                }
            }
        }
    }

    /// What the four samples around a pixel hold together.
    @inline(__always)
    func cell(_ left: Int, _ upper: Int) -> Cell {
        let (right, lower) = (Axis.next(after: left, of: width), Axis.next(after: upper, of: height))
        let (a, b) = (cells[upper * width + left], cells[upper * width + right])
        let (c, d) = (cells[lower * width + left], cells[lower * width + right])
        guard a == b, a == c, a == d else { return .mixed }
        return Cell(rawValue: a) ?? .mixed
    }

    /// The columns from one on whose cells hold the same, in a row of cells: where they end, and what they hold.
    func run(from column: Int, _ upper: Int) -> (next: Int, cell: Cell) {
        var left = columns.first[column]
        let first = cell(Int(left), upper)
        var next = column + 1
        while next < columns.first.count {
            if columns.first[next] != left {
                left = columns.first[next]
                guard cell(Int(left), upper) == first else { break }
            }
            next += 1
        }
        return (next, first)
    }

    /// The coverage of a pixel, 0…1.
    @inline(__always)
    func coverage(_ column: Int, _ row: Int, luma: Float) -> Float {
        let (left, upper) = (Int(columns.first[column]), Int(rows.first[row]))
        let (right, lower) = (Axis.next(after: left, of: width), Axis.next(after: upper, of: height))
        let (across, down) = (columns.share[column], rows.share[row])
        @inline(__always) func between(_ plane: [Float]) -> Float {
            let top = plane[upper * width + left] * (1 - across) + plane[upper * width + right] * across
            let bottom = plane[lower * width + left] * (1 - across) + plane[lower * width + right] * across
            return top + (bottom - top) * down
        }
        return min(max(between(slope) * luma + between(offset), 0), 1)
    }
}
