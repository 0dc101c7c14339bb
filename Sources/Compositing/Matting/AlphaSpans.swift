internal import DepthCore

/// A matte of any size as the photo's rows see it: runs of columns that are all in front, all behind, or soft.
///
/// Between its samples a matte is linear; one that is larger than the photo is averaged to its size first. Most of a
/// portrait is runs, and a run costs no more than a copy.
struct AlphaSpans: Sendable {
    /// What a run of columns is like.
    enum Coverage {
        /// Nothing of the photo is seen.
        case behind
        /// Nothing but the photo is seen.
        case front
        /// Both, in the shares that come with it.
        case soft
    }

    private let matte: Matte
    private let width: Int
    private let columns: LinearPlaces
    private let rows: LinearPlaces
    /// The first column of every cell, and the width.
    private let cellStarts: [Int]

    init(_ matte: Matte, width: Int, height: Int) {
        let reduced = (min(matte.width, width), min(matte.height, height))
        self.matte =
            reduced == (matte.width, matte.height)
            ? matte : matte.resampled(toWidth: reduced.0, height: reduced.1, by: .area)
        self.width = width
        columns = LinearPlaces(of: self.matte.width, at: width)
        rows = LinearPlaces(of: self.matte.height, at: height)
        cellStarts = columns.cellStarts
    }

    /// Calls `body` for every run of the rows, from left to right and top to bottom. `alphas` has the shares of a soft
    /// run's columns, 0…1, and nothing for the others.
    func forEach(
        in band: Range<Int>,
        _ body: (_ row: Int, _ columns: Range<Int>, _ coverage: Coverage, _ alphas: Span<Float>) -> Void
    ) {
        var runs: [Run] = []
        var alphas = [Float](repeating: 0, count: width)
        var cell = -1
        for row in band {
            if rows.cells[row] != cell {
                cell = rows.cells[row]
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
        for column in 0...matte.width {
            let right = column < matte.width ? Self.coverage(upper[column], lower[column]) : left
            let coverage = left == right ? left : .soft
            left = right
            if let open, open.coverage == coverage { continue }
            if let open, open.start < cellStarts[column] {
                runs.append(Run(columns: open.start..<cellStarts[column], coverage: open.coverage))
            }
            open = (coverage, cellStarts[column])
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
        let (above, below) = rows.neighbors(row)
        let upper = samples.extracting(droppingFirst: above * matte.width)
        let lower = samples.extracting(droppingFirst: below * matte.width)
        let y = rows.shares[row]
        var output = alphas.mutableSpan
        for column in run {
            let (first, second) = columns.neighbors(column)
            let left = Float(upper[first]) + (Float(lower[first]) - Float(upper[first])) * y
            let right = Float(upper[second]) + (Float(lower[second]) - Float(upper[second])) * y
            output[column - run.lowerBound] = (left + (right - left) * columns.shares[column]) / 255
        }
    }
}

/// Where the centers of pixels lie between samples, along one axis.
struct LinearPlaces: Sendable {
    /// Cell c lies between samples c − 1 and c; the first and the last have but one.
    let cells: [Int]
    /// How far the center is from the first to the second, 0…1.
    let shares: [Float]
    private let sampleCount: Int

    init(of sampleCount: Int, at pixelCount: Int) {
        self.sampleCount = sampleCount
        let places = (0..<pixelCount).map {
            (Double($0) + 0.5) * Double(sampleCount) / Double(pixelCount) - 0.5
        }
        cells = places.map { Int($0.rounded(.down)) + 1 }
        shares = places.map { Float($0 - $0.rounded(.down)) }
    }

    /// The samples around a pixel, one of them twice at the ends.
    @inline(__always)
    func neighbors(_ pixel: Int) -> (first: Int, second: Int) {
        (max(cells[pixel] - 1, 0), min(cells[pixel], sampleCount - 1))
    }

    /// The first pixel of every cell, and the count of pixels.
    var cellStarts: [Int] {
        var starts: [Int] = []
        for (pixel, cell) in cells.enumerated() {
            while starts.count <= cell { starts.append(pixel) }
        }
        while starts.count <= sampleCount + 1 { starts.append(cells.count) }
        return starts
    }
}
