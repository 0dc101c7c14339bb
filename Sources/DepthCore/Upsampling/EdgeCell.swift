/// A cell's 4 × 4 samples and their colors, prepared to vote for four pixels at once. Cells reuse the same memory.
struct EdgeCell {
    /// For each sample: its value (0 if not finite), its reliability as a sample of a single surface (0 if not finite), and
    /// its red, green and blue, divided by 4σ.
    ///
    /// Each number is stored four times, once per pixel: broadcasting it for each vote would cost more time than the
    /// vote.
    private var numbers = [SIMD4<Float>](repeating: .zero, count: 5 * 16)
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
        let first = SampleRow(samples, place, channels, colors.place(row, column), stride)
        let second = SampleRow(
            samples, place &+ stride, channels, colors.place(row &+ 1, column), stride)
        let third = SampleRow(
            samples, place &+ 2 &* stride, channels, colors.place(row &+ 2, column), stride)
        let fourth = SampleRow(
            samples, place &+ 3 &* stride, channels, colors.place(row &+ 3, column), stride)
        low = first.low.lesser(second.low).lesser(third.low.lesser(fourth.low)).min()
        high = first.high.greater(second.high).greater(third.high.greater(fourth.high)).max()
        isKnown = (first.known + second.known + (third.known + fourth.known)).sum() == 16
        isEvenInside = isKnown && corners.max() - corners.min() <= jump
        let variance =
            Self.variance(first.red, second.red, third.red, fourth.red)
            + Self.variance(first.green, second.green, third.green, fourth.green)
            + Self.variance(first.blue, second.blue, third.blue, fourth.blue)
        colorScale = 0.25 / (Self.noise + variance * 0.25).squareRoot()
        let deviation = (high - low) * 0.2
        valueScale = deviation > 1e-15 ? 0.25 / deviation : 0
        edgeShare = jump > 0 ? min(max((high - low) / jump - 1, 0), 1) : 1
        // A sample halfway between two surfaces has weight 1/17.
        let scale: Float = takesSides && high > low ? 8 / (high - low) : 0
        put(first, at: 0, mixing.four(place) * scale)
        put(second, at: 20, mixing.four(place &+ stride) * scale)
        put(third, at: 40, mixing.four(place &+ 2 &* stride) * scale)
        put(fourth, at: 60, mixing.four(place &+ 3 &* stride) * scale)
    }

    @inline(__always)
    private mutating func put(_ row: SampleRow, at start: Int, _ mixing: SIMD4<Float>) {
        let weight = row.known / (1 + mixing * mixing)
        let (red, green) = (row.red * colorScale, row.green * colorScale)
        let blue = row.blue * colorScale
        var numbers = numbers.mutableSpan
        for lane in 0..<4 {
            let index = start + 5 * lane
            numbers[index] = SIMD4(repeating: row.value[lane])
            numbers[index + 1] = SIMD4(repeating: weight[lane])
            numbers[index + 2] = SIMD4(repeating: red[lane])
            numbers[index + 3] = SIMD4(repeating: green[lane])
            numbers[index + 4] = SIMD4(repeating: blue[lane])
        }
    }

    private static func variance(
        _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>
    ) -> Float {
        let mean = (a + b + c + d).sum() / 16
        let (a, b, c, d) = (a - mean, b - mean, c - mean, d - mean)
        return (a * a + b * b + (c * c + d * d)).sum() / 16
    }

    /// Whether the corners are on one surface and all four pixels look like the colors between them, within half of σ, so
    /// that no vote is needed. In half of all cells at edges, the edge is outside the central square.
    @inline(__always)
    func isSettled(_ pixels: FourPixels) -> Bool {
        guard isEvenInside else { return false }
        @inline(__always)
        func difference(_ channel: Int, _ seen: SIMD4<Float>) -> SIMD4<Float> {
            let numbers = numbers.span
            // The corners are samples 5, 6, 9 and 10.
            let (a, b) = (numbers[25 &+ channel], numbers[30 &+ channel])
            let (c, d) = (numbers[45 &+ channel], numbers[50 &+ channel])
            let (upper, lower) = (a + (b - a) * pixels.x, c + (d - c) * pixels.x)
            let difference = upper + (lower - upper) * pixels.y - seen * colorScale
            return difference * difference
        }
        let distance = difference(2, pixels.red) + difference(3, pixels.green) + difference(4, pixels.blue)
        return all(distance .< 0.0625)
    }

    /// The values of four pixels, never outside the range of the finite samples. If sums of huge values overflow, the nearest
    /// sample.
    @inline(__always)
    func values(_ pixels: FourPixels) -> SIMD4<Float> {
        let (x, y) = (pixels.x, pixels.y)
        let upper = SIMD4(repeating: corners.x).replacing(with: corners.y, where: x .>= 0.5)
        let lower = SIMD4(repeating: corners.z).replacing(with: corners.w, where: x .>= 0.5)
        let nearest = upper.replacing(with: lower, where: y .>= 0.5)
        var value = vote(
            pixels.red * colorScale, pixels.green * colorScale, pixels.blue * colorScale, x, y)
        if takesSides { value = settled(value, x, y) }
        if edgeShare < 1 {
            let smooth = isKnown ? pixels.smooth : interpolated(x, y)
            value = smooth + (value - smooth) * edgeShare
        }
        value = value.replacing(with: nearest, where: value .!= value)
        value = value.lesser(SIMD4(repeating: high)).greater(SIMD4(repeating: low))
        return nearest.replacing(with: value, where: nearest.isFinite)
    }

    /// Bilinear, without non-finite samples.
    private func interpolated(_ x: SIMD4<Float>, _ y: SIMD4<Float>) -> SIMD4<Float> {
        let known = corners.isFinite
        let values = corners.replacing(with: 0, where: .!known)
        let weights = SIMD4<Float>.zero.replacing(with: 1, where: known)
        let (left, top) = (1 - x, 1 - y)
        let (a, b) = (left * top * weights.x, x * top * weights.y)
        let (c, d) = (left * y * weights.z, x * y * weights.w)
        return (a * values.x + b * values.y + (c * values.z + d * values.w)) / (a + b + (c + d))
    }

    /// For the vote, the weights along one axis are 1 − (distance/2)²; the rest is color similarity.
    @inline(__always)
    private func vote(
        _ red: SIMD4<Float>, _ green: SIMD4<Float>, _ blue: SIMD4<Float>, _ x: SIMD4<Float>,
        _ y: SIMD4<Float>
    ) -> SIMD4<Float> {
        mean(FourWeights(voteAt: x), FourWeights(voteAt: y)) { numbers, index in
            let (dr, dg) = (red - numbers[index &+ 2], green - numbers[index &+ 3])
            let db = blue - numbers[index &+ 4]
            return (dr * dr + dg * dg + db * db).decay
        }
    }

    /// The mean of the surrounding samples with values close to the outcome of a vote, weighted by the cubic B-spline of
    /// their distance.
    @inline(__always)
    private func settled(_ outcome: SIMD4<Float>, _ x: SIMD4<Float>, _ y: SIMD4<Float>) -> SIMD4<Float> {
        mean(FourWeights(splineAt: x), FourWeights(splineAt: y)) { numbers, index in
            let difference = (outcome - numbers[index]) * valueScale
            return (difference * difference).decay
        }
    }

    /// The mean of the samples, weighted by columns, rows, reliability and `likeness`.
    @inline(__always)
    private func mean(
        _ columns: FourWeights, _ rows: FourWeights,
        _ likeness: (_ numbers: Span<SIMD4<Float>>, _ index: Int) -> SIMD4<Float>
    ) -> SIMD4<Float> {
        let numbers = numbers.span
        precondition(numbers.count == 5 * 16)
        var (sum, total) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        @inline(__always)
        func add(_ start: Int, _ row: SIMD4<Float>) {
            @inline(__always)
            func weight(_ index: Int, _ column: SIMD4<Float>) -> SIMD4<Float> {
                column * numbers[index &+ 1] * likeness(numbers, index)
            }
            let a = weight(start, columns.first)
            let b = weight(start &+ 5, columns.second)
            let c = weight(start &+ 10, columns.third)
            let d = weight(start &+ 15, columns.fourth)
            total += row * (a + b + (c + d))
            let left = a * numbers[start] + b * numbers[start &+ 5]
            let right = c * numbers[start &+ 10] + d * numbers[start &+ 15]
            sum += row * (left + right)
        }
        add(0, rows.first)
        add(20, rows.second)
        add(40, rows.third)
        add(60, rows.fourth)
        return sum / total
    }
}

