/// Which way the axes of a cloud point, seen from the camera.
public enum CloudAxes: String, CaseIterable, Hashable, Sendable {
    /// x right, y up, z backward: MeshLab, CloudCompare and Open3D show it upright.
    case opengl
    /// x right, y down, z forward: the convention of vision code.
    case opencv
}
