internal import DepthMaps

/// A sheet of pixels with the disparity of each, which can be drawn from other viewpoints.
struct SurfaceLayer: Sendable {
    /// Pixels in a row.
    let width: Int
    /// The number of rows.
    let height: Int
    /// Red, green and blue as light 0…1, and the disparity, which is `nan` if the layer has no pixel. Row-major.
    let pixels: [SIMD4<Float>]
    /// The opacity of each pixel, 0…1; empty if all are opaque.
    let opacity: [Float]
    /// The largest difference of disparity between corners of a cell that is not cut.
    let jump: Float

    init(width: Int, height: Int, pixels: [SIMD4<Float>], opacity: [Float] = [], jump: Float) {
        (self.width, self.height, self.pixels, self.opacity, self.jump) = (
            width, height, pixels, opacity, jump
        )
    }

    /// Whether the cell with this upper left corner is complete: it has all its corners, on one surface.
    @inline(__always)
    static func isWhole(_ a: Float, _ b: Float, _ c: Float, _ d: Float, _ jump: Float) -> Bool {
        let low = min(min(a, b), min(c, d))
        let high = max(max(a, b), max(c, d))
        // False if any is `nan`.
        return a + b + c + d == a + b + c + d && high - low <= jump
    }
}