/// The weights of four samples along an axis, for four pixels each.
private struct FourWeights {
    let first: SIMD4<Float>
    let second: SIMD4<Float>
    let third: SIMD4<Float>
    let fourth: SIMD4<Float>

    /// 1 − (distance/2)²; `t` is the position between the second and third sample.
    @inline(__always)
    init(voteAt t: SIMD4<Float>) {
        let (a, c, d) = (1 + t, 1 - t, 2 - t)
        first = 1 - a * a * 0.25
        second = 1 - t * t * 0.25
        third = 1 - c * c * 0.25
        fourth = 1 - d * d * 0.25
    }

    /// The cubic B-spline, times 6.
    @inline(__always)
    init(splineAt t: SIMD4<Float>) {
        let s = 1 - t
        let (tt, ss) = (t * t, s * s)
        first = ss * s
        second = 4 - 6 * tt + 3 * tt * t
        third = 4 - 6 * ss + 3 * ss * s
        fourth = tt * t
    }
}

/// Four consecutive samples.
private struct SampleRow {
    /// The values; 0 where not finite.
    let value: SIMD4<Float>
    /// 1 where finite, else 0.
    let known: SIMD4<Float>
    let red: SIMD4<Float>
    let green: SIMD4<Float>
    let blue: SIMD4<Float>

    @inline(__always)
    init(_ samples: Span<Float>, _ place: Int, _ channels: Span<Float>, _ color: Int, _ stride: Int) {
        let four = samples.four(place)
        let isKnown = four.isFinite
        value = four.replacing(with: 0, where: .!isKnown)
        known = SIMD4<Float>.zero.replacing(with: 1, where: isKnown)
        red = channels.four(color)
        green = channels.four(color &+ stride)
        blue = channels.four(color &+ 2 &* stride)
    }

    @inline(__always) var low: SIMD4<Float> { value.replacing(with: .infinity, where: known .== 0) }
    @inline(__always) var high: SIMD4<Float> { value.replacing(with: -.infinity, where: known .== 0) }
}
