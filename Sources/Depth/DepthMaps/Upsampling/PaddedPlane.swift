/// Samples padded by two on each side with copies of the outermost, so that every cell has 4 × 4.
struct PaddedPlane: Sendable {
    let samples: [Float]
    /// How far each sample's value lies between those of its neighbors on both sides, as in mixed pixels; 0 on surfaces and
    /// for lines one sample wide.
    let mixing: [Float]
    /// Samples in a padded row.
    let stride: Int
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
            var (lows, highs) = ([Float](repeating: 0, count: stride), [Float](repeating: 0, count: stride))
            // 0 if all are finite, else `nan`.
            var rests = lows
            for row in rows {
                for column in 0..<stride {
                    let place = row * stride + column
                    let (a, b) = (samples[place], samples[place + stride])
                    let (c, d) = (samples[place + 2 * stride], samples[place + 3 * stride])
                    lows[column] = min(min(a, b), min(c, d))
                    highs[column] = max(max(a, b), max(c, d))
                    rests[column] = (a - a) + (b - b) + ((c - c) + (d - d))
                }
                for column in 0..<columns {
                    let low = min(
                        min(lows[column], lows[column + 1]), min(lows[column + 2], lows[column + 3]))
                    let high = max(
                        max(highs[column], highs[column + 1]), max(highs[column + 2], highs[column + 3]))
                    let rest = rests[column] + rests[column + 1] + rests[column + 2] + rests[column + 3]
                    output[(row - rows.lowerBound) * columns + column] =
                        rest == 0 && (high - low).isFinite
                        ? (high - low <= least ? .even : high - low <= jump ? .weak : .edge)
                        : unknownKind(row, column)
                }
            }
        }
    }

    /// The kind of a cell with a sample, or a range, that is unknown or infinite.
    private func unknownKind(_ row: Int, _ column: Int) -> GuidedCell {
        let corner = (row + 1) * stride + column + 1
        let isEmpty = [corner, corner + 1, corner + stride, corner + stride + 1].allSatisfy {
            samples[$0].isNaN
        }
        return isEmpty ? .empty : .edge
    }

    /// The smallest and largest of a cell's samples, which must be finite.
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
}
