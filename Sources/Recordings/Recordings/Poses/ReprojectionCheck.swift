package import Bytes
internal import DepthMaps
package import DepthTypes
package import Scenes

/// Checks whether depth and poses of a recording match: points of one frame, moved by the poses into another, should coincide
/// with the other frame's depth.
///
/// Every ``PoseConvention`` is tried on the same frames. The right one has by far the smallest median distance: millimeters
/// to centimeters. For others it is decimeters, unless the camera hardly moved.
package struct ReprojectionCheck: Sendable {
    /// For each convention, the median of |Δz| in meters; `nil` if too few points are visible in other frames.
    package let errors: [PoseConvention: Double]
    /// The convention that the recording is read with.
    package let convention: PoseConvention

    /// The median of |Δz| in meters, for the convention that the recording is read with.
    package var error: Double? { errors[convention] }

    /// The convention that fits clearly better than the declared one; `nil` if no convention does.
    package var better: PoseConvention? {
        let best = errors.min { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
        guard let best, best.key != convention else { return nil }
        guard let own = error else { return best.key }
        return best.value < 0.5 * own && own > 0.02 ? best.key : nil
    }

    /// A warning if another convention fits better.
    package var diagnostics: [Diagnostic] {
        guard let better, let value = errors[better] else { return [] }
        let own = error.map { "\(Self.millimeters($0)) mm" } ?? "more than can be compared"
        return [
            .warning(
                .poseConvention,
                "poses fit better as \(better.rawValue) (\(Self.millimeters(value)) mm off) than as "
                    + "\(convention.rawValue) (\(own) off)")
        ]
    }

    private static func millimeters(_ meters: Double) -> String {
        let value = (meters * 10_000).rounded() / 10
        return value < 10 || value >= 1e15 ? "\(value)" : "\(Int(value.rounded()))"
    }
}

extension ReprojectionCheck {
    /// Checks a few pairs of a recording's frames. `nil` if fewer than two frames have depth, pose and camera, or if the
    /// depth has no unit.
    package init?(_ recording: Recording) {
        guard let survey = Survey(recording), let check = survey.check() else { return nil }
        self = check
    }

    /// The frames that a check compares, collected while they are decoded for something else.
    package struct Survey {
        private let recording: Recording
        private let convention: PoseConvention
        private let pairs: [(Int, Int)]
        /// The depth of frames so far, by their indices; `nil` for frames that are of no use.
        private var views: [Int: View?] = [:]

        /// Chooses pairs of frames. `nil` without stored poses or a unit.
        package init?(_ recording: Recording) {
            guard let convention = recording.convention, recording.scale.hasUnit else { return nil }
            let usable = recording.frames.indices.filter {
                recording.frames[$0].pose != nil && recording.frames[$0].hasDepth
                    && recording.calibration(of: recording.frames[$0]) != nil
            }
            (self.recording, self.convention) = (recording, convention)
            pairs = ReprojectionCheck.pairs(usable, recording)
        }

        /// Keeps the depth of a frame if it is wanted. It must have been decoded with its confidence.
        package mutating func add(_ frame: DepthScene) {
            guard let index = frame.description.index,
                pairs.contains(where: { $0.0 == index || $0.1 == index })
            else { return }
            views[index] = .some(View(frame))
        }

        /// The result, after decoding frames that are missing. `nil` if no pair can be decoded.
        package func check() -> ReprojectionCheck? {
            var all = views
            let missing = Set(pairs.flatMap { [$0.0, $0.1] }).subtracting(views.keys).sorted()
            let frames = RecordingReader(recording, indices: missing, ofSurface: true)
            try? SceneLoop().forEach(frames, [.depth, .confidence]) { frame in
                all[frame.index] = .some((try? frame.result.get()).flatMap { View(frame.scene) })
            }
            // Other conventions are those of the stored numbers.
            let stored = recording.storedWorld.inverse
            var medians: [PoseConvention: [Double]] = [:]
            for (first, second) in pairs {
                guard let a = all[first] ?? nil, let b = all[second] ?? nil else { continue }
                for other in PoseConvention.allCases {
                    let error = a.medianError(in: b) {
                        stored.appending($0).stored(in: convention).converted(from: other)
                    }
                    medians[other, default: []].append(error ?? .infinity)
                }
            }
            guard !medians.isEmpty else { return nil }
            // With a wrong convention frames may not overlap at all, which is treated as a large error.
            let errors = medians.compactMapValues { values in
                let middle = values.sorted()[values.count / 2]
                return middle.isFinite ? middle : nil
            }
            return ReprojectionCheck(errors: errors, convention: convention)
        }
    }

    /// Up to six pairs, each of a frame and the next one from a clearly different viewpoint.
    private static func pairs(_ usable: [Int], _ recording: Recording) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        let count = min(6, usable.count - 1)
        guard count > 0 else { return [] }
        for index in 0..<count {
            let start = index * (usable.count - 1) / count
            let end = min(start + 240, usable.count - 1)
            guard start < end, let pose = recording.frames[usable[start]].pose else { continue }
            let next = (start + 1...end).first { place in
                recording.frames[usable[place]].pose.map { isElsewhere($0, pose) } ?? false
            }
            pairs.append((usable[start], usable[next ?? end]))
        }
        return pairs
    }

    /// Whether a camera turned by 6° or moved by 10 cm.
    private static func isElsewhere(_ a: CameraPose, _ b: CameraPose) -> Bool {
        let offset = a.position - b.position
        let turn = min((a.forward * b.forward).sum(), (a.right * b.right).sum())
        return (offset * offset).sum() > 0.01 || turn < 0.9945
    }

    /// A frame's depth with its camera and pose.
    private struct View {
        let depth: FramePlane<Float>
        let camera: CameraCalibration
        let pose: CameraPose

        /// `nil` without depth, pose or camera.
        init?(_ frame: DepthScene) {
            guard let pose = frame.description.poseOfDepth, let map = try? frame.depth(),
                let camera = map.calibration
            else { return nil }
            var depth = FramePlane(map)
            for (place, level) in ((try? frame.confidence(on: map)) ?? []).enumerated() where level == 0 {
                depth.samples[place] = .nan
            }
            self.depth = depth
            self.camera = camera.scaled(toWidth: depth.width, height: depth.height)
            self.pose = pose
        }

        /// The median of |Δz| between points of this frame and the depth of another; `nil` if fewer than 200 are visible in
        /// it.
        func medianError(in other: View, reading: (CameraPose) -> CameraPose) -> Double? {
            let (from, to) = (reading(pose), reading(other.pose))
            var errors: [Double] = []
            let step = max(1, depth.width / 160)
            for row in stride(from: 0, to: depth.height, by: step) {
                for column in stride(from: 0, to: depth.width, by: step) {
                    let z = Double(depth.samples[row * depth.width + column])
                    guard z > 0.2, z < 5 else { continue }
                    let point = camera.point(at: SIMD2(Double(column), Double(row)), distance: z)
                    let seen = to.camera(from.world(point))
                    guard seen.z > 0.1 else { continue }
                    let pixel = other.camera.pixel(of: seen)
                    guard pixel.x > -0.5, pixel.y > -0.5, pixel.x < Double(other.depth.width) - 0.5,
                        pixel.y < Double(other.depth.height) - 0.5
                    else { continue }
                    let nearest = (pixel + 0.5).rounded(.down)
                    let found = Double(
                        other.depth.samples[Int(nearest.y) * other.depth.width + Int(nearest.x)])
                    if found > 0.2 { errors.append(abs(found - seen.z)) }
                }
            }
            guard errors.count > 200 else { return nil }
            errors.sort()
            return errors[errors.count / 2]
        }
    }
}
