internal import DepthMaps

/// Splats as a binary PLY file in the layout of "3D Gaussian Splatting" (Kerbl et al., 2023), without view dependence.
///
/// A point has 17 floats: `x y z`, the normal `nx ny nz`, `f_dc_0` to `f_dc_2` (the color as a spherical harmonic of degree 0),
/// `opacity` (before the logistic function), `scale_0` to `scale_2` (natural logarithms) and `rot_0` to `rot_3` (a quaternion,
/// w first). Viewers expect y down. Points without a color are gray. Confidences are not stored.
struct SplatPLYEncoder: CloudEncoder {
    let opening: [UInt8]
    private let spacing: SplatSpacing
    private let hasColors: Bool

    /// The logistic function of it is 0.99995: opaque in 8 bits and in 16.
    private static let opacity: Float = 10

    private static let names =
        ["x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2", "opacity"]
        + ["scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"]

    init(_ header: CloudHeader, _ spacing: SplatSpacing) {
        self.spacing = spacing
        hasColors = header.hasColors
        var lines = ["ply", "format binary_little_endian 1.0"]
        lines += header.comments.map { "comment \($0)" }
        lines.append("element vertex \(header.pointCount)")
        lines += Self.names.map { "property float \($0)" }
        lines += ["end_header", ""]
        opening = Array(lines.joined(separator: "\n").utf8)
    }

    var pointSize: Int? { Self.names.count * 4 }

    func append(_ piece: PointCloud, to bytes: inout [UInt8]) {
        precondition(piece.normals.count == piece.positions.count)
        unsafe bytes.append(records: piece.positions.count, of: Self.names.count * 4) { index, place in
            let (position, normal) = (piece.positions[index], piece.normals[index])
            let splat = Splat(at: position, normal, spacing)
            let color = Splat.coefficients(of: hasColors ? piece.colors[index] : Splat.gray)
            let scale = SIMD3(
                Math.logarithm(splat.scale.x), Math.logarithm(splat.scale.y), Math.logarithm(splat.scale.z))
            let rotation = SIMD4(splat.rotation.w, splat.rotation.x, splat.rotation.y, splat.rotation.z)
            // A vector of three floats is stored as four: the next field overwrites the fourth.
            unsafe place.storeBytes(of: position, as: SIMD3<Float>.self)
            unsafe (place + 12).storeBytes(of: normal, as: SIMD3<Float>.self)
            unsafe (place + 24).storeBytes(of: color, as: SIMD3<Float>.self)
            unsafe (place + 36).storeBytes(of: Self.opacity, as: Float.self)
            unsafe (place + 40).storeBytes(of: scale, as: SIMD3<Float>.self)
            unsafe (place + 52).storeBytes(of: rotation, as: SIMD4<Float>.self)
        }
    }
}
