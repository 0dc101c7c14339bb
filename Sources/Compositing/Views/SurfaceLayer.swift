internal import DepthCore

/// A sheet of pixels with the disparity of each: what can be drawn from other places.
struct SurfaceLayer: Sendable {
    /// Pixels in a row.
    let width: Int
    /// The number of rows.
    let height: Int
    /// Red, green and blue as light 0…1, and the disparity; `nan` as disparity where the layer has no pixel. Row-major.
    let pixels: [SIMD4<Float>]
    /// How much of a pixel is the layer's, 0…1; empty where all of each is.
    let opacity: [Float]
    /// The greatest difference of disparity between corners of a cell that is not cut.
    let jump: Float

    init(width: Int, height: Int, pixels: [SIMD4<Float>], opacity: [Float] = [], jump: Float) {
        (self.width, self.height, self.pixels, self.opacity, self.jump) = (
            width, height, pixels, opacity, jump
        )
    }

    /// Whether nothing tears the cell whose upper left corner is here: it has all its corners, on one surface.
    @inline(__always)
    static func isWhole(_ a: Float, _ b: Float, _ c: Float, _ d: Float, _ jump: Float) -> Bool {
        let low = min(min(a, b), min(c, d))
        let high = max(max(a, b), max(c, d))
        // False for nan, whichever it is.
        return a + b + c + d == a + b + c + d && high - low <= jump
    }
}
