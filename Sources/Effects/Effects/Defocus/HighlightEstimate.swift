package import DepthMaps
internal import DepthTypes

extension Highlights {
    /// Guesses which clipped pixels are lamps, and how bright they are.
    ///
    /// A photo does not hold the brightness of what it clips, so this is a prior. Clipped areas that are small, in dark
    /// surroundings and apart from others are lamps, and 16 times as bright as white: photos exposed for a night scene clip
    /// its lamps by 3 to 6 stops. Walls, skies and paper are larger; the sky between leaves, and paper between letters, have
    /// much else around them that is clipped. With s_a, s_d and s_i from 0 to 1, the factor is 16^(s_a · s_d · s_i):
    ///
    /// - s_a is 1 up to the area of a disc whose radius is 0.5 % of the diagonal, and 0 from twice that area.
    /// - s_d is 1 if the mean light around is at most 6 % of white, and falls with its logarithm to 0 at 25 %.
    /// - s_i is 1 if at most 4 % of the pixels around are clipped, too, and 0 from 12 %.
    ///
    /// Around is a margin of twice the area's size, at least 2 % of the diagonal. All colors of a pixel get the same factor:
    /// a colored lamp keeps its hue.
    package init(estimatedIn image: ColorImage, curve: TransferFunction = .sRGB) {
        func highlights<Sample>(_ pixels: [RGB<Sample>]) -> Highlights {
            ClippedAreas(pixels, image.width, image.height, curve)?.highlights ?? .none
        }
        self = image.pixels.apply(highlights, highlights)
    }
}

