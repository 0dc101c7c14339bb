/// A pixel in a cell.
struct PixelOfCell {
    /// Red, green and blue, 0…1; the fourth element is unused.
    let color: SIMD4<Float>
    /// The position between the cell's first and second samples, 0…1.
    let x: Float
    let y: Float
    /// The index in the output.
    let place: Int
}

/// Four pixels of a cell, for vector operations.
struct FourPixels {
    /// Their colors, 0…1.
    let red: SIMD4<Float>
    let green: SIMD4<Float>
    let blue: SIMD4<Float>
    /// The positions between the cell's first and second samples, 0…1.
    let x: SIMD4<Float>
    let y: SIMD4<Float>
    /// The values of the pixels without an edge.
    let smooth: SIMD4<Float>

    @inline(__always)
    init(
        _ a: PixelOfCell, _ b: PixelOfCell, _ c: PixelOfCell, _ d: PixelOfCell, smooth: SIMD4<Float>
    ) {
        red = SIMD4(a.color.x, b.color.x, c.color.x, d.color.x)
        green = SIMD4(a.color.y, b.color.y, c.color.y, d.color.y)
        blue = SIMD4(a.color.z, b.color.z, c.color.z, d.color.z)
        x = SIMD4(a.x, b.x, c.x, d.x)
        y = SIMD4(a.y, b.y, c.y, d.y)
        self.smooth = smooth
    }
}
