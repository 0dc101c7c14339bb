import DepthMaps
import DepthTypes
import Effects

/// A disc in front of a wall, rendered by brute force through many points of a lens.
///
/// Disparities 5 and 0.2 per meter; radii of blur by hand as in `BlurTests`: 60 · 0.0216333 / 2 = 0.649 pixels for 1 per meter.
struct RenderedScene {
    let nearRadius: Float
    let farRadius: Float

    init(focus: Float) {
        nearRadius = 0.649 * (5 - focus)
        farRadius = 0.649 * (0.2 - focus)
    }

    /// The distance from the edge of the disc, outward, at the center of a pixel.
    func distance(_ x: Int, _ y: Int) -> Float { distance(Float(x) + 0.5, Float(y) + 0.5) }

    private func distance(_ x: Float, _ y: Float) -> Float {
        ((x - 48) * (x - 48) + (y - 36) * (y - 36)).squareRoot() - 20
    }

    /// Stripes twelve pixels wide.
    private func wall(_ x: Float, _ y: Float) -> Double {
        (Int(x + 120) / 12 + Int(y + 120) / 12) % 2 == 0 ? 0.7 : 0.2
    }

    private func disc(_ x: Float, _ y: Float) -> Double { Int(x + 120) / 8 % 2 == 0 ? 0.05 : 0.4 }

    /// Light of a pixel through the lens point (u, v), of a lens with these radii of blur.
    private func light(_ x: Float, _ y: Float, _ u: Float, _ v: Float, _ near: Float, _ far: Float) -> Double
    {
        let (nearX, nearY) = (x + u * near, y + v * near)
        return distance(nearX, nearY) < 0 ? disc(nearX, nearY) : wall(x + u * far, y + v * far)
    }

    /// The photo through a pinhole, 3 × 3 samples a pixel.
    var photo: ColorImage {
        EffectsTests.photo(96, 72) { x, y in
            var sum = 0.0
            for sample in 0..<9 {
                let (dx, dy) = (Float(sample % 3) / 3 + 1 / 6, Float(sample / 3) / 3 + 1 / 6)
                sum += light(Float(x) + dx, Float(y) + dy, 0, 0, 0, 0)
            }
            let curve = TransferFunction.sRGB.light
            let code = (0...255).first { Double(curve[$0 * 4095 / 255]) >= sum / 9 } ?? 255
            return gray(UInt8(code))
        }
    }

    var disparity: DisparityMap { scene(96, 72) { x, y in distance(x, y) < 0 ? 5 : 0.2 } }

    /// Linear light through 12 × 12 points of the square around the lens; only points inside the disc are used.
    func rendered() -> [Double] {
        var points: [(Float, Float)] = []
        for index in 0..<144 {
            let (u, v) = ((Float(index % 12) + 0.5) / 6 - 1, (Float(index / 12) + 0.5) / 6 - 1)
            if u * u + v * v < 1 { points.append((u, v)) }
        }
        var result: [Double] = []
        for y in 0..<72 {
            for x in 0..<96 {
                var sum = 0.0
                for (place, point) in points.enumerated() {
                    // Offsets within the pixel follow a pattern that is uniform over all points.
                    let (dx, dy) = (Float(place % 4) / 4 + 0.125, Float(place / 4 % 4) / 4 + 0.125)
                    sum += light(
                        Float(x) + dx, Float(y) + dy, point.0, point.1, nearRadius, farRadius)
                }
                result.append(sum / Double(points.count))
            }
        }
        return result
    }
}
