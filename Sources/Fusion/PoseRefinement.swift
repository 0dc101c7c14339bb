package import ByteParsing
internal import DepthModel
internal import Glibc
internal import Odometry
internal import Recordings
internal import Sequences

/// How the stored poses of a recording were refined.
package struct PoseRefinement: Sendable {
    /// The mean and the largest change of a position, in meters.
    package let meanShift: Double
    package let largestShift: Double
    /// The mean and the largest turn of a camera, in degrees.
    package let meanTurn: Double
    package let largestTurn: Double
    /// How far points of some frames are from the depth of others, by stored and by refined poses: the medians, in meters. `nil` if
    /// that cannot be determined.
    package let errorBefore: Double?
    package let errorAfter: Double?

    /// Refined poses must reduce the error to this fraction. Where calibration is the larger error, as between the cameras of
    /// 7-Scenes, alignment only moves it elsewhere.
    private static let mostError = 0.8

    /// Whether the refined poses are used, because they fit clearly better.
    package var isUsed: Bool {
        guard let errorBefore, let errorAfter else { return false }
        return errorAfter < Self.mostError * errorBefore
    }

    /// Refines the poses of all frames from the start to the end of a selection, if that makes them fit clearly better. Throws
    /// ``FusionError``.
    init(_ recording: inout ListedRecording, _ selection: FrameSelection) throws(FusionError) {
        let tracked = try TrackedFrames(recording, selection, refinesPoses: true)
        var poses: [Int: CameraPose] = [:]
        var (shifts, turns): ([Double], [Double]) = ([], [])
        for (index, frame) in zip(tracked.indices, tracked.path.frames) {
            guard let pose = frame?.pose, let stored = recording.frames[index].pose else { continue }
            poses[index] = pose
            let change = stored.inverse.appending(pose)
            shifts.append((change.position * change.position).sum().squareRoot())
            // The trace of a rotation is 1 + 2 · cos of its angle.
            let cosine = (change.right.x + change.down.y + change.forward.z - 1) / 2
            turns.append(acos(min(max(cosine, -1), 1)) * 180 / .pi)
        }
        let count = Double(max(1, shifts.count))
        (meanShift, largestShift) = (shifts.reduce(0, +) / count, shifts.max() ?? 0)
        (meanTurn, largestTurn) = (turns.reduce(0, +) / count, turns.max() ?? 0)
        let refined = recording.withRefinedPoses(poses)
        errorBefore = ReprojectionCheck(recording)?.error
        errorAfter = ReprojectionCheck(refined)?.error
        if isUsed { recording = refined }
    }

    /// How much poses changed, or why they did not.
    var diagnostic: Diagnostic {
        guard let errorBefore, let errorAfter else {
            return .warning(
                .refinedPoses,
                "stored poses are kept: too few frames see the same to compare refined poses with them")
        }
        let errors = "\(Self.millimeters(errorBefore)) to \(Self.millimeters(errorAfter)) mm"
        guard isUsed else {
            return .warning(
                .refinedPoses, "stored poses are kept: refined ones do not fit clearly better (\(errors))")
        }
        return .note(
            .refinedPoses,
            "poses were refined and fit better (\(errors)); cameras moved by \(Self.millimeters(meanShift)) mm on average and"
                + " \(Self.millimeters(largestShift)) mm at most, and turned by \(Self.text(meanTurn))° and"
                + " \(Self.text(largestTurn))°")
    }

    private static func millimeters(_ meters: Double) -> String { text(meters * 1000, 10) }

    private static func text(_ value: Double, _ scale: Double = 100) -> String {
        "\((value * scale).rounded() / scale)"
    }
}

extension Diagnostic.Code {
    /// Stored poses were refined, or could not be improved.
    package static let refinedPoses: Self = "refined-poses"
}
