/// The distortion of a lens in OpenCV's model: six radial coefficients, in a quotient of two polynomials, and two tangential
/// ones. With k4 to k6 of 0 it is the model of Brown and Conrady.
package struct LensCoefficients: Hashable, Sendable {
    /// k1 to k3.
    package var radial: SIMD3<Double>
    /// k4 to k6.
    package var radialBelow = SIMD3<Double>.zero
    /// p1 and p2.
    package var tangential: SIMD2<Double>

    /// Coefficients of a lens; `nil` if they are all 0.
    init?(radial: SIMD3<Double>, radialBelow: SIMD3<Double> = .zero, tangential: SIMD2<Double>) {
        guard radial != .zero || radialBelow != .zero || tangential != .zero else { return nil }
        (self.radial, self.radialBelow, self.tangential) = (radial, radialBelow, tangential)
    }

    /// The lens of a camera that is turned with its picture, clockwise by quarter turns.
    package func turned(quarters: Int) -> LensCoefficients {
        var lens = self
        for _ in 0..<quarters { lens.tangential = SIMD2(lens.tangential.y, -lens.tangential.x) }
        return lens
    }
}

extension LensCamera {
    /// The distortion; `nil` without any.
    var coefficients: LensCoefficients? {
        LensCoefficients(
            radial: radial, radialBelow: radialBelow, tangential: SIMD2(tangential.0, tangential.1))
    }
}
