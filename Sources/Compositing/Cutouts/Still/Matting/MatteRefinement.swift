internal import DepthCore

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
    /// 5. Twice, α is changed so that its means get closer to the matte's samples.
    ///
    /// Uniform parts of the matte stay uniform, whatever the photo shows. A matte that is not smaller than the photo is only
    /// scaled to its size.
    package func refined() -> Cutout {
        guard matte.width < photo.width, matte.height < photo.height else {
            return replacing(
                pixels: photo.pixels, matte: matte.linear(toWidth: photo.width, height: photo.height))
        }
        let coverage =
            switch photo.pixels {
            case .uint8(let pixels): refinedCoverage(pixels)
            case .uint16(let pixels): refinedCoverage(pixels)
            }
        return replacing(
            pixels: photo.pixels, matte: Matte(width: photo.width, height: photo.height, coverage: coverage))
    }

    private func refinedCoverage<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>(
        _ pixels: [RGB<Sample>]
    ) -> [UInt8] {
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
        for _ in 0..<2 { coverage = adjusted(coverage, by: residuals(coverage)) }
        return coverage
    }

    /// The photo's light at the matte's size, with the matte's coverage as the fourth element.
    func samples() -> [SIMD4<Float>] {
        parallelMapRows(width: matte.width, height: matte.height) { band, output in
            for row in band {
                for column in 0..<matte.width {
                    let place = row * matte.width + column
                    var sample = isEven[place] ? oneLight(column, row) : meanLight(column, row)
                    sample.w = Float(matte.coverage[place]) / 255
                    output[place - band.lowerBound * matte.width] = sample
                }
            }
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
        parallelMapRows(width: matte.width, height: matte.height) { band, output in
            for row in band {
                for column in 0..<matte.width {
                    let place = row * matte.width + column
                    output[place - band.lowerBound * matte.width] =
                        isEven[place]
                        ? 0 : Float(matte.coverage[place]) - mean(coverage, column, row)
                }
            }
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

    private func adjusted(_ coverage: [UInt8], by residuals: [Float]) -> [UInt8] {
        parallelMapRows(width: width, height: height) { band, output in
            for index in output.indices { output[index] = coverage[band.lowerBound * width + index] }
            runs.forEach(in: band) { row, run, kind, _ in
                guard kind == .soft else { return }
                let y = rows[row]
                let above = residuals.span.extracting(droppingFirst: y.first * matte.width)
                let below = residuals.span.extracting(droppingFirst: y.second * matte.width)
                for column in run {
                    let x = columns[column]
                    let upper = above[x.first] + (above[x.second] - above[x.first]) * x.fraction
                    let lower = below[x.first] + (below[x.second] - below[x.first]) * x.fraction
                    let change = upper + (lower - upper) * y.fraction
                    let place = (row - band.lowerBound) * width + column
                    output[place] = UInt8(min(max(Float(output[place]) + change, 0), 255) + 0.5)
                }
            }
        }
    }
}

extension Layers {
    @inline(__always)
    fileprivate func mixed(with other: Layers, _ share: Float) -> Layers {
        Layers(front: front + (other.front - front) * share, back: back + (other.back - back) * share)
    }
}
