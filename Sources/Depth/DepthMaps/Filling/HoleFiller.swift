/// Fills the holes of a plane of disparities. See ``DisparityMap/filled()``.
struct HoleFiller {
    private let holes: HoleGrid
    private let samples: [Float]
    private let colors: SampleColors?
    /// The largest difference between neighbors of a surface.
    private let tolerance: Float
    /// The largest difference between values that are averaged, and from an occluder to what it hides.
    private let closeness: Float

    /// `spread` is the range of the plane's values without outliers.
    init(_ holes: HoleGrid, _ samples: [Float], _ colors: SampleColors?, spread: Float) {
        (self.holes, self.samples, self.colors) = (holes, samples, colors)
        // In a small plane, even neighbors of one surface differ by much.
        tolerance = spread * max(1 / 32, 2 / Float(min(holes.width, holes.height)))
        closeness = spread / 8
    }

    /// The plane with values where a rim is visible and the hole is not wide, clamped to a range; elsewhere it stays unknown.
    func filled(within range: ClosedRange<Float>) -> [Float] {
        let rim = surfaces()
        let behind = elected(by: .survey, from: rim, within: -.infinity...(.infinity))
        return elected(
            by: colors == nil ? .final : .finalByColor, from: trusted(rim, behind), within: range)
    }

    /// The plane with values continued through its holes, clamped to a range.
    func continued(within range: ClosedRange<Float>) -> [Float] {
        let values = HoleContinuation(samples, holes, surfaces(), colors, closeness: closeness).filled()
        return samples.indices.map { index in
            samples[index].isNaN
                ? min(max(values[index], range.lowerBound), range.upperBound) : samples[index]
        }
    }

    private func surfaces() -> [RimSample] {
        parallelMapRows(width: 1, height: holes.rim.count, minimum: 1024) { numbers, output in
            let samples = samples.span
            for number in numbers {
                let index = holes.rim[number]
                output[number - numbers.lowerBound] = RimSample(
                    index, of: samples, holes.width, holes.height, tolerance: tolerance,
                    color: color(index / holes.width, index % holes.width))
            }
        }
    }

    /// The rim with less trust in samples that are nearer than what lies `behind` in most of the hole before them.
    private func trusted(_ rim: [RimSample], _ behind: [Float]) -> [RimSample] {
        parallelMapRows(width: 1, height: rim.count, minimum: 1024) { numbers, output in
            for number in numbers {
                var sample = rim[number]
                sample.trust = trust(in: sample, at: holes.rim[number], behind)
                output[number - numbers.lowerBound] = sample
            }
        }
    }

    /// The fraction of the hole before a rim sample that it is not nearer than, in all directions and at distances of 1, 2, 4
    /// and so on; at least a thousandth.
    private func trust(in sample: RimSample, at index: Int, _ behind: [Float]) -> Float {
        let (row, column) = (index / holes.width, index % holes.width)
        var (count, nearer) = (Float(0), Float(0))
        for direction in HoleDirection.all {
            let limit = direction.limit(row, column, in: holes)
            var steps = 1
            while steps <= limit {
                let (columns, rows) = (direction.columns * steps, direction.rows * steps)
                let place = index + rows * holes.width + columns
                guard holes.cells[place] > 0, !holes.isWide[place] else { break }
                count += 1
                if sample.value(columns: columns, rows: rows) > behind[place] + closeness { nearer += 1 }
                steps *= 2
            }
        }
        return 1 - nearer / max(count, 1) + 0.001
    }

    private func elected(
        by election: HoleElection, from rim: [RimSample], within range: ClosedRange<Float>
    ) -> [Float] {
        let rows = HoleSights.rowCount
        return parallelMapRows(width: holes.width, height: holes.height, minimum: 1, multiple: rows) {
            band, output in
            var sights = HoleSights(width: holes.width)
            for first in stride(from: band.lowerBound, to: band.upperBound, by: rows) {
                let strip = first..<min(first + rows, band.upperBound)
                sights.look(from: strip, of: holes)
                elect(election, rim.span, sights, strip, range, &output, from: band.lowerBound)
            }
        }
    }

    /// Writes the values of a strip of rows to `output`, which starts at the row `origin`; `nan` in wide parts of holes.
    private func elect(
        _ election: HoleElection, _ rim: Span<RimSample>, _ sights: HoleSights, _ strip: Range<Int>,
        _ range: ClosedRange<Float>, _ output: inout MutableSpan<Float>, from origin: Int
    ) {
        let (cells, samples, steps) = (holes.cells.span, samples.span, sights.steps.span)
        let directions = HoleDirection.all
        for row in strip {
            for column in 0..<holes.width {
                let index = row &* holes.width &+ column
                let place = index &- origin &* holes.width
                guard cells[index] > 0 else {
                    output[place] = samples[index]
                    continue
                }
                guard !holes.isWide[index] else {
                    output[place] = .nan
                    continue
                }
                let color = color(row, column)
                let seen = steps[index &- strip.lowerBound &* holes.width]
                var (values, weights) = (SIMD8<Float>(repeating: .nan), SIMD8<Float>.zero)
                var squares = SIMD8<Float>.one
                for number in 0..<8 where seen[number] > 0 {
                    let (direction, steps) = (directions[number], Int(seen[number]))
                    let (x, y) = (direction.columns &* steps, direction.rows &* steps)
                    let found = cells[index &+ y &* holes.width &+ x]
                    let sample = rim[Int(~found)]
                    values[number] = sample.value(columns: -x, rows: -y)
                    weights[number] = sample.trust * likeness(sample.color, color)
                    squares[number] = Float(x &* x &+ y &* y)
                }
                weights *= election.weights(atSquares: squares)
                let value = election.result(values, weights, tolerance: tolerance, closeness: closeness)
                output[place] = value.isNaN ? value : min(max(value, range.lowerBound), range.upperBound)
            }
        }
    }

    /// The photo's color at a sample; zero without a photo.
    @inline(__always)
    private func color(_ row: Int, _ column: Int) -> SIMD4<Float> {
        colors?.color(row &+ 2, column &+ 2) ?? .zero
    }

    /// How alike two colors are, 0…1: about a Gaussian with a standard deviation of 20 steps of 255.
    @inline(__always)
    private func likeness(_ first: SIMD4<Float>, _ second: SIMD4<Float>) -> Float {
        guard colors != nil else { return 1 }
        let difference = first - second
        let base = max(1 - (difference * difference).sum() * 10, 0)
        let fourth = base * base * (base * base)
        return fourth * fourth + 0.0003
    }
}
