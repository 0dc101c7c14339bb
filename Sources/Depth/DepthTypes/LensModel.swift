/// The radial model of a lens, from distorted to rectified: a point at distance r from the distortion center moves to r · (1
/// + m(r)), with m(r) = 0.01 · Σ C[k] · (r · pixelSize)^k, k = 0…7, `C` the inverse coefficients.
///
/// Only this type reads ``LensDistortion``. Radii are reference pixels; coefficients are stored for r / ``radius``, so that
/// powers stay near 1.
struct LensModel: Sendable {
    /// The column of the distortion center in the reference frame.
    let centerX: Double
    /// The row of the distortion center.
    let centerY: Double
    /// The largest radius of the frame.
    let radius: Double
    /// The radius where the model folds back, as a fraction of ``radius``: beyond it, two points of the photo would be one in
    /// space. Infinite if it does not fold.
    let fold: Float
    private let low: SIMD4<Float>
    private let high: SIMD4<Float>

    /// The model of a camera; `nil` if the file has no distortion, no pixel size, or only zeros.
    init?(_ camera: CameraCalibration) {
        guard let lens = camera.distortion, let pixelSize = camera.pixelSize, pixelSize > 0,
            pixelSize.isFinite,
            lens.centerX.isFinite, lens.centerY.isFinite,
            (1...8).contains(lens.inverseCoefficients.count),
            lens.inverseCoefficients.contains(where: { $0 != 0 })
        else { return nil }
        (centerX, centerY) = (lens.centerX, lens.centerY)
        // Pixels extend half a pixel beyond their centers.
        let reachX = max(centerX + 0.5, Double(camera.width) - 0.5 - centerX)
        let reachY = max(centerY + 0.5, Double(camera.height) - 0.5 - centerY)
        radius = (reachX * reachX + reachY * reachY).squareRoot()
        var scale = 0.01
        var terms = SIMD8<Float>.zero
        for (power, coefficient) in lens.inverseCoefficients.enumerated() {
            terms[power] = Float(coefficient * scale)
            scale *= radius * pixelSize
        }
        (low, high) = (terms.lowHalf, terms.highHalf)
        fold = Self.fold { Self.elongation($0, terms.lowHalf, terms.highHalf) }
    }

    /// m at a fraction of ``radius``.
    func elongation(_ share: Float) -> Float { Self.elongation(share, low, high) }

    private static func elongation(_ t: Float, _ low: SIMD4<Float>, _ high: SIMD4<Float>) -> Float {
        let upper = ((high[3] * t + high[2]) * t + high[1]) * t + high[0]
        return ((((upper * t + low[3]) * t + low[2]) * t + low[1]) * t) + low[0]
    }

    /// The first of 4096 radii where t · (1 + m(t)) does not rise.
    private static func fold(_ elongation: (Float) -> Float) -> Float {
        var previous: Float = 0
        for step in 1...4096 {
            let t = Float(step) / 4096
            let rectified = t * (1 + elongation(t))
            guard rectified > previous else { return Float(step - 1) / 4096 }
            previous = rectified
        }
        return .infinity
    }
}
