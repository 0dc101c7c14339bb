internal import DepthMaps

/// A matte at the depth's size, upsampled to the picture's size along its edges.
///
/// The guided filter (He, Sun and Tang 2013) in its fast form (He and Sun 2015): within windows of the depth's samples,
/// coverage is a·I + b of the picture's luma I, with a = cov(I, p) / (var(I) + ε) and b = mean(p) − a·mean(I). Means of a and
/// b are interpolated between samples and applied to the luma of each pixel. Windows that are covered completely, or not at
/// all, need no filter.
struct GuidedMatte {
    /// Samples on either side of a window's center.
    static let radius = 2
    /// ε, in squared luma of 0…1.
    static let smoothness: Float = 2e-4

    private var width = 0
    private var height = 0
    private var luma: [Float] = []
    private var slope: [Float] = []
    private var offset: [Float] = []
    private var cells: [UInt8] = []
    private var joined: [UInt8] = []
    /// The columns whose luma is read, two for each sample.
    private var luminous: [Int] = []
    private var guideWidth = 0
    private var (sums, more, scratch): ([Float], [Float], [Float]) = ([], [], [])
    private var columns = InterpolationAxis()
    private var rows = InterpolationAxis()

    /// Prepares for the coverage of a frame, 0…1.
    mutating func set(_ coverage: borrowing FramePlane<Float>, guide: borrowing FramePlane<RGB<UInt8>>) {
        let (newWidth, newHeight) = (coverage.width, coverage.height)
        let count = newWidth * newHeight
        if (width, height) != (newWidth, newHeight) {
            (width, height) = (newWidth, newHeight)
            luma = [Float](repeating: 0, count: count)
            (slope, offset, sums, more, scratch) = (luma, luma, luma, luma, luma)
            cells = [UInt8](repeating: 0, count: count)
            joined = cells
        }
        if luminous.count != 2 * width || guideWidth != guide.width {
            guideWidth = guide.width
            luminous = (0..<2 * width).map { (2 * $0 + 1) * guide.width / (4 * width) }
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
        let (width, height, across) = (width, height, luminous)
        var output = luma.mutableSpan
        for row in 0..<height {
            let upper = (4 * row + 1) * guide.height / (4 * height) * guide.width
            let lower = (4 * row + 3) * guide.height / (4 * height) * guide.width
            for column in 0..<width {
                let (left, right) = (across[2 * column], across[2 * column + 1])
                let sum =
                    Self.luma(pixels[upper + left]) + Self.luma(pixels[upper + right])
                    + Self.luma(pixels[lower + left]) + Self.luma(pixels[lower + right])
                output[row * width + column] = sum * 0.25
            }
        }
    }

    /// Luma 0…1 by Rec. 709, of gamma-coded values.
    @inline(__always)
    static func luma(_ pixel: RGB<UInt8>) -> Float {
        let sum = 54 * Int32(pixel.red) + 183 * Int32(pixel.green) + 19 * Int32(pixel.blue)
        return Float(sum) * (1 / 65_280)
    }

    /// Marks cells whose surroundings have the same coverage, as far as windows of windows reach.
    private mutating func classify(_ coverage: Span<Float>) {
        let guide = luma
        Self.combine(coverage, guide.span, into: &sums) { value, _ in
            value <= 0.002 ? 0 : value >= 0.998 ? 1 : 4096
        }
        Self.mean(&sums, &scratch, width, height, radius: 2 * Self.radius + 1)
        let means = sums
        var output = cells.mutableSpan
        for index in means.indices {
            let value = means[index]
            // True for the mean of only zeros, or of only ones.
            output[index] = value < 1e-5 ? 0 : abs(value - 1) < 1e-3 ? 1 : 2
        }
        let marked = cells
        Self.join(marked, width, height, into: &joined)
    }

    private mutating func solve(_ coverage: Span<Float>) {
        let radius = Self.radius
        let guide = luma
        // Means of p, I, I·p and I·I.
        Self.combine(coverage, guide.span, into: &sums) { p, _ in p }
        Self.combine(coverage, guide.span, into: &more) { _, i in i }
        Self.combine(coverage, guide.span, into: &slope) { p, i in p * i }
        Self.combine(coverage, guide.span, into: &offset) { _, i in i * i }
        Self.mean(&sums, &scratch, width, height, radius: radius)
        Self.mean(&more, &scratch, width, height, radius: radius)
        Self.mean(&slope, &scratch, width, height, radius: radius)
        Self.mean(&offset, &scratch, width, height, radius: radius)
        let (coverageMeans, guideMeans) = (sums, more)
        Self.fit(coverageMeans.span, guideMeans.span, &slope, &offset)
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

    /// Converts means of I·p and I·I to a and b.
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

    /// Replaces samples by the mean of the square window around them, clipped to the plane.
    private static func mean(
        _ samples: inout [Float], _ scratch: inout [Float], _ width: Int, _ height: Int, radius: Int
    ) {
        unsafe samples.withUnsafeMutableBufferPointer { samples in
            unsafe scratch.withUnsafeMutableBufferPointer { scratch in
                guard let source = samples.baseAddress, let target = scratch.baseAddress else { return }
                // SAFETY: rows and columns stay within width and height, which both buffers have. The loop adds one neighbor
                // of all columns at a time, in separate rows, which compilers vectorize.
                for row in 0..<height {
                    let line = unsafe target + row * width
                    for column in 0..<width { unsafe line[column] = 0 }
                    for shift in -radius...radius {
                        let (first, end) = (max(0, -shift), max(0, -shift, min(width, width - shift)))
                        let (from, to) = unsafe (source + row * width + shift + first, line + first)
                        for index in 0..<end - first { unsafe to[index] += from[index] }
                    }
                    for column in 0..<min(radius, width) {
                        let count = min(column + radius, width - 1) + 1
                        unsafe line[column] /= Float(count)
                    }
                    for column in max(min(radius, width), width - radius)..<max(radius, width)
                    where column < width {
                        let count = width - max(column - radius, 0)
                        unsafe line[column] /= Float(count)
                    }
                    let scale = 1 / Float(2 * radius + 1)
                    for column in min(radius, width)..<max(min(radius, width), width - radius) {
                        unsafe line[column] *= scale
                    }
                }
                for row in 0..<height {
                    let (first, last) = (max(row - radius, 0), min(row + radius, height - 1))
                    let scale = 1 / Float(last - first + 1)
                    let line = unsafe source + row * width
                    for column in 0..<width { unsafe line[column] = 0 }
                    for other in first...last {
                        let from = unsafe target + other * width
                        for column in 0..<width { unsafe line[column] += from[column] }
                    }
                    for column in 0..<width { unsafe line[column] *= scale }
                }
            }
        }
    }

    /// The run of columns whose cells have the same coverage, in a row of cells: its end and its coverage.
    fileprivate func run(from column: Int, _ upper: Int) -> (next: Int, coverage: AlphaSpans.Coverage) {
        let line = upper * width
        var left = Int(columns.first[column])
        let kind = joined[line + left]
        while left + 1 < columns.ends.count, joined[line + left + 1] == kind { left += 1 }
        return (columns.ends[left], kind == 0 ? .behind : kind == 1 ? .front : .soft)
    }

    /// The row of cells that a row of pixels is in.
    fileprivate func rowOfCells(_ row: Int) -> Int { Int(rows.first[row]) }

    /// Combines the coverage of squares of four samples.
    private static func join(_ cells: [UInt8], _ width: Int, _ height: Int, into joined: inout [UInt8]) {
        let cells = cells.span
        var output = joined.mutableSpan
        for row in 0..<height {
            let (line, below) = (row * width, min(row + 1, height - 1) * width)
            for column in 0..<width {
                let right = min(column + 1, width - 1)
                let (a, b) = (cells[line + column], cells[line + right])
                let (c, d) = (cells[below + column], cells[below + right])
                output[line + column] = a == b && a == c && a == d ? a : 2
            }
        }
    }

    /// The coverage of a pixel, 0…1.
    @inline(__always)
    fileprivate func coverage(_ column: Int, _ row: Int, luma: Float) -> Float {
        let (left, upper) = (Int(columns.first[column]), Int(rows.first[row]))
        let (right, lower) = (min(left + 1, width - 1), min(upper + 1, height - 1))
        let (across, down) = (columns.share[column], rows.share[row])
        @inline(__always) func between(_ plane: [Float]) -> Float {
            let top = plane[upper * width + left] * (1 - across) + plane[upper * width + right] * across
            let bottom = plane[lower * width + left] * (1 - across) + plane[lower * width + right] * across
            return top + (bottom - top) * down
        }
        // Steeper in the middle, so that the picture's texture leaves no veil around the subject.
        let coverage = between(slope) * luma + between(offset)
        return min(max((coverage - 0.5) * 1.5 + 0.5, 0), 1)
    }
}

/// The coverage of a frame's picture, as a guided filter finds it.
struct GuidedRuns: CoverageRuns {
    private let filter: GuidedMatte
    private let picture: FramePlane<RGB<UInt8>>

    /// The coverage that a filter was set to, with the same picture.
    init(_ filter: GuidedMatte, _ picture: FramePlane<RGB<UInt8>>) {
        (self.filter, self.picture) = (filter, picture)
    }

    func forEach(
        in band: Range<Int>,
        _ body: (
            _ row: Int, _ columns: Range<Int>, _ coverage: AlphaSpans.Coverage, _ alphas: Span<Float>
        ) -> Void
    ) {
        let pixels = picture.samples.span
        var alphas = [Float](repeating: 0, count: picture.width)
        for row in band {
            let upper = filter.rowOfCells(row)
            var column = 0
            while column < picture.width {
                let (next, coverage) = filter.run(from: column, upper)
                let softCount = coverage == .soft ? next - column : 0
                for place in 0..<softCount {
                    let luma = GuidedMatte.luma(pixels[row * picture.width + column + place])
                    alphas[place] = filter.coverage(column + place, row, luma: luma)
                }
                body(row, column..<next, coverage, alphas.span.extracting(first: softCount))
                column = next
            }
        }
    }

    /// The coverage of each pixel.
    var matte: Matte {
        let coverage: [UInt8] = parallelMapRows(width: picture.width, height: picture.height) {
            band, output in
            forEach(in: band) { row, columns, coverage, alphas in
                let start = (row - band.lowerBound) * picture.width
                for column in columns {
                    output[start + column] =
                        switch coverage {
                        case .behind: 0
                        case .front: 255
                        case .soft: UInt8(alphas[column - columns.lowerBound] * 255 + 0.5)
                        }
                }
            }
        }
        return Matte(width: picture.width, height: picture.height, coverage: coverage)
    }
}
