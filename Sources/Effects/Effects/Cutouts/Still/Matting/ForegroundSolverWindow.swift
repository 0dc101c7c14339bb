/// A part of a level that is solved separately.
///
/// The part is surrounded by a margin as wide as the influence of a pixel in the iterations made, so that results do not
/// depend on how a level is cut into windows.
struct ForegroundSolverWindow {
    private var originX = 0
    private var originY = 0
    private var stride = 0
    private var alphas: [Float] = []
    private var layers: [Layers] = []
    /// Pixels with x + y even, and odd: neighbors of even pixels are odd and vice versa, so the order within each set does
    /// not matter.
    private var even: [SoftPixel] = []
    private var odd: [SoftPixel] = []

    /// Iterations at levels of more than 32 pixels.
    static var usualIterations: Int { 4 }

    /// ε of the regularization.
    private static var regularization: Float { 1e-5 }

    /// A soft pixel's equation, which is constant over the iterations.
    private struct SoftPixel: BitwiseCopyable {
        let index: Int
        /// Weights of the neighbors on the left, on the right, above and below.
        let frontWeights: SIMD4<Float>
        let backWeights: SIMD4<Float>
        /// The right hand side without the neighbors.
        let front: SIMD4<Float>
        let back: SIMD4<Float>
        /// The inverse of the matrix: first, off-diagonal, last element.
        let inverse: SIMD4<Float>
    }

    /// Finds the layers of the soft pixels of a part by red-black Gauss–Seidel iterations.
    mutating func solve<Level: ForegroundSolverLevel>(
        _ level: Level, columns: Range<Int>, rows: Range<Int>, iterations: Int
    ) {
        let margin = 2 * iterations
        let columns = max(columns.lowerBound - margin, 0)..<min(columns.upperBound + margin, level.width)
        let rows = max(rows.lowerBound - margin, 0)..<min(rows.upperBound + margin, level.height)
        loadCoverage(level, columns, rows)
        loadLayers(level, columns, rows)
        gatherEquations(level, columns, rows)
        for _ in 0..<iterations {
            Self.iterate(even, stride, &layers)
            Self.iterate(odd, stride, &layers)
        }
    }

    /// The coverage α at a pixel of the level.
    func alpha(_ x: Int, _ y: Int) -> Float { alphas[index(x, y)] }

    /// The layers of a soft pixel.
    func layers(_ x: Int, _ y: Int) -> Layers { layers[index(x, y)] }

    @inline(__always)
    private func index(_ x: Int, _ y: Int) -> Int { (y - originY) * stride + x - originX }

    @inline(__always)
    private static func isSoft(_ alpha: Float) -> Bool { alpha > 0 && alpha < 1 }

    /// The ring around the part is −1, a value that coverage never has.
    private mutating func loadCoverage<Level: ForegroundSolverLevel>(
        _ level: Level, _ columns: Range<Int>, _ rows: Range<Int>
    ) {
        stride = columns.count + 2
        originX = columns.lowerBound - 1
        originY = rows.lowerBound - 1
        let count = stride * (rows.count + 2)
        alphas.removeAll(keepingCapacity: true)
        alphas.append(contentsOf: repeatElement(-1, count: count))
        if layers.count < count {
            layers = Array(repeating: Layers(front: .zero, back: .zero), count: count)
        }
        for y in rows {
            for x in columns { alphas[index(x, y)] = level.alpha(x, y) }
        }
    }

    /// The initial values of soft pixels from the coarser level, and the light of their neighbors that are not soft.
    private mutating func loadLayers<Level: ForegroundSolverLevel>(
        _ level: Level, _ columns: Range<Int>, _ rows: Range<Int>
    ) {
        for y in rows {
            for x in columns {
                let place = index(x, y)
                let alpha = alphas[place]
                if Self.isSoft(alpha) {
                    layers[place] = level.estimate(x, y)
                } else if Self.isSoft(alphas[place - 1]) || Self.isSoft(alphas[place + 1])
                    || Self.isSoft(alphas[place - stride]) || Self.isSoft(alphas[place + stride])
                {
                    let light = level.light(x, y)
                    layers[place] = Layers(front: light, back: light)
                }
            }
        }
    }

    private mutating func gatherEquations<Level: ForegroundSolverLevel>(
        _ level: Level, _ columns: Range<Int>, _ rows: Range<Int>
    ) {
        even.removeAll(keepingCapacity: true)
        odd.removeAll(keepingCapacity: true)
        for y in rows {
            for x in columns {
                let place = index(x, y)
                guard Self.isSoft(alphas[place]) else { continue }
                let pixel = equation(at: place, light: level.light(x, y))
                if (x + y) & 1 == 0 { even.append(pixel) } else { odd.append(pixel) }
            }
        }
    }

    /// `[α² + Σu, α(1 − α); α(1 − α), (1 − α)² + Σv] · [F; B] = [α I + Σu F; (1 − α) I + Σv B]`. A neighbor without
    /// foreground has no u, one without background no v, and the initial value has a weight of ε.
    private func equation(at place: Int, light: SIMD4<Float>) -> SoftPixel {
        let alpha = alphas[place]
        let around = SIMD4(
            alphas[place - 1], alphas[place + 1], alphas[place - stride], alphas[place + stride])
        let difference = around - alpha
        let weights = difference.replacing(with: -difference, where: difference .< 0) + Self.regularization
        let u = weights.replacing(with: 0, where: around .<= 0)
        let v = weights.replacing(with: 0, where: around .< 0 .| around .>= 1)
        let rest = 1 - alpha
        let start = layers[place]
        let a = alpha * alpha + u.sum() + Self.regularization
        let d = rest * rest + v.sum() + Self.regularization
        let b = alpha * rest
        return SoftPixel(
            index: place, frontWeights: u, backWeights: v,
            front: light * alpha + start.front * Self.regularization,
            back: light * rest + start.back * Self.regularization,
            inverse: SIMD4(d, -b, a, 0) / (a * d - b * b))
    }

    private static func iterate(_ pixels: [SoftPixel], _ stride: Int, _ layers: inout [Layers]) {
        let pixels = pixels.span
        var layers = layers.mutableSpan
        for index in pixels.indices {
            let pixel = pixels[index]
            let place = pixel.index
            let (left, right) = (layers[place - 1], layers[place + 1])
            let (above, below) = (layers[place - stride], layers[place + stride])
            let (u, v) = (pixel.frontWeights, pixel.backWeights)
            let front =
                pixel.front + (left.front * u.x + right.front * u.y) + (above.front * u.z + below.front * u.w)
            let back =
                pixel.back + (left.back * v.x + right.back * v.y) + (above.back * v.z + below.back * v.w)
            let inverse = pixel.inverse
            layers[place] = Layers(
                front: (front * inverse.x + back * inverse.y).limitedLight,
                back: (front * inverse.y + back * inverse.z).limitedLight)
        }
    }
}
