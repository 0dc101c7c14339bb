internal import DepthMaps

/// The coverage of a photo's rows by its foreground, in runs of columns.
protocol CoverageRuns: Sendable {
    /// Calls `body` for every run of the rows, row by row from the left. For each column of a soft run, `alphas` has
    /// its fraction, 0…1; they are empty for a uniform run.
    func forEach(
        in band: Range<Int>,
        _ body: (
            _ row: Int, _ columns: Range<Int>, _ coverage: AlphaSpans.Coverage, _ alphas: Span<Float>
        ) -> Void)
}

/// A matte of any size in the photo's rows: runs of columns that are all foreground, all background, or soft.
///
/// A matte is interpolated linearly between its samples; one that is larger than the photo is first averaged to its size.
/// Most of a portrait is uniform runs, which cost no more than a copy.
struct AlphaSpans: CoverageRuns {
    /// The coverage of a run of columns.
    enum Coverage {
        /// Only the background is visible.
        case behind
        /// Only the photo is visible.
        case front
        /// Both are visible, in the given fractions.
        case soft
    }

    private let matte: Matte
    private let width: Int
    private let columns: [InterpolationTap]
    private let rows: [InterpolationTap]
    /// The first column of every cell, and the width.
    private let cellStarts: [Int]

    init(_ matte: Matte, width: Int, height: Int) {
        let reduced = (min(matte.width, width), min(matte.height, height))
        self.matte =
            reduced == (matte.width, matte.height)
            ? matte : matte.resampled(toWidth: reduced.0, height: reduced.1, by: .area)
        self.width = width
        columns = InterpolationTap.taps(of: width, in: self.matte.width)
        rows = InterpolationTap.taps(of: height, in: self.matte.height)
        cellStarts = columns.intervalStarts(between: self.matte.width)
    }

    func forEach(
        in band: Range<Int>,
        _ body: (_ row: Int, _ columns: Range<Int>, _ coverage: Coverage, _ alphas: Span<Float>) -> Void
    ) {
        var runs: [Run] = []
        var alphas = [Float](repeating: 0, count: width)
        var cell = -1
        for row in band {
            if rows[row].interval != cell {
                cell = rows[row].interval
                runs = self.runs(inRowOfCells: cell)
            }
            for run in runs {
                if run.coverage == .soft { interpolate(run.columns, row, &alphas) }
                let count = run.coverage == .soft ? run.columns.count : 0
                body(row, run.columns, run.coverage, alphas.span.extracting(first: count))
            }
        }
    }

    private struct Run {
        var columns: Range<Int>
        let coverage: Coverage
    }

    private func runs(inRowOfCells cell: Int) -> [Run] {
        let samples = matte.coverage.span
        let upper = samples.extracting(droppingFirst: max(cell - 1, 0) * matte.width)
        let lower = samples.extracting(droppingFirst: min(cell, matte.height - 1) * matte.width)
        var runs: [Run] = []
        var open: (coverage: Coverage, start: Int)?
        var left = Self.coverage(upper[0], lower[0])
        var column = 0
        while column <= matte.width {
            if left != .soft, open?.coverage == left {
                // Most of a portrait is uniform between samples.
                let code: UInt8 = left == .front ? 255 : 0
                while column < matte.width, (upper[column] ^ code) | (lower[column] ^ code) == 0 {
                    column += 1
                }
            }
            let right = column < matte.width ? Self.coverage(upper[column], lower[column]) : left
            let coverage = left == right ? left : .soft
            left = right
            if open?.coverage != coverage {
                if let open, open.start < cellStarts[column] {
                    runs.append(Run(columns: open.start..<cellStarts[column], coverage: open.coverage))
                }
                open = (coverage, cellStarts[column])
            }
            column += 1
        }
        if let open, open.start < width {
            runs.append(Run(columns: open.start..<width, coverage: open.coverage))
        }
        return runs
    }

    @inline(__always)
    private static func coverage(_ upper: UInt8, _ lower: UInt8) -> Coverage {
        guard upper == lower else { return .soft }
        return upper == 0 ? .behind : upper == 255 ? .front : .soft
    }

    private func interpolate(_ run: Range<Int>, _ row: Int, _ alphas: inout [Float]) {
        let samples = matte.coverage.span
        let tap = rows[row]
        let upper = samples.extracting(droppingFirst: tap.first * matte.width)
        let lower = samples.extracting(droppingFirst: tap.second * matte.width)
        let y = tap.fraction
        var output = alphas.mutableSpan
        for column in run {
            let tap = columns[column]
            let (first, second) = (tap.first, tap.second)
            let left = Float(upper[first]) + (Float(lower[first]) - Float(upper[first])) * y
            let right = Float(upper[second]) + (Float(lower[second]) - Float(upper[second])) * y
            output[column - run.lowerBound] = (left + (right - left) * tap.fraction) / 255
        }
    }
}
