/// How much the map changes with the photo's color around each sample. With it, small steps of depth follow the photo.
///
/// Each slope is a regression of the map on color over 5 × 5 samples. The plane through the samples is first subtracted from
/// both map and color, so that slanted surfaces and shading have no effect. The direction in color space follows the
/// covariance (partial least squares, one component). A slope is multiplied by the fraction of the map's variance that color
/// explains (R², the coefficient of determination), so that chance similarities have little effect.
struct ColorSlopes: Sendable {
    /// Rows of three channels, as in ``SampleColors``: the change of the map per unit of color, 0 if color explains nothing.
    let channels: [Float]
    private let stride: Int

    /// The variance of color (range 0…1) that is treated as noise: 2 steps of 255.
    private static var noise: Float { 6e-5 }

    /// Computes slopes where the surrounding samples deviate from a plane by more than the lower bound of `differences`, and
    /// differ by no more than its upper bound.
    init(_ plane: PaddedPlane, _ colors: SampleColors, differences: ClosedRange<Float>) {
        let (stride, height) = (plane.stride, plane.height)
        self.stride = stride
        channels = parallelMapRows(width: 3 * stride, height: height) { rows, output in
            let (samples, channels) = (plane.samples.span, colors.channels.span)
            for row in rows {
                let place = (row - rows.lowerBound) * 3 * stride
                for index in place..<place + 3 * stride { output[index] = 0 }
                // Copies beyond the border would bias a slope, so only complete windows are used.
                guard row >= 4, row < height - 4, stride >= 12 else { continue }
                for start in Swift.stride(from: 4, to: stride - 4, by: 4) {
                    let column = min(start, stride - 8)
                    let window = Window(samples, row * stride + column, stride)
                    guard let eligible = window.lanes(in: differences) else { continue }
                    let slopes = window.slopes(
                        samples, channels, colors.place(row, column), stride, noise: Self.noise)
                    for lane in 0..<4 where eligible[lane] {
                        output[place + column + lane] = slopes.red[lane]
                        output[place + stride + column + lane] = slopes.green[lane]
                        output[place + 2 * stride + column + lane] = slopes.blue[lane]
                    }
                }
            }
        }
    }

    /// The slopes at a sample; the last element is 0.
    @inline(__always)
    func slope(_ row: Int, _ column: Int) -> SIMD4<Float> {
        let place = row &* 3 &* stride &+ column
        return SIMD4(channels[place], channels[place &+ stride], channels[place &+ 2 &* stride], 0)
    }
}

/// The 5 × 5 samples around each of four neighbors.
private struct Window {
    private let place: Int
    private let stride: Int
    private let center: SIMD4<Float>
    private let range: SIMD4<Float>
    /// The largest deviation of two opposite samples and the one between them from a line: 0 in a plane.
    private let bend: SIMD4<Float>

    @inline(__always)
    init(_ samples: Span<Float>, _ place: Int, _ stride: Int) {
        self.place = place
        self.stride = stride
        center = samples.four(place)
        var (low, high, sum) = (center, center, SIMD4<Float>.zero)
        for row in -2...2 {
            for column in -2...2 {
                let four = samples.four(place &+ row &* stride &+ column)
                low = low.lesser(four)
                high = high.greater(four)
                sum += four
            }
        }
        // Becomes `nan` if a sample is not finite.
        range = high - low + (sum - sum)
        var bend = SIMD4<Float>.zero
        for number in 0..<8 {
            // Along the row, the column and both diagonals, one and two samples away.
            let directions = SIMD4(1, stride, stride &+ 1, stride &- 1)
            let step = directions[number & 3] &* (1 &+ number >> 2)
            let twice = samples.four(place &+ step) + samples.four(place &- step) - 2 * center
            bend = bend.greater(twice).greater(-twice)
        }
        self.bend = bend
    }