/// The connected areas of a photo where a color is clipped.
private struct ClippedAreas<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    /// Successive clipped pixels of a row.
    private struct Run {
        let row: Int
        let columns: Range<Int>
        /// The run that this one is connected to; itself for the first of its area.
        var parent: Int
    }

    private struct Area {
        var pixelCount = 0
        var columns: ClosedRange<Int>
        var rows: ClosedRange<Int>
    }

    private let pixels: [RGB<Sample>]
    private let width: Int
    private let height: Int
    private let light: [Float]
    private var runs: [Run] = []

    /// Values from 248 of 255 are clipped: JPEG changes them by a few codes.
    private static var clipped: Sample { Sample(Int(Sample.max) / 255 * 248) }
    /// The light of a lamp, in that of white.
    private static var lamp: Float { 16 }

    /// `nil` if nothing is clipped, or so much in so small pieces that it is noise: more than one run in 32 pixels.
    init?(_ pixels: [RGB<Sample>], _ width: Int, _ height: Int, _ curve: TransferFunction) {
        let counts: [Int] = parallelMapRows(width: 1, height: height) { rows, output in
            for row in rows {
                let line = pixels.span.extracting(row * width..<(row + 1) * width)
                var (count, isInside) = (0, false)
                for column in line.indices {
                    let isClipped = line[column].greatest >= Self.clipped
                    if isClipped, !isInside { count += 1 }
                    isInside = isClipped
                }
                output[row - rows.lowerBound] = count
            }
        }
        let total = counts.reduce(0, +)
        guard total > 0, total <= width * height / 32 + 8 else { return nil }
        (self.pixels, self.width, self.height) = (pixels, width, height)
        light = TransferFunctionTable<Sample>(curve).light
        runs.reserveCapacity(total)
        var above = 0..<0
        for row in 0..<height {
            let start = runs.count
            if counts[row] > 0 { addRuns(ofRow: row) }
            connect(start..<runs.count, to: above)
            above = start..<runs.count
        }
    }

    private mutating func addRuns(ofRow row: Int) {
        var column = 0
        while column < width {
            while column < width, !isClipped(column, row) { column += 1 }
            let start = column
            while column < width, isClipped(column, row) { column += 1 }
            if start < column { runs.append(Run(row: row, columns: start..<column, parent: runs.count)) }
        }
    }

    private func isClipped(_ column: Int, _ row: Int) -> Bool {
        pixels[row * width + column].greatest >= Self.clipped
    }

    /// Connects runs with those of the row above that touch them, also by a corner.
    private mutating func connect(_ below: Range<Int>, to above: Range<Int>) {
        var first = above.lowerBound
        for index in below {
            let columns = runs[index].columns
            while first < above.upperBound, runs[first].columns.upperBound < columns.lowerBound { first += 1 }
            var other = first
            while other < above.upperBound, runs[other].columns.lowerBound <= columns.upperBound {
                let (a, b) = (root(of: index), root(of: other))
                runs[max(a, b)].parent = min(a, b)
                other += 1
            }
        }
    }

    private mutating func root(of run: Int) -> Int {
        var run = run
        while runs[run].parent != run {
            runs[run].parent = runs[runs[run].parent].parent
            run = runs[run].parent
        }
        return run
    }

    var highlights: Highlights {
        var labeled = self
        let roots = runs.indices.map { labeled.root(of: $0) }
        var areas = [Area?](repeating: nil, count: runs.count)
        for (run, root) in zip(runs, roots) {
            let columns = run.columns.lowerBound...run.columns.upperBound - 1
            var area = areas[root] ?? Area(columns: columns, rows: run.row...run.row)
            area.pixelCount += columns.count
            area.columns =
                min(
                    area.columns.lowerBound, columns.lowerBound)...max(
                    area.columns.upperBound, columns.upperBound)
            area.rows = area.rows.lowerBound...run.row
            areas[root] = area
        }
        let factors = areas.map { $0.map(stop) ?? 0 }
        guard factors.contains(where: { $0 > 0 }) else { return .none }
        var stops = [UInt8](repeating: 0, count: width * height)
        for (run, root) in zip(runs, roots) where factors[root] > 0 {
            for column in run.columns { stops[run.row * width + column] = factors[root] }
        }
        return Highlights(stops: stops)
    }

    /// The factor of an area, as ``Highlights/stops``.
    private func stop(of area: Area) -> UInt8 {
        let diagonal = Float(Math.hypotenuse(Double(width), Double(height)))
        let greatest = Float.pi * (0.005 * diagonal) * (0.005 * diagonal)
        let small = 2 - Float(area.pixelCount) / max(greatest, 2)
        guard small > 0 else { return 0 }
        let (light, clipped) = surroundings(of: area, margin: 0.02 * diagonal)
        let dark = Float(Math.logarithm10(Double(0.25 / max(light, 1e-4))) / Math.logarithm10(0.25 / 0.06))
        let isolated = (0.12 - clipped) / (0.12 - 0.04)
        let score = [small, dark, isolated].reduce(1) { $0 * min(max($1, 0), 1) }
        return Highlights.stop(ofFactor: Math.power(Self.lamp, score))
    }

    /// The mean light of a grid of pixels around an area, and the fraction of them that is clipped. Pixels that touch it may be
    /// blurred with it, and are not used.
    private func surroundings(of area: Area, margin: Float) -> (light: Float, clipped: Float) {
        let extent = max(area.columns.count, area.rows.count)
        let reach = Int(max(2 * Float(extent), margin)) + 2
        let step = max(1, (extent + 2 * reach) / 32)
        var (sum, clipped, count) = (Float(0), 0, 0)
        for row in stride(from: area.rows.lowerBound - reach, through: area.rows.upperBound + reach, by: step)
        where 0..<height ~= row {
            for column in stride(
                from: area.columns.lowerBound - reach, through: area.columns.upperBound + reach, by: step)
            where 0..<width ~= column {
                let isNear =
                    area.rows.lowerBound - 2...area.rows.upperBound + 2 ~= row
                    && area.columns.lowerBound - 2...area.columns.upperBound + 2 ~= column
                guard !isNear else { continue }
                let greatest = pixels[row * width + column].greatest
                sum += light[Int(greatest)]
                clipped += greatest >= Self.clipped ? 1 : 0
                count += 1
            }
        }
        return count == 0 ? (1, 1) : (sum / Float(count), Float(clipped) / Float(count))
    }
}
