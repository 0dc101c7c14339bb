/// The directions of a cloud's axes, relative to the camera.
public enum CloudAxes: String, CaseIterable, Hashable, Sendable {
    /// x right, y up, z backward: MeshLab, CloudCompare and Open3D show it upright.
    case opengl
    /// x right, y down, z forward: the convention of vision code.
    case opencv

    /// The directions as text.
    public var words: String {
        self == .opengl ? "x right, y up, z backward" : "x right, y down, z forward"
    }

    /// The signs that convert x right, y down, z forward to these axes: +1 or −1 for each.
    var signs: SIMD3<Float> { self == .opengl ? SIMD3(1, -1, -1) : SIMD3(1, 1, 1) }
}
