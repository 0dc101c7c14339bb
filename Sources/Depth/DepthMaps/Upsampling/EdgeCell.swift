/// A pixel in a cell.
struct PixelOfCell {
    /// Red, green and blue, 0…1; the fourth element is unused.
    let color: SIMD4<Float>
    /// The position between the cell's first and second samples, 0…1.
    let x: Float
    let y: Float
    /// The index in the output.
    let place: Int
}

/// A cell's 4 × 4 samples and their colors, prepared to vote for pixels. Vectors are the samples of a row.
struct EdgeCell {
    private var rows: InlineArray<4, SampleRow> = .init(repeating: SampleRow())
    /// The four corners of the cell, in reading order.
    private var corners = SIMD4<Float>.zero
    /// The range of the finite samples.
    private var low: Float = 0
    private var high: Float = 0
    private var isKnown = false
    /// Whether all samples are finite and the corners differ by less than a jump.
    private var isEvenInside = false
    /// 1/(4σ) of color, and of value.
    private var colorScale: Float = 0
    private var valueScale: Float = 0
    /// How strongly edges apply here, 0…1; the rest is the pixels' former value.
    private var edgeShare: Float = 1
    private let jump: Float
    private let takesSides: Bool

    /// The variance of color (range 0…1) that is treated as noise.
    private static var noise: Float { 1e-4 }

    /// See ``Guidance``.
    init(jump: Float, takesSides: Bool) {
        self.jump = jump
        self.takesSides = takesSides
    }

    /// Loads the samples of the cell that begins at this padded row and column.
    mutating func load(_ plane: PaddedPlane, _ colors: SampleColors, row: Int, column: Int) {
        let (samples, mixing) = (plane.samples.span, plane.mixing.span)
        let channels = colors.channels.span
        let stride = plane.stride
        let place = row &* stride &+ column
        let corner = place &+ stride &+ 1
        corners = SIMD4(
            samples[corner], samples[corner &+ 1], samples[corner &+ stride],
            samples[corner &+ stride &+ 1])
        (low, high) = (.infinity, -.infinity)
        var known: Float = 0
        for index in 0..<4 {
            let row = SampleRow(
                samples, place &+ index &* stride, channels, colors.place(row &+ index, column), stride)
            low = min(low, row.value.replacing(with: .infinity, where: row.weight .== 0).min())
            high = max(high, row.value.replacing(with: -.infinity, where: row.weight .== 0).max())
            known += row.weight.sum()
            rows[index] = row
        }
        isKnown = known == 16
        isEvenInside = isKnown && corners.max() - corners.min() <= jump
        let variance =
            Self.variance(rows[0].red, rows[1].red, rows[2].red, rows[3].red)
            + Self.variance(rows[0].green, rows[1].green, rows[2].green, rows[3].green)
            + Self.variance(rows[0].blue, rows[1].blue, rows[2].blue, rows[3].blue)
        colorScale = 0.25 / (Self.noise + variance * 0.25).squareRoot()
        let deviation = (high - low) * 0.2
        valueScale = deviation > 1e-15 ? 0.25 / deviation : 0
        edgeShare = jump > 0 ? min(max((high - low) / jump - 1, 0), 1) : 1
        // A sample halfway between two surfaces has weight 1/17.
        let scale: Float = takesSides && high > low ? 8 / (high - low) : 0
        for index in 0..<4 {
            let mixing = mixing.four(place &+ index &* stride) * scale
            rows[index].weight /= 1 + mixing * mixing
            rows[index].red *= colorScale
            rows[index].green *= colorScale
            rows[index].blue *= colorScale
        }
    }

    private static func variance(
        _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>
    ) -> Float {
        let mean = (a + b + c + d).sum() / 16
        let (a, b, c, d) = (a - mean, b - mean, c - mean, d - mean)
        return (a * a + b * b + (c * c + d * d)).sum() / 16
    }

    /// Whether the corners are on one surface and the pixel looks like the color between them, within half of σ, so that no
    /// vote is needed. In half of all cells at edges, the edge is outside the central square.
    @inline(__always)
    func isSettled(_ pixel: PixelOfCell) -> Bool {
        guard isEvenInside else { return false }
        @inline(__always)
        func difference(_ above: SIMD4<Float>, _ below: SIMD4<Float>, _ seen: Float) -> Float {
            // The corners are the second and third samples of the second and third rows.
            let upper = above[1] + (above[2] - above[1]) * pixel.x
            let lower = below[1] + (below[2] - below[1]) * pixel.x
            let difference = upper + (lower - upper) * pixel.y - seen * colorScale
            return difference * difference
        }
        let (above, below) = (rows[1], rows[2])
        let distance =
            difference(above.red, below.red, pixel.color.x)
            + difference(above.green, below.green, pixel.color.y)
            + difference(above.blue, below.blue, pixel.color.z)
        return distance < 0.0625
    }

