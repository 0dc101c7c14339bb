internal import DepthTypes

extension CameraPose {
    /// The rotation as a quaternion x, y, z, w of length 1, by the largest of its components (Shepperd).
    var quaternion: SIMD4<Double> {
        let (x, y, z) = (right.x, down.y, forward.z)
        // Four times the square of each component.
        let squares = SIMD4(1 + x - y - z, 1 - x + y - z, 1 - x - y + z, 1 + x + y + z)
        let (a, b, c) = (down.z - forward.y, forward.x - right.z, right.y - down.x)
        let (d, e, f) = (down.x + right.y, forward.x + right.z, forward.y + down.z)
        let rows = [
            SIMD4(squares.x, d, e, a), SIMD4(d, squares.y, f, b), SIMD4(e, f, squares.z, c),
            SIMD4(a, b, c, squares.w),
        ]
        let best = (0..<4).max { squares[$0] < squares[$1] } ?? 3
        return rows[best] / (2 * squares[best].squareRoot())
    }
}
