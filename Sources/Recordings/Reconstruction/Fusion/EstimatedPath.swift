package import Bytes
internal import DepthTypes
internal import Recordings
internal import Scenes

/// How odometry estimated the poses of a recording.
package struct EstimatedPath: Sendable {
    /// How many frames odometry examined.
    package let frameCount: Int
    /// How many of them it followed.
    package let followedCount: Int
    /// The RMS distance of points from the surfaces of keyframes, in meters; `nil` if only one frame was followed.
    package let depthError: Double?
    /// The RMS of the standard deviations of positions in the world, with drift, in meters; `nil` as above.
    package let positionDeviation: Double?
    /// The index of the frame whose camera is the world.
    package let worldFrame: Int
    /// The indices of frames that can be decoded, but not followed, and of those in other parts of the path.
    package let lostFrames: [Int]
    /// How many other parts of the path cannot be joined to the longest one.
    package let otherParts: Int

    /// As many followed frames are used, and fewer if they are a tenth of all.
    private static let enough = 10

    /// Follows the camera through all frames from the start to the end of a selection, and sets their poses. Throws ``FusionError``.
    init(_ recording: inout Recording, _ selection: FrameSelection) throws(FusionError) {
        try recording.requireMetricDepth()
        // Skipped frames help to follow the others.
        var all = selection
        all.step = 1
        let indices = all.indices(in: recording)
        guard !indices.isEmpty else { throw .noFrames }
        var tracker = CameraTracker()
        // Fusion reports damaged frames.
        var losses = FusionLosses()
        try losses.forEach(indices, of: recording) { tracker.add($0) }
        guard !Interruption.isRequested else { throw .interrupted }
        let path = tracker.path()
        let damaged = Set(losses.frames.map(\.index))
        frameCount = indices.count
        followedCount = path.followedCount
        otherParts = path.otherParts
        guard followedCount >= max(min(2, frameCount), min(frameCount / 10, Self.enough)) else {
            throw .notFollowed(followedCount, count: frameCount)
        }
        var poses: [Int: CameraPose] = [:]
        for (index, frame) in zip(indices, path.frames) { poses[index] = frame?.pose }
        recording = recording.withEstimatedPoses(poses)
        (depthError, positionDeviation) = (path.depthError, path.positionDeviation)
        worldFrame = indices.first { poses[$0] != nil } ?? 0
        lostFrames = indices.filter { poses[$0] == nil && !damaged.contains($0) }
    }

    /// How poses were estimated, and which frames could not be followed.
    var diagnostics: [Diagnostic] {
        var text = "the recording has no poses; odometry followed \(followedCount) of \(frameCount) frames"
        if let depthError, let positionDeviation {
            text +=
                ", with points \(Self.millimeters(depthError)) mm (RMS) from the surfaces of keyframes and positions"
                + " accurate to about \(Self.millimeters(positionDeviation)) mm, with drift"
        }
        text += "; the camera of frame \(worldFrame) is the world"
        let note = Diagnostic.note(.estimatedPoses, text)
        guard let first = lostFrames.first else { return [note] }
        let frames = lostFrames.count == 1 ? "1 frame" : "\(lostFrames.count) frames"
        var loss = "odometry could not follow \(frames), which are not fused; the first is frame \(first)"
        if otherParts > 0 {
            let parts = otherParts == 1 ? "another part" : "\(otherParts) other parts"
            loss =
                "odometry lost the camera, and only the longest part of the path is used: \(parts) cannot be joined to it"
                + " without doubt; \(frames) are not fused, the first is frame \(first)"
        }
        return [note, .warning(.lostTracking, loss)]
    }

    private static func millimeters(_ meters: Double) -> String { "\((meters * 10_000).rounded() / 10)" }
}

extension Diagnostic.Code {
    /// The recording has no poses; odometry estimated them.
    package static let estimatedPoses: Self = "estimated-poses"
}
