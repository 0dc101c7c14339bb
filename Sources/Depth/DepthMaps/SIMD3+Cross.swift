extension SIMD3 where Scalar: FloatingPoint {
    /// The cross product.
    @inlinable
    @inline(__always)
    package func cross(_ other: Self) -> Self {
        Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }
}
