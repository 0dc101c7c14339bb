/// How a file stores poses. The raw value is its name in JSON and in `--pose-convention`.
public enum PoseConvention: String, CaseIterable, Hashable, Sendable {
    /// Camera-to-world, x right, y down, z forward.
    case cameraToWorldOpenCV = "camera-to-world-opencv"
    /// Camera-to-world, x right, y up, z backward (ARKit, OpenGL).
    case cameraToWorldOpenGL = "camera-to-world-opengl"
    /// World-to-camera, x right, y down, z forward.
    case worldToCameraOpenCV = "world-to-camera-opencv"
    /// World-to-camera, x right, y up, z backward.
    case worldToCameraOpenGL = "world-to-camera-opengl"
    /// A robot's body to world, x forward, y left, z up (ROS, REP 103), as if the camera were at its origin and looked ahead.
    case rosBody = "ros-body"

    /// Whether the stored matrix maps world to camera coordinates.
    package var isWorldToCamera: Bool { self == .worldToCameraOpenCV || self == .worldToCameraOpenGL }
    /// Whether the camera's y axis points up and its z axis backward.
    package var hasOpenGLAxes: Bool { self == .cameraToWorldOpenGL || self == .worldToCameraOpenGL }
}
