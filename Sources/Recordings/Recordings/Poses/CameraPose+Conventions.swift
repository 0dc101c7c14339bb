internal import DepthMaps
package import DepthTypes

extension CameraPose {
    /// A pose from a rotation and translation as stored in a file.
    ///
    /// `nil` if the matrix is not a rotation, as after tracking was lost. Rounding of the stored digits is corrected.
    ///
    /// - Parameter columns: The columns of the stored rotation matrix.
    init?(columns: [SIMD3<Double>], translation: SIMD3<Double>, _ convention: PoseConvention) {
        guard columns.count == 3, let axes = Self.orthonormal(columns[0], columns[1], columns[2]),
            translation.isFinite
        else { return nil }
        self = CameraPose(right: axes.0, down: axes.1, forward: axes.2, position: translation)
            .converted(from: convention)
    }

    /// The pose in OpenCV's camera-to-world convention, if these are the unconverted numbers of another convention.
    package func converted(from convention: PoseConvention) -> CameraPose {
        var pose = self
        if convention.isWorldToCamera {
            // R becomes Rᵀ, and t becomes −Rᵀ·t.
            pose.right = SIMD3(right.x, down.x, forward.x)
            pose.down = SIMD3(right.y, down.y, forward.y)
            pose.forward = SIMD3(right.z, down.z, forward.z)
            pose.position = -SIMD3(
                (right * position).sum(), (down * position).sum(), (forward * position).sum())
        }
        if convention.hasOpenGLAxes {
            pose.down = -pose.down
            pose.forward = -pose.forward
        }
        return convention == .rosBody ? pose.appending(.cameraOnBody) : pose
    }

    /// A camera at the origin of a body with the axes of REP 103, x forward, y left, z up, that looks ahead.
    static let cameraOnBody = CameraPose(
        right: SIMD3(0, -1, 0), down: SIMD3(0, 0, -1), forward: SIMD3(1, 0, 0), position: .zero)

    /// The numbers that a convention stores for this pose: the inverse of ``converted(from:)``.
    package func stored(in convention: PoseConvention) -> CameraPose {
        var pose = self
        if convention.hasOpenGLAxes {
            pose.down = -pose.down
            pose.forward = -pose.forward
        }
        if convention == .rosBody { return pose.appending(Self.cameraOnBody.inverse) }
        return convention.isWorldToCamera ? pose.converted(from: .worldToCameraOpenCV) : pose
    }

    /// A pose from the upper 3 × 4 of a matrix, row by row.
    init?(rows: [Double], _ convention: PoseConvention) {
        guard rows.count == 12 || rows.count == 16 else { return nil }
        self.init(
            columns: (0..<3).map { SIMD3(rows[$0], rows[4 + $0], rows[8 + $0]) },
            translation: SIMD3(rows[3], rows[7], rows[11]), convention)
    }

    /// A pose from a 4 × 4 matrix, column by column.
    init?(columnMajor values: [Double], _ convention: PoseConvention) {
        guard values.count == 16 else { return nil }
        self.init(
            columns: (0..<3).map { SIMD3(values[4 * $0], values[4 * $0 + 1], values[4 * $0 + 2]) },
            translation: SIMD3(values[12], values[13], values[14]), convention)
    }

    /// A pose from a quaternion x, y, z, w, which need not be normalized.
    init?(quaternion: SIMD4<Double>, translation: SIMD3<Double>, _ convention: PoseConvention) {
        let length = (quaternion * quaternion).sum().squareRoot()
        guard length.isFinite, length > 1e-6 else { return nil }
        let q = quaternion / length
        let (x, y, z, w) = (q.x, q.y, q.z, q.w)
        self.init(
            columns: [
                SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
                SIMD3(2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
                SIMD3(2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)),
            ], translation: translation, convention)
    }

    /// A pose from a rotation vector: its direction is the axis, its length the angle in radians (Rodrigues).
    init?(rotationVector vector: SIMD3<Double>, translation: SIMD3<Double>, _ convention: PoseConvention) {
        let angle = (vector * vector).sum().squareRoot()
        guard angle.isFinite, angle < 1e6 else { return nil }
        let axis = angle > 1e-12 ? vector / angle : SIMD3(1, 0, 0)
        let sine = Trigonometry.sine(angle / 2)
        self.init(
            quaternion: SIMD4(axis.x * sine, axis.y * sine, axis.z * sine, Trigonometry.cosine(angle / 2)),
            translation: translation, convention)
    }

    /// Orthonormalized directions, if the given ones are orthonormal to within a fiftieth; `nil` if they are not, or are
    /// left-handed.
    private static func orthonormal(
        _ x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>
    ) -> (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)? {
        let tolerance = 0.02
        for axis in [x, y, z] {
            guard axis.isFinite, abs((axis * axis).sum() - 1) < tolerance else { return nil }
        }
        guard abs((x * y).sum()) < tolerance, abs((x * z).sum()) < tolerance, abs((y * z).sum()) < tolerance,
            (x.cross(y) * z).sum() > 0
        else { return nil }
        let first = x / (x * x).sum().squareRoot()
        let rest = y - first * (first * y).sum()
        let second = rest / (rest * rest).sum().squareRoot()
        return (first, second, first.cross(second))
    }
}

extension SIMD3<Double> {
    /// Whether no coordinate is infinite or not a number.
    var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

extension PoseConvention {
    /// The convention for people.
    package var words: String {
        self == .rosBody
            ? "body to world, x forward, y left, z up (REP 103)"
            : (isWorldToCamera ? "world to camera" : "camera to world")
                + (hasOpenGLAxes ? ", axes as in OpenGL" : ", axes as in OpenCV")
    }
}