    /// The value of a pixel, never outside the range of the finite samples. If sums of huge values overflow, the nearest
    /// sample. `smooth` is its value without an edge.
    @inline(__always)
    func value(_ pixel: PixelOfCell, smooth: Float) -> Float {
        let (x, y) = (pixel.x, pixel.y)
        let nearest = corners[(y >= 0.5 ? 2 : 0) + (x >= 0.5 ? 1 : 0)]
        guard nearest.isFinite else { return nearest }
        var value = vote(pixel.color * colorScale, x, y)
        if takesSides { value = settled(value, x, y) }
        if edgeShare < 1 {
            let smooth = isKnown ? smooth : interpolated(x, y)
            value = smooth + (value - smooth) * edgeShare
        }
        return value.isNaN ? min(max(nearest, low), high) : min(max(value, low), high)
    }

    /// Bilinear, without non-finite samples.
    private func interpolated(_ x: Float, _ y: Float) -> Float {
        let known = corners.isFinite
        let values = corners.replacing(with: 0, where: .!known)
        let weights =
            SIMD4((1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y)
            * SIMD4<Float>.zero.replacing(with: 1, where: known)
        return (weights * values).pairwiseSum / weights.pairwiseSum
    }

    /// For the vote, the weights along one axis are 1 − (distance/2)²; the rest is color similarity.
    @inline(__always)
    private func vote(_ color: SIMD4<Float>, _ x: Float, _ y: Float) -> Float {
        mean(.vote(at: x), .vote(at: y)) { row in
            let (dr, dg, db) = (color.x - row.red, color.y - row.green, color.z - row.blue)
            return (dr * dr + dg * dg + db * db).decay
        }
    }

    /// The mean of the surrounding samples with values close to the outcome of a vote, weighted by the cubic B-spline of
    /// their distance.
    @inline(__always)
    private func settled(_ outcome: Float, _ x: Float, _ y: Float) -> Float {
        mean(.spline(at: x), .spline(at: y)) { row in
            let difference = (outcome - row.value) * valueScale
            return (difference * difference).decay
        }
    }

    /// The mean of the samples, weighted by columns, rows, reliability and `likeness`.
    @inline(__always)
    private func mean(
        _ columns: SIMD4<Float>, _ lines: SIMD4<Float>, _ likeness: (SampleRow) -> SIMD4<Float>
    ) -> Float {
        var (sum, total): (Float, Float) = (0, 0)
        for index in 0..<4 {
            let row = rows[index]
            let weights = columns * row.weight * likeness(row)
            total += lines[index] * weights.pairwiseSum
            sum += lines[index] * (weights * row.value).pairwiseSum
        }
        return sum / total
    }
}

extension SIMD4<Float> {
    /// The sum of the first two and of the last two.
    fileprivate var pairwiseSum: Float { (x + y) + (z + w) }

    /// The weights of four samples along an axis, 1 − (distance/2)²; `t` is the position between the second and third.
    fileprivate static func vote(at t: Float) -> SIMD4 {
        let distances = SIMD4(1 + t, t, 1 - t, 2 - t)
        return 1 - distances * distances * 0.25
    }

    /// The cubic B-spline, times 6.
    fileprivate static func spline(at t: Float) -> SIMD4 {
        let s = 1 - t
        let (tt, ss) = (t * t, s * s)
        return SIMD4(ss * s, 4 - 6 * tt + 3 * tt * t, 4 - 6 * ss + 3 * ss * s, tt * t)
    }
}

/// Four consecutive samples.
private struct SampleRow {
    /// The values; 0 where not finite.
    var value = SIMD4<Float>.zero
    /// The reliability of each as a sample of a single surface; 0 where not finite.
    var weight = SIMD4<Float>.zero
    /// The colors, in the end divided by 4σ.
    var red = SIMD4<Float>.zero
    var green = SIMD4<Float>.zero
    var blue = SIMD4<Float>.zero

    init() {}

    init(_ samples: Span<Float>, _ place: Int, _ channels: Span<Float>, _ color: Int, _ stride: Int) {
        let four = samples.four(place)
        let isKnown = four.isFinite
        value = four.replacing(with: 0, where: .!isKnown)
        weight = SIMD4<Float>.zero.replacing(with: 1, where: isKnown)
        red = channels.four(color)
        green = channels.four(color &+ stride)
        blue = channels.four(color &+ 2 &* stride)
    }
}
