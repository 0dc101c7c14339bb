/// Samples with two more on each side, copies of the outermost, so that every cell has 4 × 4.
struct PaddedPlane: Sendable {
    /// The samples.
    let samples: [Float]
    /// How far each sample lies between its neighbors on both sides, as one that saw two surfaces does; 0 on surfaces
    /// and for lines one sample wide.
    let mixing: [Float]
    /// Samples in a padded row.
    let stride: Int
    /// The number of padded rows.
    let height: Int

    init(_ plane: LowResolutionPlane) {
        let (stride, height) = (plane.width + 4, plane.height + 4)
        let samples: [Float] = parallelMapRows(width: stride, height: height) { rows, output in
            let source = plane.samples.span
            for row in rows {
                let start = min(max(row - 2, 0), plane.height - 1) * plane.width
                let place = (row - rows.lowerBound) * stride
                for column in 0..<plane.width { output[place + 2 + column] = source[start + column] }
                for column in 0..<2 {
                    output[place + column] = source[start]
                    output[place + stride - 1 - column] = source[start + plane.width - 1]
                }
            }
        }
        self.samples = samples
        self.stride = stride
        self.height = height
        mixing = parallelMapRows(width: stride, height: height) { rows, output in
            let samples = samples.span
            for row in rows {
                let place = (row - rows.lowerBound) * stride
                let above = samples.extracting(max(row - 1, 0) * stride..<max(row, 1) * stride)
                let line = samples.extracting(row * stride..<(row + 1) * stride)
                let below = samples.extracting(
                    min(row + 1, height - 1) * stride..<min(row + 2, height) * stride)
                for column in 0..<stride {
                    let value = line[column]
                    output[place + column] = max(
                        Self.mixing(line[max(column - 1, 0)], value, line[min(column + 1, stride - 1)]),
                        Self.mixing(above[column], value, below[column]))
                }
            }
        }
    }

    @inline(__always)
    private static func mixing(_ before: Float, _ value: Float, _ after: Float) -> Float {
        let (rise, next) = (value - before, after - value)
        return rise * next > 0 && (rise + next).isFinite ? min(rise.magnitude, next.magnitude) : 0
    }

    /// The kinds of all cells, row by row: one more than samples in each direction.
    func cells(least: Float, jump: Float) -> [GuidedCell] {
        let columns = stride - 3
        return parallelMapRows(width: columns, height: height - 3) { rows, output in
            let samples = samples.span
            for row in rows {
                let place = (row - rows.lowerBound) * columns
                // The last group begins earlier where the number of cells is not a multiple of four, and does some of them again.
                for start in Swift.stride(from: 0, to: columns, by: 4) {
                    let first = max(0, min(start, columns - 4))
                    guard columns >= 4 else {
                        for column in 0..<columns {
                            output[place + column] = kind(samples, row * stride + column, least, jump)
                        }
                        continue
                    }
                    let (isFinite, range) = Self.ranges(samples, row * stride + first, stride)
                    for lane in 0..<4 {
                        output[place + first + lane] =
                            isFinite[lane]
                            ? (range[lane] <= least ? .even : range[lane] <= jump ? .weak : .edge)
                            : kind(samples, row * stride + first + lane, least, jump)
                    }
                }
            }
        }
    }

    /// The smallest and the largest of a cell's samples, which must be finite.
    func range(row: Int, column: Int) -> (low: Float, high: Float) {
        let samples = samples.span
        let place = row * stride + column
        var (low, high) = (samples.four(place), samples.four(place))
        for row in 1..<4 {
            let four = samples.four(place + row * stride)
            (low, high) = (low.lesser(four), high.greater(four))
        }
        return (low.min(), high.max())
    }

    /// The differences between the largest and the smallest of 4 × 4 samples, for four cells side by side.
    @inline(__always)
    private static func ranges(
        _ samples: Span<Float>, _ place: Int, _ stride: Int
    ) -> (isFinite: SIMDMask<SIMD4<Int32>>, range: SIMD4<Float>) {
        var low = SIMD4<Float>(repeating: .infinity)
        var high = -low
        var sum = SIMD4<Float>.zero
        for row in 0..<4 {
            for column in 0..<4 {
                let four = samples.four(place &+ row &* stride &+ column)
                low = low.lesser(four)
                high = high.greater(four)
                sum += four
            }
        }
        let range = high - low
        return (((sum - sum) .== 0) .& (range .< .infinity), range)
    }

    /// The kind of a cell one of whose samples may be unknown or infinite.
    private func kind(_ samples: Span<Float>, _ place: Int, _ least: Float, _ jump: Float) -> GuidedCell {
        var (low, high, isKnown, isEmpty) = (Float.infinity, -Float.infinity, true, true)
        for row in 0..<4 {
            for column in 0..<4 {
                let sample = samples[place + row * stride + column]
                (low, high) = (min(low, sample), max(high, sample))
                isKnown = isKnown && sample.isFinite
                if (1...2).contains(row), (1...2).contains(column) { isEmpty = isEmpty && sample.isNaN }
            }
        }
        if isKnown, (high - low).isFinite {
            return high - low <= least ? .even : high - low <= jump ? .weak : .edge
        }
        return isEmpty && !isKnown ? .empty : .edge
    }
}
