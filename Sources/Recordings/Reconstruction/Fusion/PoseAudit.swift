package import Bytes
internal import DepthTypes
internal import Recordings
internal import Scenes

/// Which stored poses contradict depth and color: frames are aligned to others, and their motion is compared with that of the poses.
struct PoseAudit: Sendable {
    /// Frames whose poses are off those of the frames around them, by their indices.
    private(set) var outliers: [Int] = []
    /// How far they are off at most, in meters.
    private(set) var outlierDistance = 0.0
    private let recording: Recording
    /// Frames that see the same long after one another, and are compared once they are decoded.
    private var pairs: [(first: Int, second: Int)] = []
    private var views: [Int: View] = [:]

    /// A decoded frame, and the stored pose of the camera that sees it.
    private struct View {
        var levels: [ViewLevel]
        var pose: CameraPose

        init?(_ frame: DepthScene) {
            guard let levels = ViewReduction.level(of: frame).map(ViewPyramid.levels),
                let pose = frame.description.poseOfDepth
            else { return nil }
            (self.levels, self.pose) = (levels, pose)
        }
    }

    /// A glitch of more frames is a jump.
    private static let mostFrames = 5
    /// More jumps to and fro are not glitches.
    private static let mostGlitches = 32
    private static let mostPairs = 6

    /// Looks for single frames, or a few in a row, to which the poses jump and from which they come back.
    init(outliersOf recording: Recording, _ indices: [Int]) {
        self.recording = recording
        let used = usable(indices)
        let steps = zip(used, used.dropFirst()).map { motion(from: $0, to: $1).size }
        guard steps.count > 3 else { return }
        let usual = steps.sorted()[steps.count / 2]
        let least = 2 * usual + 0.01
        var glitches: [(frames: ArraySlice<Int>, neighbor: Int)] = []
        var place = 1
        while place < used.count, glitches.count <= Self.mostGlitches {
            let end = (place..<min(place + Self.mostFrames, used.count)).first { end in
                let (away, back) = (steps[place - 1], end < steps.count ? steps[end] : .infinity)
                return min(away, back) > least
                    && (end + 1 == used.count
                        || motion(from: used[place - 1], to: used[end + 1]).size
                            < 2 * usual * Double(end - place + 2))
            }
            if let end { glitches.append((used[place...end], used[place - 1])) }
            place = (end ?? place) + 1
        }
        guard !glitches.isEmpty, glitches.count <= Self.mostGlitches else { return }
        read(glitches.flatMap { $0.frames + [$0.neighbor] })
        for glitch in glitches {
            for frame in glitch.frames {
                guard let distance = error(of: frame, from: glitch.neighbor, among: [.identity]) else {
                    continue
                }
                outliers.append(frame)
                outlierDistance = max(outlierDistance, distance)
            }
        }
        views = [:]
    }

    /// Chooses frames that see the same by their poses, long after one another.
    init(driftOf recording: Recording, _ indices: [Int]) {
        self.recording = recording
        let used = usable(indices)
        guard used.count > 8 else { return }
        pairs = (0..<Self.mostPairs).compactMap { number in
            let place = number * (used.count / 2) / Self.mostPairs
            let later = used[(place + used.count / 4)...]
                .map { (index: $0, size: motion(from: used[place], to: $0).size) }
            return later.min { $0.size < $1.size }.flatMap { $0.size < 0.5 ? (used[place], $0.index) : nil }
        }
    }

    /// Keeps what is needed of a decoded frame.
    mutating func add(_ frame: DepthScene) {
        guard let index = frame.description.index,
            pairs.contains(where: { $0.first == index || $0.second == index })
        else { return }
        views[index] = View(frame)
    }

    /// Names the frames with wrong poses.
    var outlierDiagnostic: Diagnostic? {
        guard let first = outliers.first else { return nil }
        let named =
            outliers.prefix(8).map(String.init).joined(separator: ", ") + (outliers.count > 8 ? ", …" : "")
        let frames =
            outliers.count == 1
            ? "the pose of frame \(first) is" : "the poses of \(outliers.count) frames (\(named)) are"
        let rest = outliers.count == 1 ? "it; it is skipped" : "them at most; these frames are skipped"
        return .warning(
            .lostTracking, "\(frames) \(Float(outlierDistance).short) m off those around \(rest)")
    }

    /// Says that poses drift, or do not fit, if that is more than two voxels of this edge in meters.
    func driftDiagnostic(voxelSize: Float, fit: Double) -> Diagnostic? {
        let drift = pairs.compactMap { first, second in
            error(of: second, from: first).map { (first: first, second: second, distance: $0) }
        }.max { $0.distance < $1.distance }
        guard max(fit, drift?.distance ?? 0) > 2 * Double(voxelSize) else { return nil }
        func millimeters(_ meters: Double) -> String { "\(Int((meters * 1000).rounded())) mm" }
        let text =
            if let drift, drift.distance > fit {
                "the poses drift: those of frames \(drift.first) and \(drift.second), which see the same, are \(millimeters(drift.distance)) off"
            } else { "the poses fit only to \(millimeters(fit))" }
        return .warning(.poseFit, text + ", more than two voxels: surfaces are doubled or blurred")
    }

    /// The frames that can be aligned.
    private func usable(_ indices: [Int]) -> [Int] {
        guard recording.scale.hasUnit, recording.convention != nil else { return [] }
        return indices.filter {
            let frame = recording.frames[$0]
            return frame.pose != nil && frame.hasDepth && recording.calibration(of: frame) != nil
        }
    }

    /// The stored pose of a frame in the camera of another.
    private func motion(from first: Int, to second: Int) -> CameraPose {
        let frames = recording.frames
        return (frames[first].pose ?? .identity).inverse.appending(frames[second].pose ?? .identity)
    }

    private mutating func read(_ indices: [Int]) {
        var losses = FusionLosses()
        var found: [Int: View] = [:]
        try? losses.forEach(Set(indices).sorted(), of: recording) { frame in
            guard let frame, let index = frame.description.index else { return }
            found[index] = View(frame)
        }
        views = found
    }

    /// How far the stored pose of a frame is off where it is surely aligned to another one, in meters; `nil` if it fits, and if that
    /// cannot be determined.
    private func error(of frame: Int, from other: Int, among starts: [CameraPose] = []) -> Double? {
        guard let view = views[frame], let surface = views[other] else { return nil }
        let aligner = ViewAligner(view.levels, to: surface.levels.map { SurfaceLevel($0) })
        let stored = surface.pose.inverse.appending(view.pose)
        // An alignment is a few millimeters off where the camera's calibration is not exact.
        func error(_ found: FrameAlignment) -> Double? {
            let distance = found.pose.appending(stored.inverse).size(at: found.distance)
            return distance > 3 * found.positionDeviation ? distance : nil
        }
        if let own = aligner.align(from: stored), own.isFollowed, error(own) == nil { return nil }
        return (starts + [stored]).lazy.compactMap { aligner.align(from: $0) }.first { $0.isSure }
            .flatMap(error)
    }
}

extension CameraPose {
    /// How far a motion moves the camera, or points at 1 m.
    fileprivate var size: Double { max(position.length, angle) }

    /// The same for points at a distance.
    fileprivate func size(at distance: Double) -> Double { max(position.length, angle * distance) }
}

extension Diagnostic.Code {
    /// Poses and depth of a recording do not fit to two voxels.
    package static let poseFit: Self = "pose-fit"
}
