internal import DepthMaps

/// Reads a picture's luma between its pixels, averaged over the step between the points that are read.
struct LumaReader: ~Escapable {
    private let pixels: Span<RGB<UInt8>>
    private let width: Int
    private let limit: (x: Double, y: Double)
    private let step: (x: Double, y: Double)

    /// The picture must not be empty.
    @_lifetime(borrow picture)
    init(_ picture: borrowing FramePlane<RGB<UInt8>>, step: (x: Double, y: Double)) {
        pixels = picture.samples.span
        width = picture.width
        limit = (Double(picture.width - 1), Double(picture.height - 1))
        self.step = step
    }

    /// The luma at a point, 0…1; beyond the picture, the luma of its border. If steps are much larger than pixels, the
    /// mean of four points.
    @inline(__always)
    func luma(_ x: Double, _ y: Double) -> Float {
        max(step.x, step.y) > 1.6 ? mean(x, y) : interpolated(x, y)
    }

    @inline(__always)
    private func luma(_ column: Int, _ row: Int) -> Float { GuidedMatte.luma(pixels[row * width + column]) }

    private func mean(_ x: Double, _ y: Double) -> Float {
        let first = Int(min(max(x - 0.25 * step.x + 0.5, 0), limit.x))
        let second = Int(min(max(x + 0.25 * step.x + 0.5, 0), limit.x))
        let above = Int(min(max(y - 0.25 * step.y + 0.5, 0), limit.y))
        let below = Int(min(max(y + 0.25 * step.y + 0.5, 0), limit.y))
        return (luma(first, above) + luma(second, above) + luma(first, below) + luma(second, below)) * 0.25
    }

    private func interpolated(_ x: Double, _ y: Double) -> Float {
        let (u, v) = (min(max(x, 0), limit.x), min(max(y, 0), limit.y))
        let (first, above) = (Int(u), Int(v))
        let (second, below) = (min(first + 1, Int(limit.x)), min(above + 1, Int(limit.y)))
        let (share, lower) = (Float(u - Double(first)), Float(v - Double(above)))
        let (a, b) = (luma(first, above), luma(second, above))
        let (c, d) = (luma(first, below), luma(second, below))
        return (a + (b - a) * share) * (1 - lower) + (c + (d - c) * share) * lower
    }
}
