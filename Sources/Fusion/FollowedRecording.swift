package import ByteParsing
internal import DepthModel
internal import Odometry
package import Recordings
package import Sequences

/// A recording with poses: its own, or those that odometry estimates if it has none.
package struct FollowedRecording: Sendable {
    /// The recording with poses.
    package let recording: ListedRecording
    /// How poses were estimated, and which frames could not be followed; empty if the recording has poses.
    package let diagnostics: [Diagnostic]

    /// Follows the camera through all frames from the start to the end of a selection, if the recording has no poses. Frames that
    /// cannot be followed have no pose.
    ///
    /// Throws ``FusionError`` if frames have no depth in meters or no camera, and if almost no frame can be followed.
    package init(_ recording: ListedRecording, _ selection: FrameSelection) throws(FusionError) {
        guard recording.poseCount == 0 else {
            (self.recording, diagnostics) = (recording, [])
            return
        }
        try recording.requireMetricDepth()
        // Skipped frames help to follow those between them.
        var all = selection
        all.step = 1
        let indices = all.indices(in: recording)
        guard !indices.isEmpty else { throw .noFrames }
        var tracker = CameraTracker()
        // Fusion reports damaged frames.
        var losses = FusionLosses()
        DecodedFrames(recording).forEach(indices, &losses) { tracker.add($0) }
        guard !Interruption.isRequested else { throw .interrupted }
        let path = tracker.path()
        let count = indices.count
        guard path.followedCount >= max(min(2, count), count / 10) else {
            throw .notFollowed(path.followedCount, count: count)
        }
        var poses: [Int: CameraPose] = [:]
        for (index, frame) in zip(indices, path.frames) { poses[index] = frame?.pose }
        self.recording = recording.withEstimatedPoses(poses)
        let damaged = Set(losses.frames.map(\.index))
        let lost = indices.filter { poses[$0] == nil && !damaged.contains($0) }
        diagnostics = Self.diagnostics(
            path, count: count, world: indices.first { poses[$0] != nil } ?? 0, lost: lost)
    }

    private static func diagnostics(
        _ path: FollowedPath, count: Int, world: Int, lost: [Int]
    ) -> [Diagnostic] {
        var text = "the recording has no poses; odometry followed \(path.followedCount) of \(count) frames"
        if let error = path.depthError, let deviation = path.positionDeviation {
            text +=
                ", with points \(millimeters(error)) mm (RMS) from the surfaces of keyframes and positions"
                + " accurate to about \(millimeters(deviation)) mm relative to them"
        }
        text += "; the camera of frame \(world) is the world"
        let note = Diagnostic.note(.estimatedPoses, text)
        guard let first = lost.first else { return [note] }
        let frames = lost.count == 1 ? "1 frame" : "\(lost.count) frames"
        return [
            note,
            .warning(
                .lostTracking,
                "odometry could not follow \(frames), which are not fused; the first is frame \(first)"),
        ]
    }

    private static func millimeters(_ meters: Double) -> String { "\((meters * 10_000).rounded() / 10)" }
}

extension Diagnostic.Code {
    /// The recording has no poses; odometry estimated them.
    package static let estimatedPoses: Self = "estimated-poses"
}

extension ListedRecording {
    /// The world of the poses, in words.
    var worldName: String {
        hasEstimatedPoses ? "the first followed frame's camera" : "the recording's poses"
    }

    /// Throws ``FusionError`` if frames have no depth in meters, or no camera.
    package func requireMetricDepth() throws(FusionError) {
        guard hasDepth else { throw .noDepth }
        guard scale.isMetric else { throw .noUnit }
        guard frames.contains(where: { calibration(of: $0) != nil }) else { throw .noCamera }
    }
}
