/// What frames are aligned to at one resolution: a plane at each pixel, and the brightness with its slopes.
struct SurfaceLevel: Sendable {
    let view: ViewLevel
    /// The plane at each pixel in the camera's coordinates: a normal n of length 1, and −n·v for its point v. Zero if
    /// unknown.
    let planes: [SIMD4<Float>]
    /// The variance of the directions of ``planes``, in rad², for each axis across.
    let tilts: [Float]
    /// The brightness, and its derivatives by column and row; empty without a picture.
    let brightness: [SIMD4<Float>]
    /// The square of the smallest slope of brightness that is more than noise.
    let leastSlopeSquare: Float

    /// Half the side of the window that planes are fitted to, in pixels.
    private static let reach = 3
    /// How much inverse depth may differ within a window, and how far it may be from the plane (RMS), as fractions.
    private static let mostSpan: Float = 0.2
    private static let mostError: Float = 0.02

    init(_ view: ViewLevel) {
        self.view = view
        (planes, tilts) = Self.planes(of: view)
        brightness = Self.slopes(of: view)
        // Differences of neighbors two apart, halved: a deviation of σ/√2 for each axis, four of which are rare.
        let least = max(0.01, 2.83 * Self.noise(of: view))
        leastSlopeSquare = least * least
    }

    /// Fits planes to windows. The inverse depth of a plane n·P = h is linear in the pixel: 1/z = n·(x, y, 1)/h.
    ///
    /// A window needs all its samples on one surface, so the sums have closed forms.
    private static func planes(of view: ViewLevel) -> ([SIMD4<Float>], tilts: [Float]) {
        let (width, height) = (view.width, view.height)
        let inverse = view.depth.map { 1 / $0 }
        var planes = [SIMD4<Float>](repeating: .zero, count: width * height)
        var tilts = [Float](repeating: 0, count: width * height)
        guard width > 2 * reach, height > 2 * reach else { return (planes, tilts) }
        let side = Float(2 * reach + 1)
        // Σ u² over the window.
        let square = side * Float(reach * (reach + 1)) * side / 3
        let spans = (-reach...reach).map { Float($0) }
        for row in reach..<height - reach {
            for column in reach..<width - reach {
                let middle = inverse[row * width + column]
                guard middle > 0 else { continue }
                // Relative to the sample in the middle, for precision.
                let scale = 1 / middle
                var (sum, slopeX, slopeY, squares): (Float, Float, Float, Float) = (0, 0, 0, 0)
                var isWhole = true
                for y in 0..<spans.count {
                    let start = (row + y - reach) * width + column - reach
                    for x in 0..<spans.count {
                        let sample = inverse[start + x] * scale - 1
                        // `nan` is not within the limit.
                        isWhole = isWhole && abs(sample) < mostSpan
                        sum += sample
                        squares += sample * sample
                        slopeX += sample * spans[x]
                        slopeY += sample * spans[y]
                    }
                    if !isWhole { break }
                }
                let (mean, right, down) = (sum / (side * side), slopeX / square, slopeY / square)
                let rest = squares - sum * mean - slopeX * right - slopeY * down
                guard isWhole, rest < side * side * mostError * mostError else { continue }
                let offset = SIMD2(Float(column), Float(row)) - view.center
                let normal = SIMD3(
                    right * view.focal.x, down * view.focal.y,
                    1 + mean - right * offset.x - down * offset.y)
                let length = normal.length
                let unit = normal / length
                // Through the sample itself: a fitted point would be off near edges and on curved surfaces, always to one side.
                let point = view.point(column, row, view.depth[row * width + column])
                planes[row * width + column] = SIMD4(unit, -(unit * point).sum())
                // A slope has the variance of a sample, over Σ u².
                let deviation = view.focal.x / length
                tilts[row * width + column] =
                    max(0, rest) / (side * side - 3) / square * deviation * deviation
            }
        }
        return (planes, tilts)
    }

    /// The standard deviation of the noise of brightness, by Immerkær's operator (1996), whose median texture hardly affects.
    private static func noise(of view: ViewLevel) -> Float {
        let (samples, width) = (view.brightness, view.width)
        guard !samples.isEmpty else { return 0 }
        var values: [Float] = []
        for row in stride(from: 1, to: view.height - 1, by: 2) {
            for place in stride(from: row * width + 1, to: (row + 1) * width - 1, by: 2) {
                func second(_ start: Int) -> Float {
                    samples[start - 1] - 2 * samples[start] + samples[start + 1]
                }
                values.append(abs(second(place - width) - 2 * second(place) + second(place + width)))
            }
        }
        guard !values.isEmpty else { return 0 }
        values.sort()
        // The operator's norm is 6; half of normal deviations are below 0.6745.
        return values[values.count / 2] / (6 * 0.6745)
    }

    /// Central differences.
    private static func slopes(of view: ViewLevel) -> [SIMD4<Float>] {
        let (samples, width) = (view.brightness, view.width)
        var result = samples.map { SIMD4($0, 0, 0, 0) }
        guard !samples.isEmpty else { return [] }
        for row in 1..<view.height - 1 {
            for place in row * width + 1..<(row + 1) * width - 1 {
                result[place].y = (samples[place + 1] - samples[place - 1]) / 2
                result[place].z = (samples[place + width] - samples[place - width]) / 2
            }
        }
        return result
    }
}
