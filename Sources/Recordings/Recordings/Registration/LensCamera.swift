internal import DepthTypes

/// A camera with its lens: six radial coefficients, in a quotient of two polynomials, and two tangential ones, as in OpenCV's
/// rational model. With k4 to k6 of 0 it is the model of Brown and Conrady.
struct LensCamera: Sendable {
    /// Focal lengths and the principal point, in pixels of a frame; (0, 0) is the center of the first pixel.
    var intrinsics: Intrinsics
    /// k1 to k3.
    var radial: SIMD3<Double>
    /// k4 to k6.
    var radialBelow = SIMD3<Double>.zero
    /// p1 and p2.
    var tangential: (Double, Double)
    /// From the coordinates of the depth camera, row by row.
    var rotation: [Double]
    /// In meters.
    var translation: SIMD3<Double>
    /// The largest radius √((X/Z)² + (Y/Z)²) inside the lens; infinity if unknown.
    var greatestRadius = Double.infinity

    /// The projection of a point (x, y, 1), in pixels; `nil` outside the lens.
    @inline(__always)
    func project(_ x: Double, _ y: Double) -> SIMD2<Double>? {
        let square = x * x + y * y
        guard square <= greatestRadius * greatestRadius else { return nil }
        let (k, l) = (radial, radialBelow)
        let over = 1 + square * (k.x + square * (k.y + square * k.z))
        let under = 1 + square * (l.x + square * (l.y + square * l.z))
        guard under != 0 else { return nil }
        let factor = over / under
        let (p1, p2) = tangential
        let distortedX = x * factor + (square + 2 * x * x) * p2 + 2 * x * y * p1
        let distortedY = y * factor + (square + 2 * y * y) * p1 + 2 * x * y * p2
        return SIMD2(
            distortedX * intrinsics.fx + intrinsics.cx, distortedY * intrinsics.fy + intrinsics.cy)
    }

    /// The point (x, y, 1) that projects to a pixel, by Newton's method; `nil` if it does not converge.
    func ray(_ column: Double, _ row: Double) -> SIMD2<Double>? {
        let wanted = SIMD2(column, row)
        var point = SIMD2((column - intrinsics.cx) / intrinsics.fx, (row - intrinsics.cy) / intrinsics.fy)
        let step = 1e-6
        for _ in 0..<20 {
            guard let seen = project(point.x, point.y), let right = project(point.x + step, point.y),
                let below = project(point.x, point.y + step)
            else { return nil }
            let miss = wanted - seen
            if abs(miss.x) < 1e-4, abs(miss.y) < 1e-4 { return point }
            let (a, b) = ((right - seen) / step, (below - seen) / step)
            let determinant = a.x * b.y - b.x * a.y
            guard abs(determinant) > 1e-9 else { return nil }
            point += SIMD2(miss.x * b.y - b.x * miss.y, a.x * miss.y - miss.x * a.y) / determinant
        }
        return nil
    }
}
