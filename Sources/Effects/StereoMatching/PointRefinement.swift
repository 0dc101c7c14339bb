/// Locates a point of one picture in another to a fraction of a pixel, by the gradients around it (B. Lucas and T. Kanade, "An
/// iterative image registration technique with an application to stereo vision", IJCAI 1981).
///
/// Windows of 11 × 11 pixels are compared without their means, so different exposure has no effect.
struct PointRefinement {
    private static let reach = 5
    /// The samples, less their mean.
    private var samples: [Double]
    /// The gradients in both directions, less their mean.
    private var slopes: [SIMD2<Double>]
    private var (xx, xy, yy) = (0.0, 0.0, 0.0)

    /// `nil` if the window does not fit into the picture, or if its texture has one direction only.
    init?(_ image: GrayImage, _ point: SIMD2<Int>) {
        guard Self.fits(image, point) else { return nil }
        samples = Self.window { Double(image.sample(point.x &+ $0, point.y &+ $1)) }
        slopes = Self.window { dx, dy in
            let (x, y) = (point.x &+ dx, point.y &+ dy)
            let across = Double(image.sample(x + 1, y)) - Double(image.sample(x - 1, y))
            return SIMD2(across, Double(image.sample(x, y + 1)) - Double(image.sample(x, y - 1))) / 2
        }
        let mean = slopes.reduce(.zero, +) / Double(slopes.count)
        for index in slopes.indices {
            slopes[index] -= mean
            xx += slopes[index].x * slopes[index].x
            xy += slopes[index].x * slopes[index].y
            yy += slopes[index].y * slopes[index].y
        }
        guard determinant > 0.02 * xx * yy else { return nil }
        samples = Self.centered(samples)
    }

    private var determinant: Double { xx * yy - xy * xy }

    private static func fits(_ image: GrayImage, _ point: SIMD2<Int>) -> Bool {
        // The window moves by less than two pixels.
        let margin = reach + 2
        return point.x >= margin && point.y >= margin && point.x < image.width - margin
            && point.y < image.height - margin
    }

    private static func window<Value>(_ value: (_ dx: Int, _ dy: Int) -> Value) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity((2 * reach + 1) * (2 * reach + 1))
        for dy in -reach...reach {
            for dx in -reach...reach { values.append(value(dx, dy)) }
        }
        return values
    }

    private static func centered(_ values: [Double]) -> [Double] {
        let mean = values.reduce(0, +) / Double(values.count)
        return values.map { $0 - mean }
    }

    /// How far the point is from a guess in the other picture, in pixels; `nil` if that is more than a pixel and a half, or if
    /// the window does not fit.
    func move(in image: GrayImage, from guess: SIMD2<Int>) -> SIMD2<Double>? {
        guard Self.fits(image, guess) else { return nil }
        var move = SIMD2(0.0, 0.0)
        for _ in 0..<6 {
            let corner = SIMD2(move.x.rounded(.down), move.y.rounded(.down))
            let (u, v) = (move.x - corner.x, move.y - corner.y)
            let (left, top) = (guess.x + Int(corner.x), guess.y + Int(corner.y))
            let others = Self.centered(
                Self.window { dx, dy in
                    let (x, y) = (left + dx, top + dy)
                    let upper = Double(image.sample(x, y)) * (1 - u) + Double(image.sample(x + 1, y)) * u
                    let lower =
                        Double(image.sample(x, y + 1)) * (1 - u) + Double(image.sample(x + 1, y + 1)) * u
                    return upper * (1 - v) + lower * v
                })
            var sum = SIMD2(0.0, 0.0)
            for index in others.indices { sum += (samples[index] - others[index]) * slopes[index] }
            move += SIMD2(yy * sum.x - xy * sum.y, xx * sum.y - xy * sum.x) / determinant
            guard abs(move.x) <= 1.5, abs(move.y) <= 1.5 else { return nil }
        }
        return move
    }
}
