/// The least squares fit `α ≈ a·I + b` in a window of 3 × 3 pixels, prepared for any coverage.
struct ColorLineWindow: BitwiseCopyable, Sendable {
    /// The mean light; the fourth element is 0.
    private let mean: SIMD4<Float>
    /// The columns of the inverse of the regularized sum of squares Δ; the fourth element is minus their product with the
    /// mean.
    private let red: SIMD4<Float>
    private let green: SIMD4<Float>
    private let blue: SIMD4<Float>

    /// Fits nothing.
    init() {
        (mean, red, green, blue) = (.zero, .zero, .zero, .zero)
    }

    /// `Δ = Σ (I − μ)(I − μ)ᵀ + 9 ε`, with ε for light that is off by `noise` (0…1, before the tone curve).
    init(_ light: Span<SIMD4<Float>>, _ center: Int, _ stride: Int, _ noise: Float) {
        var sum = SIMD4<Float>.zero
        for below in -1...1 {
            let line = center + below * stride
            sum += light[line - 1] + light[line] + light[line + 1]
        }
        var mean = sum * (1 / 9)
        mean.w = 0
        let epsilon = 9 * mean.noiseVariance(ofCodes: noise)
        var (squares, products) = (SIMD4<Float>(epsilon, epsilon, epsilon, 1), SIMD4<Float>.zero)
        for below in -1...1 {
            let line = center + below * stride
            for place in line - 1...line + 1 {
                let offset = light[place] - mean
                squares += offset * offset
                products += offset * SIMD4(offset.y, offset.z, offset.x, 0)
            }
        }
        self.init(mean, squares, products)
    }

    /// From squares (rr, gg, bb) and products (rg, gb, br). In double precision, because for colors on a line the determinant
    /// is the small remainder of products that are a million times as large.
    private init(_ mean: SIMD4<Float>, _ squares: SIMD4<Float>, _ products: SIMD4<Float>) {
        let (rr, gg, bb) = (Double(squares.x), Double(squares.y), Double(squares.z))
        let (rg, gb, br) = (Double(products.x), Double(products.y), Double(products.z))
        let (c00, c01, c02) = (gg * bb - gb * gb, br * gb - rg * bb, rg * gb - br * gg)
        let (c11, c12, c22) = (rr * bb - br * br, rg * br - rr * gb, rr * gg - rg * rg)
        let scale = 1 / (rr * c00 + rg * c01 + br * c02)
        let center = (Double(mean.x), Double(mean.y), Double(mean.z))
        func column(_ x: Double, _ y: Double, _ z: Double) -> SIMD4<Float> {
            let offset = x * center.0 + y * center.1 + z * center.2
            return SIMD4(Float(x * scale), Float(y * scale), Float(z * scale), Float(-offset * scale))
        }
        self.mean = mean
        red = column(c00, c01, c02)
        green = column(c01, c11, c12)
        blue = column(c02, c12, c22)
    }

    /// a, and b as the fourth element, for the sums of α I and of α over the window.
    @inline(__always)
    func fit(_ sums: SIMD4<Float>) -> SIMD4<Float> {
        let covariance = sums - mean * sums.w
        let line = red * covariance.x + green * covariance.y + blue * covariance.z
        return line + SIMD4(0, 0, 0, sums.w * (1 / 9))
    }

    /// The fraction of a pixel's coverage that enters the fit's prediction for the same pixel, beyond the mean: `(I −
    /// μ)ᵀ Δ⁻¹ (I − μ)`.
    @inline(__always)
    func influence(_ light: SIMD4<Float>) -> Float {
        let offset = light - mean
        let solved = red * offset.x + green * offset.y + blue * offset.z
        return offset.x * solved.x + offset.y * solved.y + offset.z * solved.z
    }
}
