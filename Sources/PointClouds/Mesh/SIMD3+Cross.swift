extension SIMD3 where Scalar: FloatingPoint {
    /// The cross product.
    @inline(__always)
    func cross(_ other: Self) -> Self {
        Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }
}