    /// The windows with a larger bend than the lower bound and differences up to the upper; `nil` if not found.
    @inline(__always)
    func lanes(in differences: ClosedRange<Float>) -> SIMDMask<SIMD4<Int32>>? {
        let lanes = (bend .> differences.lowerBound) .& (range .<= differences.upperBound)
        return lanes == SIMDMask(repeating: false) ? nil : lanes
    }

    /// Sums over the windows, of values relative to the center.
    private struct Moments {
        var sum = SIMD4<Float>.zero
        /// Sums of values times column and times row, −2…2.
        var across = SIMD4<Float>.zero
        var down = SIMD4<Float>.zero

        @inline(__always)
        mutating func add(_ value: SIMD4<Float>, _ column: Float, _ row: Float) {
            sum += value
            across += value * column
            down += value * row
        }

        /// A sum of products after subtracting the planes through both factors.
        @inline(__always)
        func rest(_ products: SIMD4<Float>, _ other: Moments) -> SIMD4<Float> {
            products - sum * other.sum / 25 - (across * other.across + down * other.down) / 50
        }
    }

    /// Moments and products of the map and its colors in a window.
    private struct Sums {
        var (value, red, green, blue) = (Moments(), Moments(), Moments(), Moments())
        /// Products of the map with itself and with each channel.
        var (vv, vr, vg, vb) = (
            SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero
        )
        /// Products of each channel with itself and the others.
        var (rr, gg, bb) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
        var (rg, rb, gb) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)

        @inline(__always)
        mutating func add(
            _ v: SIMD4<Float>, red r: SIMD4<Float>, green g: SIMD4<Float>, blue b: SIMD4<Float>, _ x: Float,
            _ y: Float
        ) {
            value.add(v, x, y)
            red.add(r, x, y)
            green.add(g, x, y)
            blue.add(b, x, y)
            vv += v * v
            vr += v * r
            vg += v * g
            vb += v * b
            rr += r * r
            gg += g * g
            bb += b * b
            rg += r * g
            rb += r * b
            gb += g * b
        }
    }

    @inline(__always)
    func slopes(
        _ samples: Span<Float>, _ channels: Span<Float>, _ color: Int, _ stride: Int, noise: Float
    ) -> (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>) {
        let (r0, g0) = (channels.four(color), channels.four(color &+ stride))
        let b0 = channels.four(color &+ 2 &* stride)
        var sums = Sums()
        for row in -2...2 {
            for column in -2...2 {
                let at = color &+ 3 &* row &* stride &+ column
                sums.add(
                    samples.four(place &+ row &* stride &+ column) - center, red: channels.four(at) - r0,
                    green: channels.four(at &+ stride) - g0, blue: channels.four(at &+ 2 &* stride) - b0,
                    Float(column), Float(row))
            }
        }
        let (value, red, green, blue) = (sums.value, sums.red, sums.green, sums.blue)
        let variance = value.rest(sums.vv, value)
        let (cr, cg) = (value.rest(sums.vr, red), value.rest(sums.vg, green))
        let cb = value.rest(sums.vb, blue)
        let length = cr * cr + cg * cg + cb * cb
        // The variance of color along the covariance, times its squared length.
        let (rr, gg) = (red.rest(sums.rr, red), green.rest(sums.gg, green))
        let bb = blue.rest(sums.bb, blue)
        let (rg, rb) = (red.rest(sums.rg, green), red.rest(sums.rb, blue))
        let gb = green.rest(sums.gb, blue)
        let diagonal = cr * cr * rr + cg * cg * gg + cb * cb * bb
        let mixed = cr * cg * rg + cr * cb * rb + cg * cb * gb
        let along = diagonal + 2 * mixed + length * (25 * noise)
        let explained = length * length / (along * variance)
        var share = ((explained - 0.25) * 3).lesser(SIMD4(repeating: 1)).greater(.zero)
        share = share * share * (3 - 2 * share)
        var factor = length / along * share
        factor = factor.replacing(with: 0, where: (factor - factor) .!= 0)
        return (cr * factor, cg * factor, cb * factor)
    }
}
