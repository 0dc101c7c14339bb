package import DepthTypes

/// The camera's path that a ``CameraTracker`` found.
package struct FollowedPath: Sendable {
    /// For each frame that was added, its pose; `nil` if the frame could not be followed, or is in another part of the path.
    package let frames: [FollowedFrame?]
    /// How many keyframes were aligned to earlier ones than the one before.
    package let loopCount: Int
    /// How many other parts of several frames there are, which cannot be joined to this one.
    package var otherParts = 0
    /// The RMS of the standard deviations of some keyframes' positions in the world, in meters.
    var drift = 0.0

    /// How many frames were followed, including the first.
    package var followedCount: Int { frames.count { $0 != nil } }

    /// The RMS of the distances between the points of a frame and the surface that it was aligned to, in meters; `nil` if only one
    /// frame was followed.
    package var depthError: Double? { Self.rootMeanSquare(errors.map(\.depthError)) }

    /// The RMS of the standard deviations of positions, in meters: those relative to keyframes, and the drift from keyframe to
    /// keyframe.
    package var positionDeviation: Double? {
        Self.rootMeanSquare(errors.map(\.positionDeviation)).map { ($0 * $0 + drift * drift).squareRoot() }
    }

    /// All followed frames but the first, which is where it is by definition.
    private var errors: some Collection<FollowedFrame> { frames.compactMap(\.self).dropFirst() }

    static func rootMeanSquare(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        return (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
    }
}

/// A frame that was followed.
package struct FollowedFrame: Sendable {
    /// The camera's pose in the first followed frame's camera.
    package let pose: CameraPose
    /// The standard deviation of the position relative to the keyframe, in meters.
    package let positionDeviation: Double
    /// The robust RMS of the distances between points and the keyframe's surface, in meters.
    package let depthError: Double
    /// The fraction of the samples that the keyframe's surface covers.
    package let overlap: Double
    /// The fraction of those that are near the surface.
    package let inlierShare: Double
}

/// A frame relative to its keyframe, until all keyframes are known.
struct TrackedFrame: Sendable {
    let keyframe: Int
    private let pose: CameraPose
    private let positionDeviation: Double
    private let depthError: Double
    private let overlap: Double
    private let inlierShare: Double

    /// A frame at a pose in a keyframe's camera. `alignment` may be to another one.
    init(keyframe: Int, _ alignment: FrameAlignment, pose: CameraPose) {
        (self.keyframe, self.pose) = (keyframe, pose)
        (positionDeviation, depthError) = (alignment.positionDeviation, alignment.depthError)
        (overlap, inlierShare) = (alignment.overlap, alignment.inlierShare)
    }

    /// The frame among the poses of all keyframes.
    func followed(_ keyframes: [CameraPose]) -> FollowedFrame {
        FollowedFrame(
            pose: keyframes[keyframe].appending(pose), positionDeviation: positionDeviation,
            depthError: depthError, overlap: overlap, inlierShare: inlierShare)
    }
}
