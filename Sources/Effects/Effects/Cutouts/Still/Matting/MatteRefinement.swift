internal import DepthMaps

extension Cutout {
    /// The cutout with a matte of the photo's size, whose soft parts follow the photo.
    ///
    /// 1. Background that the matte assigns to the subject is removed, where the matte's edge is outside of the photo's
    ///    (``MatteEdges``).
    /// 2. The matte is stretched between a black and a white point, if the colors of the photo show that it is too soft: see
    ///    the module's README.
    /// 3. At that size foreground F and background B are separated, as by ``decontaminated()``.
    /// 4. At the photo's size each pixel in the soft band gets the position of its light I between F and B,
    ///    `α = ((I − B)·(F − B) + λ α₀) / (|F − B|² + λ)`, α₀ linear between the matte's samples, λ 3/1000 of the light plus
    ///    twice the variance of the colors of both layers nearby. If texture or noise varies as much as the layers differ, α
    ///    stays near α₀.
    /// 5. Where the means of α differ from the matte's samples as much as those vary from sample to sample, the differences are
    ///    the photo's texture and noise, and α is drawn to α₀.
    /// 6. Twice, α is changed so that its means get closer to the matte's samples.
    ///
    /// Uniform parts of the matte stay uniform, whatever the photo shows. A matte that is not smaller than the photo is only
    /// scaled to its size.
    package func refined() -> Cutout {
        guard matte.width < photo.width, matte.height < photo.height else {
            return replacing(
                pixels: photo.pixels, matte: matte.linear(toWidth: photo.width, height: photo.height))
        }
        let coverage = photo.pixels.apply(refinedCoverage, refinedCoverage)
        return replacing(
            pixels: photo.pixels, matte: Matte(width: photo.width, height: photo.height, coverage: coverage))
    }

    private func refinedCoverage<Sample>(_ pixels: [RGB<Sample>]) -> [UInt8] {
        var samples = MatteRefinement(matte, photo, pixels, curve).samples()
        let matte = MatteEdges(samples, width: matte.width, height: matte.height).corrected(matte)
        for index in samples.indices { samples[index].w = Float(matte.coverage[index]) / 255 }
        let colors = KnownColorModel(samples, width: matte.width, height: matte.height)
        let levels = MatteLevels(samples, colors, width: matte.width, height: matte.height)
        return MatteRefinement(levels.applied(to: matte).removingCodingNoise(), photo, pixels, curve).refined(
            consume samples, colors)
    }
}

