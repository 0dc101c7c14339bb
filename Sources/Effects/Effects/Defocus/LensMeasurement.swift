package import DepthMaps
internal import DepthTypes

extension RenderedLens {
    /// Pixels of the longer side of the pictures that are compared.
    package static var comparedSide: Int { 640 }

    /// Measures the lens of a rendered blur by comparing it with the sharp original.
    ///
    /// For each of 32 steps of disparity, the original is blurred by discs of many radii. The lens is the one whose radii
    /// leave the least squared difference of gradients, over all steps. Gradients, because the camera may have changed the
    /// brightness of what it rendered.
    ///
    /// The pictures and the map show the same view, at any size; unknown disparities are not used. `nil` unless the
    /// rendering is blurred and the lens explains it: in the steps that it blurs, at least two thirds of the difference of
    /// the pictures. If nothing is blurred on one side of the focus, the sharp range extends to the end of the scene.
    package init?(of rendering: ColorImage, original: ColorImage, disparity: DisparityMap) {
        let size = PixelSize(width: original.width, height: original.height).within(Self.comparedSide)
        guard min(size.width, size.height) >= 64, rendering.width > 0, rendering.height > 0,
            let steps = DisparitySteps(disparity, size)
        else { return nil }
        let (sharp, blurred) = (LightPlane(original, size), LightPlane(rendering, size))
        let errors = BlurErrors(from: sharp, to: blurred, steps)
        guard let lens = errors.lens,
            let result = lens.lens(in: steps, longerSide: max(size.width, size.height))
        else { return nil }
        self = result
    }
}

/// The steps of disparity that pixels belong to.
private struct DisparitySteps: Sendable {
    static let count = 32
    /// The step of each pixel; `count` for pixels that are not compared.
    let indices: [UInt8]
    /// The pixels of each step.
    let pixelCounts: [Int]
    /// The disparity where the first step begins.
    let start: Float
    /// The disparities in a step.
    let length: Float

    /// How far around a pixel, in pixels, disparity must be nearly constant: elsewhere blur mixes different radii.
    private static let reach = 3
    /// How much it may change there, in steps.
    private static let greatestChange: Float = 3

    /// `nil` if disparity is constant or unknown.
    init?(_ map: DisparityMap, _ size: PixelSize) {
        let map = map.resampled(toWidth: size.width, height: size.height, by: .nearest)
        guard let ends = map.percentiles([0.005, 0.995]), ends[1] > ends[0] else { return nil }
        let (start, length) = (ends[0], (ends[1] - ends[0]) / Float(Self.count))
        (self.start, self.length) = (start, length)
        let samples = map.reciprocalMeters
        indices = parallelMapRows(width: size.width, height: size.height) { rows, output in
            for row in rows {
                for column in 0..<size.width {
                    let sample = samples[row * size.width + column]
                    let place = (sample - start) / length
                    var isUsed = place >= 0 && place <= Float(Self.count)
                    for (x, y) in [(-1, 0), (1, 0), (0, -1), (0, 1)] where isUsed {
                        let x = min(max(column + x * Self.reach, 0), size.width - 1)
                        let y = min(max(row + y * Self.reach, 0), size.height - 1)
                        isUsed = abs(samples[y * size.width + x] - sample) <= Self.greatestChange * length
                    }
                    output[(row - rows.lowerBound) * size.width + column] =
                        isUsed ? UInt8(min(Int(place), Self.count - 1)) : UInt8(Self.count)
                }
            }
        }
        var pixelCounts = [Int](repeating: 0, count: Self.count + 1)
        for index in indices { pixelCounts[Int(index)] += 1 }
        self.pixelCounts = pixelCounts
    }

    /// The disparity at a position in steps.
    func disparity(at place: Float) -> Float { start + place * length }
}

/// The mean of red, green and blue light, for each pixel.
private struct LightPlane: Sendable {
    let width: Int
    let height: Int
    let light: [Float]

    private init(width: Int, height: Int, light: [Float]) {
        (self.width, self.height, self.light) = (width, height, light)
    }

    init(_ image: ColorImage, _ size: PixelSize) {
        let tones = TransferFunctionTable<UInt8>(.sRGB)
        let pixels = image.averaged(toWidth: size.width, height: size.height)
        self.init(
            width: size.width, height: size.height,
            light: pixels.map { tones.light(of: $0).sum() * (1 / 3) })
    }

