/// An ellipse, or with `isBoxy` the superellipse of degree 4, on the figure's card; meters.
struct Ellipse {
    var x: Double
    var y: Double
    var radiusX: Double
    var radiusY: Double
    var isBoxy = false

    /// Roughly the distance to the rim, negative inside.
    func distance(_ px: Double, _ py: Double) -> Double {
        let dx = (px - x) / radiusX
        let dy = (py - y) / radiusY
        let a = dx * dx
        let b = dy * dy
        let norm = isBoxy ? (a * a + b * b).squareRoot().squareRoot() : (a + b).squareRoot()
        return (norm - 1) * min(radiusX, radiusY)
    }

    /// How far a cushion over the ellipse bulges towards the camera, `height` in its middle.
    func bulge(_ px: Double, _ py: Double, height: Double) -> Double {
        let dx = (px - x) / radiusX
        let dy = (py - y) / radiusY
        return height * max(0, 1 - dx * dx - dy * dy).squareRoot()
    }
}

/// How much of a point is covered by a shape at `distance`, with an edge `softness` wide.
func coverage(_ distance: Double, softness: Double) -> Double {
    smoothstep(0.5 - distance / softness)
}

/// 0 up to 0, 1 from 1, smooth between.
func smoothstep(_ value: Double) -> Double {
    let t = min(max(value, 0), 1)
    return t * t * (3 - 2 * t)
}
