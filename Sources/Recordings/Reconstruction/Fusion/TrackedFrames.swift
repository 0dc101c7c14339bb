internal import Recordings
internal import Sequences

/// The frames of a recording, with the path of the camera that odometry found.
struct TrackedFrames: Sendable {
    /// The indices of the frames, in order.
    let indices: [Int]
    /// The path, with an element for each index.
    let path: FollowedPath
    /// The indices of frames that cannot be decoded. Fusion reports them.
    let damaged: Set<Int>

    /// Follows the camera through all frames from the start to the end of a selection: skipped frames help to follow the
    /// others. Throws ``FusionError``.
    init(_ recording: ListedRecording, _ selection: FrameSelection) throws(FusionError) {
        try recording.requireMetricDepth()
        var all = selection
        all.step = 1
        indices = all.indices(in: recording)
        guard !indices.isEmpty else { throw .noFrames }
        var tracker = CameraTracker()
        var losses = FusionLosses()
        try DecodedFrames(recording).forEach(indices, &losses) { tracker.add($0) }
        guard !Interruption.isRequested else { throw .interrupted }
        path = tracker.path()
        damaged = Set(losses.frames.map(\.index))
    }
}