    /// The plane blurred by a disc. Beyond its edges, the nearest pixel continues.
    func blurred(radius: Float) -> LightPlane {
        let kernel = DiscKernel(radius: Double(radius))
        let reach = kernel.reach
        let stride = width + 2 * reach + 3
        var sums = [Float](repeating: 0, count: stride * height)
        for row in 0..<height {
            var sum: Float = 0
            for place in 0..<stride - 1 {
                sum += light[row * width + min(max(place - reach - 1, 0), width - 1)]
                sums[row * stride + place + 1] = sum
            }
        }
        var output = [Float](repeating: 0, count: light.count)
        for row in 0..<height {
            for (offset, part) in kernel.rows.enumerated() {
                let start = min(max(row + offset - reach, 0), height - 1) * stride + reach + 1
                let (left, right) = (start + part.left, start + part.right)
                for column in 0..<width {
                    let (a, b) = (sums[left + column], sums[right + column])
                    let before = a + (sums[left + column + 1] - a) * part.leftShare
                    output[row * width + column] +=
                        b + (sums[right + column + 1] - b) * part.rightShare - before
                }
            }
        }
        return LightPlane(width: width, height: height, light: output.map { $0 / kernel.area })
    }

    /// The sum of the squared differences of the gradients of two planes, for each step.
    func errors(of other: LightPlane, in steps: DisparitySteps) -> SIMD32<Float> {
        var sums = [Double](repeating: 0, count: DisparitySteps.count + 1)
        for row in 0..<height - 1 {
            for place in row * width..<(row + 1) * width - 1 {
                let difference = light[place] - other.light[place]
                let across = light[place + 1] - other.light[place + 1] - difference
                let down = light[place + width] - other.light[place + width] - difference
                sums[Int(steps.indices[place])] += Double(across * across + down * down)
            }
        }
        return SIMD32(sums.dropLast().map { Float($0) })
    }

    /// The same size, without light.
    var black: LightPlane {
        LightPlane(width: width, height: height, light: [Float](repeating: 0, count: light.count))
    }
}

/// How much a rendering differs from its original, blurred by discs of equally spaced radii, in each step of disparity.
private struct BlurErrors: Sendable {
    /// For each step that is compared, the sum of squared differences at radii 0, 1/``density``, ….
    private let curves: [(step: Float, errors: [Float])]

    /// Radii per pixel.
    private static let density = 4
    /// The widest disc, in pixels: 3 % of the longer side, as ``SyntheticAperture/maximumRadius(width:height:)``.
    private static let greatestRadius: Float = 19

    init(from original: LightPlane, to rendering: LightPlane, _ steps: DisparitySteps) {
        var radii: [Float] = [0, 0.4, 0.6, 0.8]
        while let last = radii.last, last < Self.greatestRadius { radii.append(last * 1.25) }
        let errors: [SIMD32<Float>] = parallelMapRows(width: 1, height: radii.count, minimum: 1) {
            [radii] places, output in
            for place in places {
                let disc = place == 0 ? original : original.blurred(radius: radii[place])
                output[place - places.lowerBound] = disc.errors(of: rendering, in: steps)
            }
        }
        let textures = original.errors(of: original.black, in: steps)
        let compared = steps.pixelCounts.dropLast().reduce(0, +)
        curves = (0..<DisparitySteps.count).compactMap { step in
            let errors = errors.map { $0[step] }
            // Steps that no disc explains, and those with few pixels, are noise.
            guard steps.pixelCounts[step] * 1000 >= compared, let least = errors.min(),
                least < 0.6 * textures[step]
            else { return nil }
            return (Float(step) + 0.5, Self.resampled(errors, at: radii))
        }
    }

    /// Errors at equally spaced radii.
    private static func resampled(_ errors: [Float], at radii: [Float]) -> [Float] {
        var upper = 1
        return (0...Int(greatestRadius) * density).map { index in
            let radius = Float(index) / Float(density)
            while upper < radii.count - 1, radii[upper] < radius { upper += 1 }
            let fraction = (radius - radii[upper - 1]) / (radii[upper] - radii[upper - 1])
            return errors[upper - 1] + (errors[upper] - errors[upper - 1]) * fraction
        }
    }

