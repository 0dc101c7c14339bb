package import Bytes
internal import DepthTypes
package import Geometry
package import Recordings
package import Scenes

/// A recording with poses: its own, or those that odometry estimates if it has none; upright on request.
package struct FollowedRecording: Sendable {
    /// The recording with poses.
    package let recording: Recording
    /// How poses were estimated; `nil` if the recording has poses.
    package let estimate: EstimatedPath?
    /// How the world was turned; `nil` if the poses were kept.
    package let level: RecordingLevel?
    private let outliers: Diagnostic?

    /// How poses were estimated, which frames could not be followed or have wrong poses, and how the world was turned.
    package var diagnostics: [Diagnostic] {
        (estimate?.diagnostics ?? []) + [outliers, level?.diagnostic].compactMap(\.self)
    }

    /// Follows the camera through all frames from the start to the end of a selection, if the recording has no poses. Frames that
    /// cannot be followed have no pose. Stored poses that contradict the frames around them are removed. With `axes`, turns the
    /// world upright, by gravity or by the floor: y points up or down, and x is level.
    ///
    /// Throws ``FusionError`` if frames have no depth in meters or no camera, if almost no frame can be followed, and if it
    /// is not known what is up.
    package init(
        _ recording: Recording, _ selection: FrameSelection, uprightIn axes: CloudAxes? = nil
    ) throws(FusionError) {
        var posed = recording
        estimate = recording.poseCount > 0 ? nil : try EstimatedPath(&posed, selection)
        let audit = PoseAudit(outliersOf: recording, selection.indices(in: recording))
        posed.leaveOut(audit.outliers)
        outliers = audit.outlierDiagnostic
        if let axes {
            try recording.requireMetricDepth()
            let level = try RecordingLevel(posed, selection.indices(in: posed), axes)
            (self.level, self.recording) = (level, posed.moved(to: level.world, named: level.worldName))
        } else {
            (level, self.recording) = (nil, posed)
        }
    }
}

extension Recording {
    /// Throws ``FusionError`` if frames have no depth in meters, or no camera.
    package func requireMetricDepth() throws(FusionError) {
        guard hasDepth else { throw .noDepth }
        guard scale.hasUnit else { throw .noUnit }
        guard frames.contains(where: { calibration(of: $0) != nil }) else { throw .noCamera }
    }
}