/// The kernel of refinement.
private struct MatteRefinement<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    private let matte: Matte
    private let isEven: [Bool]
    private let pixels: [RGB<Sample>]
    private let width: Int
    private let height: Int
    private let light: TransferFunctionTable<Sample>
    private let runs: AlphaSpans
    private let columns: [InterpolationTap]
    private let rows: [InterpolationTap]
    /// The first pixel of each sample, and the end.
    private let columnStarts: [Int]
    private let rowStarts: [Int]

    init(_ matte: Matte, _ photo: ColorImage, _ pixels: [RGB<Sample>], _ curve: TransferFunction) {
        self.matte = matte
        self.pixels = pixels
        (width, height) = (photo.width, photo.height)
        isEven = matte.evenSamples
        light = TransferFunctionTable(curve)
        runs = AlphaSpans(matte, width: photo.width, height: photo.height)
        columns = InterpolationTap.taps(of: photo.width, in: matte.width)
        rows = InterpolationTap.taps(of: photo.height, in: matte.height)
        columnStarts = (0...matte.width).map { $0 * photo.width / matte.width }
        rowStarts = (0...matte.height).map { $0 * photo.height / matte.height }
    }

    /// `samples` are the photo's samples, with any coverage.
    func refined(_ samples: consuming [SIMD4<Float>], _ colors: KnownColorModel) -> [UInt8] {
        for index in samples.indices { samples[index].w = Float(matte.coverage[index]) / 255 }
        // Consumes the samples: they are large, and not needed at the photo's full size.
        let level = CoarseLevel(width: matte.width, height: matte.height, samples: consume samples)
            .separatedFromTop()
        let linear = matte.linear(toWidth: width, height: height).coverage
        var coverage = projected(level, colors, linear)
        let trust = trust(residuals(coverage))
        coverage = changed(coverage, by: trust) { index, code, trust in
            let linear = Float(linear[index])
            return linear + (code - linear) * trust
        }
        for _ in 0..<2 {
            coverage = changed(coverage, by: residuals(coverage)) { _, code, change in code + change }
        }
        return coverage
    }

    /// The photo's light at the matte's size, with the matte's coverage as the fourth element.
    func samples() -> [SIMD4<Float>] {
        parallelPixels(width: matte.width, height: matte.height) { column, row in
            let place = row * matte.width + column
            var sample = isEven[place] ? oneLight(column, row) : meanLight(column, row)
            sample.w = Float(matte.coverage[place]) / 255
            return sample
        }
    }

    private func oneLight(_ column: Int, _ row: Int) -> SIMD4<Float> {
        light.light(of: pixels[rowStarts[row] * width + columnStarts[column]])
    }

    private func meanLight(_ column: Int, _ row: Int) -> SIMD4<Float> {
        var sum = SIMD4<Float>.zero
        let (xs, ys) = (block(columnStarts, column), block(rowStarts, row))
        for y in ys {
            for x in xs { sum += light.light(of: pixels[y * width + x]) }
        }
        return sum / Float(xs.count * ys.count)
    }

    private func block(_ starts: [Int], _ index: Int) -> Range<Int> { starts[index]..<starts[index + 1] }

    /// Projects each soft pixel's linear color onto the line from background (B) to foreground (F). The result is alpha,
    /// 0…255.
    private func projected(
        _ level: SeparatedLevel, _ colors: KnownColorModel, _ linear: [UInt8]
    ) -> [UInt8] {
        parallelMapRows(width: width, height: height) { band, output in
            for index in output.indices { output[index] = linear[band.lowerBound * width + index] }
            runs.forEach(in: band) { row, run, coverage, alphas in
                guard coverage == .soft else { return }
                for column in run {
                    let alpha = projection(level, colors, column, row, alphas[column - run.lowerBound])
                    output[(row - band.lowerBound) * width + column] = UInt8(alpha * 255 + 0.5)
                }
            }
        }
    }

    @inline(__always)
    private func projection(
        _ level: SeparatedLevel, _ colors: KnownColorModel, _ column: Int, _ row: Int, _ linear: Float
    ) -> Float {
        let layers = layers(level, column, row)
        let difference = layers.front - layers.back
        let position = light.light(of: pixels[row * width + column]) - layers.back
        let variance = colors.variance(
            ofCoverage: linear, column: column * matte.width / width, row: row * matte.height / height)
        let square = (difference * difference).sum()
        let weight = (layers.front + layers.back).sum() * 1.5e-3 + 2 * variance + 1e-6
        let alpha = ((position * difference).sum() + weight * linear) / (square + weight)
        return min(max(alpha, 0), 1)
    }

    @inline(__always)
    private func layers(_ level: SeparatedLevel, _ column: Int, _ row: Int) -> Layers {
        let (x, y) = (columns[column], rows[row])
        let upper = level.layers(x.first, y.first).mixed(with: level.layers(x.second, y.first), x.fraction)
        let lower = level.layers(x.first, y.second).mixed(with: level.layers(x.second, y.second), x.fraction)
        return upper.mixed(with: lower, y.fraction)
    }

    /// How much each sample of the matte exceeds the mean of its pixels.
    private func residuals(_ coverage: [UInt8]) -> [Float] {
        parallelPixels(width: matte.width, height: matte.height) { column, row in
            let place = row * matte.width + column
            return isEven[place] ? 0 : Float(matte.coverage[place]) - mean(coverage, column, row)
        }
    }

    private func mean(_ coverage: [UInt8], _ column: Int, _ row: Int) -> Float {
        let (xs, ys) = (block(columnStarts, column), block(rowStarts, row))
        var sum = 0
        for y in ys {
            for x in xs { sum += Int(coverage[y * width + x]) }
        }
        return Float(sum) / Float(xs.count * ys.count)
    }

    /// How much the photo is trusted at each sample of the matte, 0…1: `v² / (v² + (0.75 r²)²)`, with the variance v of the
    /// matte's 3 × 3 samples around it, and the mean r² of the squared residuals of 5 × 5.
    private func trust(_ residuals: [Float]) -> [Float] {
        parallelPixels(width: matte.width, height: matte.height) { column, row in
            guard !isEven[row * matte.width + column] else { return 0 }
            let around = Moments(of: matte, within: 1, column, row) { Float(matte.coverage[$0]) }
            let residual = Moments(of: matte, within: 2, column, row) { residuals[$0] }
            let (variance, doubt) = (around.variance, 0.75 * residual.meanSquare)
            let square = variance * variance
            return square > 0 ? square / (square + doubt * doubt) : 0
        }
    }

    /// Coverage whose soft pixels are replaced by `change`, which gets the index of the pixel, its coverage, and a value
    /// that is linear between those of the matte's samples.
    private func changed(
        _ coverage: [UInt8], by values: [Float],
        _ change: @Sendable (_ index: Int, _ code: Float, _ value: Float) -> Float
    ) -> [UInt8] {
        parallelMapRows(width: width, height: height) { band, output in
            for index in output.indices { output[index] = coverage[band.lowerBound * width + index] }
            runs.forEach(in: band) { row, run, kind, _ in
                guard kind == .soft else { return }
                for column in run {
                    let place = (row - band.lowerBound) * width + column
                    let value = values.between(columns[column], rows[row], width: matte.width)
                    let code = change(row * width + column, Float(output[place]), value)
                    output[place] = UInt8(min(max(code, 0), 255) + 0.5)
                }
            }
        }
    }
}

/// The means of values, and of their squares, around a sample of a matte.
private struct Moments {
    private var mean: Float = 0
    private(set) var meanSquare: Float = 0

    @inline(__always)
    init(of matte: Matte, within reach: Int, _ column: Int, _ row: Int, _ value: (Int) -> Float) {
        let columns = max(column - reach, 0)...min(column + reach, matte.width - 1)
        let rows = max(row - reach, 0)...min(row + reach, matte.height - 1)
        for y in rows {
            for x in columns {
                let value = value(y * matte.width + x)
                mean += value
                meanSquare += value * value
            }
        }
        let count = Float(columns.count * rows.count)
        mean /= count
        meanSquare /= count
    }

    var variance: Float { max(meanSquare - mean * mean, 0) }
}

extension Layers {
    @inline(__always)
    fileprivate func mixed(with other: Layers, _ share: Float) -> Layers {
        Layers(front: front + (other.front - front) * share, back: back + (other.back - back) * share)
    }
}
