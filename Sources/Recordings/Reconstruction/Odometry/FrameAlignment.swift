internal import DepthTypes

/// How a view is aligned to a surface: the camera's motion, and how sure it is.
struct FrameAlignment: Sendable {
    /// The pose of the view in the surface's camera coordinates.
    var pose: CameraPose
    /// JᵀWJ at the pose, of small motions that are applied after it: the inverse covariance if all residuals were independent.
    /// Without what the noise of planes' directions adds to it.
    var curvature = Matrix6()
    /// The fraction of the view's depth samples that the surface covers.
    var overlap = 0.0
    /// The fraction of the covered samples that are near the surface.
    var inlierShare = 0.0
    /// The robust RMS of the distances between points and planes, in meters.
    var depthError = 0.0
    /// The robust RMS of the differences in brightness.
    var brightnessError = 0.0
    /// The mean distance of the samples, in meters.
    var distance = 1.0

    /// The pose of a view in itself.
    static var identity: FrameAlignment {
        var identity = FrameAlignment(pose: .identity)
        (identity.overlap, identity.inlierShare) = (1, 1)
        return identity
    }
}

/// How far an alignment can be trusted.
extension FrameAlignment {
    /// Whether the pose can be used: enough of the view lies on the surface, and its geometry and texture determine the pose.
    var isFollowed: Bool {
        overlap > 0.25 && inlierShare > 0.75 && conditioning > Self.leastConditioning
            && positionDeviation < 0.02 * distance
    }

    /// Whether other initial poses need not be tried.
    var isSure: Bool { isFollowed && overlap > 0.5 && inlierShare > 0.9 }

    /// How well the view matches: the fraction of its samples that are near the surface.
    var quality: Double { overlap * inlierShare }

    /// Whether it leaves no larger differences in depth and brightness than half as much again as another one.
    func fits(asWellAs other: FrameAlignment) -> Bool {
        depthError < 1.5 * other.depthError && brightnessError < 1.5 * other.brightnessError
    }

    /// Whether its pose is clearly another one.
    func differs(from other: FrameAlignment) -> Bool {
        let change = pose.appending(other.pose.inverse)
        return change.position.length > 0.05 * distance || change.angle > 0.1
    }

    /// How far points at the mean distance move at most between another pose and this one, as a fraction of the distance.
    func motion(from other: CameraPose) -> Double {
        pose.appending(other.inverse).twist.motion(at: distance) / distance
    }

    /// Whether the camera has moved so far that the next keyframe should start.
    var isNearEdge: Bool {
        overlap < 0.75 || pose.angle > 0.2 || pose.position.length > 0.12 * distance
    }

    /// The covariance of the pose in m² and rad²; `nil` if it is undetermined.
    ///
    /// Residuals of neighbors are correlated, since planes are fitted to windows: one in 36 counts. Measured on a rendered room,
    /// errors are then as large as predicted. Errors of the camera's calibration are larger in real recordings: 0.2 % of the
    /// distance and 1 mrad are added.
    private var covariance: Matrix6? {
        guard var covariance = curvature.inverse else { return nil }
        covariance = covariance * 36
        for index in 0..<3 {
            covariance[index, index] += 4e-6 * distance * distance
            covariance[index + 3, index + 3] += 1e-6
        }
        return covariance
    }

    /// The inverse covariance of the pose, in 1/m² and 1/rad², for small motions that are applied after it.
    var information: Matrix6 { covariance?.inverse ?? Matrix6() }

    /// The standard deviation of the position, in meters; infinite if it is undetermined.
    var positionDeviation: Double {
        guard let covariance else { return .infinity }
        return (covariance[0, 0] + covariance[1, 1] + covariance[2, 2]).squareRoot()
    }

    /// Below this, a motion hardly changes any residual: real and rendered rooms have more than 0.001.
    private static let leastConditioning = 0.0005

    /// The smallest eigenvalue of the curvature, relative to the largest, with rotations measured by the motion of points at
    /// the mean distance (Zhang, Kaess and Singh 2016).
    var conditioning: Double {
        var scaled = curvature
        for row in 0..<6 {
            for column in 0..<6 {
                scaled[row, column] /= (row < 3 ? 1 : distance) * (column < 3 ? 1 : distance)
            }
        }
        let values = scaled.eigenvalues
        return values[5] > 0 ? values[0] / values[5] : 0
    }
}
