internal import AtomicFiles
package import ByteParsing
package import DepthModel
internal import Sequences

/// A recording whose frames are listed, each with where its parts are: which frames it has, and what their samples mean. No pixel of it
/// is read.
///
/// Poses are camera-to-world with axes as in OpenCV, and times are seconds from the first frame, whatever the recording stores.
package struct ListedRecording: Sendable {
    /// The file or folder.
    package let path: String
    /// How its files are laid out.
    package let layout: RecordingLayout
    /// The frames, by time. Listed ones whose files are missing are left out.
    package let frames: [RecordedFrame]
    /// The size of the first color picture; `nil` without one.
    package let colorSize: PixelSize?
    /// The size of the first depth map; `nil` without one, and where only decoding shows it.
    package internal(set) var depthSize: PixelSize?
    /// The size of the first confidence map; `nil` without one, and where only decoding shows it.
    package let confidenceSize: PixelSize?
    /// The camera of frames without their own, in pixels of ``cameraFrame``.
    package let intrinsics: Intrinsics?
    /// The frame that intrinsics are for; `nil` without intrinsics.
    package let cameraFrame: PixelSize?
    /// Where the camera is known from.
    package let cameraOrigin: CameraSource
    /// How poses are stored; `nil` without poses.
    package let convention: PoseConvention?
    /// Whether frames have times of their own; else 30 a second are assumed.
    package let hasTimes: Bool
    /// What is wrong or was assumed.
    package let diagnostics: [Diagnostic]
    /// What values of the depth mean.
    package let scale: DepthScale
    /// How many listed frames are left out because their files are missing.
    package let skippedCount: Int
    /// How many depth maps, or pictures of a recording without depth, lie beside those that the recording lists.
    package let unlistedCount: Int

    /// The movie with color pictures; `nil` where they are stored by themselves.
    let movie: StoredMovie?
    /// The sound, where it is not in the movie.
    let sound: (any FramePart)?
    /// The recording's own time of its first frame, in seconds.
    let timeOrigin: Double
    let coding: FrameCoding
    let limits: DecodingLimits

    /// How many stored units a meter has; `nil` where samples are in meters, or have no unit.
    package var unitsPerMeter: Double? { scale.isMetric ? coding.depth.unitsPerMeter : nil }

    /// How many frames have a pose.
    package var poseCount: Int { frames.count { $0.pose != nil } }

    /// Whether frames have a confidence.
    package var hasConfidence: Bool { frames.contains { $0.confidence != nil } }

    /// Whether frames have a depth map.
    package var hasDepth: Bool { frames.contains { $0.depth != nil } }

    /// Whether frames have a color picture.
    package var hasColor: Bool { frames.contains(where: \.hasColor) }

    /// How many frames have a matte.
    package var matteCount: Int { frames.count { $0.matte != nil } }

    /// How many frames have a color picture.
    package var colorCount: Int { frames.count(where: \.hasColor) }

    /// Seconds from the first frame to the last; `nil` where the recording has no times.
    package var seconds: Double? { hasTimes ? frames.last?.time : nil }

    /// Frames a second: the reciprocal of the median interval; `nil` where the recording has no times, or one frame.
    package var rate: Double? {
        guard hasTimes, let median = medianInterval(frames), median > 0 else { return nil }
        return FrameTimes.rate(1 / median)
    }

    /// The camera of a frame; `nil` where it is unknown.
    package func calibration(of frame: RecordedFrame) -> CameraCalibration? {
        guard let size = cameraFrame, let camera = frame.intrinsics ?? intrinsics else { return nil }
        return camera.calibration(size)
    }
}

extension ListedRecording {
    /// The path of a frame's color picture, from the recording's folder; `nil` where it is a part of another file.
    package func colorName(of frame: RecordedFrame) -> String? { name(of: frame.color) }

    /// The path of a frame's depth map, from the recording's folder; `nil` where it is a part of another file.
    package func depthName(of frame: RecordedFrame) -> String? { name(of: frame.depth) }

    private func name(of part: (any FramePart)?) -> String? {
        guard let file = part?.path else { return nil }
        return file.hasPrefix(path + "/") ? String(file.dropFirst(path.count + 1)) : file.lastPathComponent
    }
}

/// The median of the intervals between frames; `nil` for fewer than two.
func medianInterval(_ frames: [RecordedFrame]) -> Double? {
    let times = frames.compactMap(\.time)
    let intervals = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
    return intervals.isEmpty ? nil : intervals[intervals.count / 2]
}