    private static func error(_ errors: [Float], at radius: Float) -> Float {
        let place = min(radius * Float(density), Float(errors.count - 1))
        let index = min(Int(place), errors.count - 2)
        return errors[index] + (errors[index + 1] - errors[index]) * (place - Float(index))
    }

    private func error(of lens: SteppedLens) -> Float {
        curves.reduce(0) { $0 + Self.error($1.errors, at: lens.radius(at: $1.step)) }
    }

    /// The best lens; `nil` unless it is convincing.
    var lens: SteppedLens? {
        guard var best = coarseLens else { return nil }
        var (least, change) = (error(of: best), Float(0.5))
        while change > 0.02 {
            let candidates = best.neighbors(change).map { RatedLens(lens: $0, error: error(of: $0)) }
            if let better = candidates.min(by: { $0.error < $1.error }), better.error < least {
                (best, least) = (better.lens, better.error)
            } else {
                change /= 2
            }
        }
        return isConvincing(best) ? best.withoutUnseenEnds(curves.map(\.step)) : nil
    }

    /// The best lens of a coarse grid.
    private var coarseLens: SteppedLens? {
        let edges = Array(stride(from: Float(-1), through: Float(DisparitySteps.count) + 1, by: 1))
        // From 1 to 60 pixels over the scene.
        let slopes = stride(from: Float(0), to: 24, by: 1).map {
            Float(Math.power(60, $0 / 23)) / Float(DisparitySteps.count)
        }
        let best: [RatedLens] = parallelMapRows(width: 1, height: edges.count, minimum: 1) { places, output in
            for place in places {
                var best = RatedLens(lens: SteppedLens(far: 0, near: 0, slope: 1), error: .infinity)
                for near in edges[place...] {
                    for slope in slopes {
                        let lens = SteppedLens(far: edges[place], near: near, slope: slope)
                        let error = error(of: lens)
                        if error < best.error { best = RatedLens(lens: lens, error: error) }
                    }
                }
                output[place - places.lowerBound] = best
            }
        }
        return best.min { $0.error < $1.error }?.lens
    }

    /// Whether several steps are blurred, and the lens explains two thirds of what has changed there.
    private func isConvincing(_ lens: SteppedLens) -> Bool {
        let blurred = curves.filter { lens.radius(at: $0.step) > 1 }
        guard blurred.count >= 3 else { return false }
        let before = blurred.reduce(0) { $0 + $1.errors[0] }
        let after = blurred.reduce(0) { $0 + Self.error($1.errors, at: lens.radius(at: $1.step)) }
        return after * 3 <= before
    }
}

/// A lens, and how much of the difference of the pictures it leaves.
private struct RatedLens: BitwiseCopyable, Sendable {
    let lens: SteppedLens
    let error: Float
}

/// A lens in steps of disparity, and pixels of the compared pictures.
private struct SteppedLens: BitwiseCopyable, Sendable {
    /// The end of the sharp range that is farther from the camera.
    var far: Float
    var near: Float
    /// Pixels of radius per step.
    var slope: Float

    func radius(at step: Float) -> Float { slope * max(far - step, step - near, 0) }

    /// Lenses with an edge of the sharp range moved by `change` steps, or another slope.
    func neighbors(_ change: Float) -> [SteppedLens] {
        var lenses: [SteppedLens] = []
        for (far, near) in [(0, 0), (-change, 0), (change, 0), (0, -change), (0, change)] {
            for factor in [1 - change / 4, 1, 1 + change / 4] {
                let lens = SteppedLens(far: self.far + far, near: self.near + near, slope: slope * factor)
                if lens.near >= lens.far { lenses.append(lens) }
            }
        }
        return lenses
    }

    /// The lens with its sharp range extended to the end of the scene on a side where no step is blurred.
    func withoutUnseenEnds(_ steps: [Float]) -> SteppedLens {
        var lens = self
        if !steps.contains(where: { $0 < far }) { lens.far = min(far, 0) }
        if !steps.contains(where: { $0 > near }) { lens.near = max(near, Float(DisparitySteps.count)) }
        return lens
    }

    func lens(in steps: DisparitySteps, longerSide: Int) -> RenderedLens? {
        RenderedLens(
            sharp: steps.disparity(at: far)...steps.disparity(at: near),
            radiusPerDisparity: slope / steps.length / Float(longerSide))
    }
}
