package import Bytes
package import DepthTypes
internal import Sequences

/// A recording with a list of its frames and the location of their parts. Reading one reads no pixels.
///
/// Poses are camera-to-world with axes as in OpenCV, and times are seconds from the first frame, in every layout.
package struct ListedRecording: Sendable {
    /// The file or folder.
    package let path: String
    /// The layout of its files.
    package let layout: RecordingLayout
    /// The frames, by time. Listed frames whose files are missing are skipped.
    package private(set) var frames: [RecordedFrame]
    /// The size of the first color picture; `nil` without one.
    package let colorSize: PixelSize?
    /// The size of the first depth map; `nil` without one, and if it is known only after decoding.
    package internal(set) var depthSize: PixelSize?
    /// The size of the first confidence map; `nil` without one, and if it is known only after decoding.
    package let confidenceSize: PixelSize?
    /// The default camera, for frames that declare none, in pixels of ``cameraFrame``.
    package let intrinsics: Intrinsics?
    /// The frame that intrinsics are for; `nil` without intrinsics.
    package let cameraFrame: PixelSize?
    /// The origin of the camera's values.
    package let cameraOrigin: CameraSource
    /// How poses are stored; `nil` without poses.
    package private(set) var convention: PoseConvention?
    /// Whether poses were estimated, in the camera of the first followed frame, because the recording has none.
    package private(set) var hasEstimatedPoses = false
    /// The upward direction in the world of the poses, if the recording's app aligns it with gravity; `nil` if it is not known.
    package private(set) var up: SIMD3<Double>?
    /// Where the world of the stored poses is in that of ``frames``: the identity unless the recording was moved.
    package private(set) var storedWorld = CameraPose.identity
    /// The world of the poses of ``frames``, in words.
    package private(set) var worldName = "the recording's poses"
    /// Whether frames have times; otherwise 30 frames a second are assumed.
    package let hasTimes: Bool
    /// Defects and assumptions.
    package let diagnostics: [Diagnostic]
    package let scale: DepthScale
    /// How many listed frames are skipped because their files are missing.
    package let skippedCount: Int
    /// The number of existing depth maps, or pictures of a recording without depth, that the recording does not list.
    package let unlistedCount: Int
    /// The topics of a bag; `nil` for other layouts.
    package let topics: [BagTopic]?

    /// The lens of the color pictures; `nil` if it is unknown, or has no distortion.
    package let lens: LensCoefficients?
    /// The movie with color pictures; `nil` if they are stored separately.
    let movie: StoredMovie?
    /// The sound, if it is not in the movie.
    let sound: (any FramePart)?
    /// The stored time of the first frame, in seconds; 0 if the recording has no times.
    package let timeOrigin: Double
    let coding: FrameCoding
    /// The limits of reading its frames.
    package let limits: DecodingLimits

    /// Stored units per meter; `nil` if samples are in meters, or have no unit.
    package var unitsPerMeter: Double? { scale.isMetric ? coding.depth.unitsPerMeter : nil }

    /// How many frames have a pose.
    package var poseCount: Int { frames.count { $0.pose != nil } }

    /// The same recording with estimated poses for frames, by their indices.
    package func withEstimatedPoses(_ poses: [Int: CameraPose]) -> ListedRecording {
        var recording = self
        for (index, pose) in poses { recording.frames[index].pose = pose }
        (recording.hasEstimatedPoses, recording.convention, recording.up) = (true, nil, nil)
        recording.worldName = "the first followed frame's camera"
        return recording
    }

    /// The same recording in another world of this name, in which the present world is at the pose `world`.
    package func moved(to world: CameraPose, named name: String) -> ListedRecording {
        var recording = self
        recording.worldName = name
        for index in frames.indices { recording.frames[index].pose = frames[index].pose.map(world.appending) }
        recording.storedWorld = world.appending(storedWorld)
        recording.up = up.map(world.turned)
        return recording
    }

    /// The same recording with these of its frames, by their indices in ascending order.
    package func keeping(_ indices: [Int]) -> ListedRecording {
        var recording = self
        recording.frames = indices.map { frames[$0] }
        return recording
    }

    /// Whether any frame has a confidence map.
    package var hasConfidence: Bool { frames.contains { $0.confidence != nil } }

    /// Whether any frame has a depth map.
    package var hasDepth: Bool { frames.contains { $0.depth != nil } }

    /// Whether any frame has a color picture.
    package var hasColor: Bool { frames.contains(where: \.hasColor) }

    /// How many frames have a matte.
    package var matteCount: Int { frames.count { $0.matte != nil } }

    /// How many frames have a color picture.
    package var colorCount: Int { frames.count(where: \.hasColor) }

    /// Seconds from the first frame to the last; `nil` if the recording has no times.
    package var seconds: Double? { hasTimes ? frames.last?.time : nil }

    /// Frames a second: the reciprocal of the median interval; `nil` if the recording has no times, or only one frame.
    package var rate: Double? {
        guard hasTimes, let median = medianInterval(frames), median > 0 else { return nil }
        return FrameTimes.rate(1 / median)
    }

    /// The camera of a frame; `nil` if unknown.
    package func calibration(of frame: RecordedFrame) -> CameraCalibration? {
        guard let size = cameraFrame, let camera = frame.intrinsics ?? intrinsics else { return nil }
        return camera.calibration(size)
    }
}

extension ListedRecording {
    /// The path of a frame's color picture from a folder; `nil` if it is inside another file.
    package func colorPath(of frame: RecordedFrame, from folder: String) -> String? {
        frame.color?.path.map { $0.relativePath(from: folder) ?? $0 }
    }

    /// The path of a frame's depth map from a folder; `nil` if it is inside another file.
    package func depthPath(of frame: RecordedFrame, from folder: String) -> String? {
        frame.depth?.path.map { $0.relativePath(from: folder) ?? $0 }
    }
}

/// The median of the intervals between frames; `nil` for fewer than two.
func medianInterval(_ frames: [RecordedFrame]) -> Double? {
    let times = frames.compactMap(\.time)
    let intervals = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
    return intervals.isEmpty ? nil : intervals[intervals.count / 2]
}
