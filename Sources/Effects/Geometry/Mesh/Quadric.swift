/// The sum of squared distances from planes (M. Garland, P. Heckbert: Surface simplification using quadric error metrics, 1997).
///
/// As each plane adds at most the sum, no plane is farther than its square root.
struct Quadric: BitwiseCopyable {
    private var xx = 0.0
    private var xy = 0.0
    private var xz = 0.0
    private var yy = 0.0
    private var yz = 0.0
    private var zz = 0.0
    private var x = 0.0
    private var y = 0.0
    private var z = 0.0
    private var constant = 0.0

    /// No planes.
    init() {}

    /// The plane through a point with a unit normal.
    init(through point: SIMD3<Double>, normal: SIMD3<Double>) {
        let offset = -(point * normal).sum()
        (xx, xy, xz) = (normal.x * normal.x, normal.x * normal.y, normal.x * normal.z)
        (yy, yz, zz) = (normal.y * normal.y, normal.y * normal.z, normal.z * normal.z)
        (x, y, z, constant) = (normal.x * offset, normal.y * offset, normal.z * offset, offset * offset)
    }

    static func += (left: inout Quadric, right: Quadric) {
        left.xx += right.xx
        left.xy += right.xy
        left.xz += right.xz
        left.yy += right.yy
        left.yz += right.yz
        left.zz += right.zz
        left.x += right.x
        left.y += right.y
        left.z += right.z
        left.constant += right.constant
    }

    /// The sum at a point.
    func error(at point: SIMD3<Double>) -> Double {
        let along = xx * point.x * point.x + yy * point.y * point.y + zz * point.z * point.z
        let across = xy * point.x * point.y + xz * point.x * point.z + yz * point.y * point.z
        let linear = x * point.x + y * point.y + z * point.z
        return max(0, along + 2 * (across + linear) + constant)
    }

    /// The point with the smallest sum; `nil` if planes do not determine one well.
    var minimum: SIMD3<Double>? {
        let (a, b, c) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy)
        let determinant = xx * a + xy * b + xz * c
        let trace = xx + yy + zz
        guard abs(determinant) > 1e-3 * trace * trace * trace else { return nil }
        let (d, e, f) = (xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy)
        return SIMD3(-(a * x + b * y + c * z), -(b * x + d * y + e * z), -(c * x + e * y + f * z))
            / determinant
    }
}
