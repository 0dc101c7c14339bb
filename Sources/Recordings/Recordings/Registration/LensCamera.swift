internal import DepthTypes

/// A camera with its lens, and its pose beside a depth camera.
struct LensCamera: Sendable {
    /// Focal lengths and the principal point, in pixels of a frame; (0, 0) is the center of the first pixel.
    var intrinsics: Intrinsics
    var lens = LensCoefficients()
    /// From the coordinates of the depth camera.
    var pose = CameraPose.identity

    /// The depth camera itself.
    init(_ camera: Intrinsics) { self.init(intrinsics: camera, lens: camera.lens ?? LensCoefficients()) }

    /// A camera beside the depth camera.
    init(
        intrinsics: Intrinsics, lens: LensCoefficients = LensCoefficients(), pose: CameraPose = .identity
    ) {
        (self.intrinsics, self.lens, self.pose) = (intrinsics, lens, pose)
    }

    /// The projection of a point (x, y, 1), in pixels; `nil` outside the lens.
    @inline(__always)
    func project(_ x: Double, _ y: Double) -> SIMD2<Double>? {
        lens.distorted(x, y).map {
            SIMD2($0.x * intrinsics.fx + intrinsics.cx, $0.y * intrinsics.fy + intrinsics.cy)
        }
    }

    /// The point (x, y, 1) that projects to a pixel; `nil` if missing.
    func ray(_ column: Double, _ row: Double) -> SIMD2<Double>? {
        lens.ray(
            SIMD2(column, row), focal: SIMD2(intrinsics.fx, intrinsics.fy),
            center: SIMD2(intrinsics.cx, intrinsics.cy))
    }

    /// The intrinsics with the lens.
    var camera: Intrinsics {
        var camera = intrinsics
        camera.lens = lens.isNone ? nil : lens
        return camera
    }
}
