package import Bytes
internal import DepthMaps
internal import DepthTypes
package import Geometry
internal import Glibc
internal import Recordings
internal import Scenes

/// How the world of a recording is turned upright.
package struct RecordingLevel: Sendable {
    /// What shows the upward direction.
    package enum Source: String, Sendable {
        /// The world of the poses is aligned with gravity.
        case gravity
        case floor
    }

    /// What shows the upward direction.
    package let source: Source
    /// The axes of the level world.
    package let axes: CloudAxes
    /// The angle between the upward direction and the nearest axis of the poses' world, in degrees.
    package let tilt: Double
    /// The angle between the floor's direction and the one that is used, in degrees; `nil` without a floor.
    package let floorAngle: Double?
    /// The floor's fraction of all surfaces, 0…1; `nil` without a floor.
    package let floorShare: Double?
    /// The RMS distance of the floor's points from a plane, in meters; `nil` without a floor.
    package let floorFlatness: Double?
    /// The nearest axis of the poses' world, such as `+y`.
    private let axis: String
    /// The pose of the recording's world in the level one.
    let world: CameraPose

    /// The name of the level world, for headers.
    var worldName: String { "a level world, y \(axes == .opengl ? "up" : "down")" }

    /// More frames would hardly add surfaces.
    private static let mostFrames = 64
    /// A floor this many degrees off is reported as a warning: a slope, or poses in another convention.
    private static let largeAngle = 3.0
    /// A smaller fraction of the surfaces may be anything.
    private static let largeShare = 0.1

    /// Finds the upward direction: by gravity if the recording's world is aligned with it, else by the floor, whose height
    /// becomes 0.
    ///
    /// Throws ``FusionError`` if neither shows it.
    init(_ recording: Recording, _ indices: [Int], _ axes: CloudAxes) throws(FusionError) {
        let floor = Result { () throws(FloorError) in try Self.floor(of: recording, indices) }
        let found = try? floor.get()
        let up: SIMD3<Double>
        if let gravity = recording.up {
            (source, up) = (.gravity, gravity)
        } else {
            do throws(FloorError) {
                (source, up) = (.floor, try floor.get().up)
            } catch {
                switch error {
                case .missing: throw .noFloor
                case .ambiguous(let degrees): throw .severalFloors(degrees: degrees)
                }
            }
        }
        self.axes = axes
        (floorShare, floorFlatness) = (found?.share, found?.flatness)
        floorAngle = found.map { Self.degrees($0.up, up) }
        let nearest = (0..<3).max { abs(up[$0]) < abs(up[$1]) } ?? 1
        var direction = SIMD3<Double>.zero
        direction[nearest] = up[nearest] < 0 ? -1 : 1
        axis = (up[nearest] < 0 ? "−" : "+") + ["x", "y", "z"][nearest]
        tilt = Self.degrees(up, direction)
        let height = source == .floor ? found?.height ?? 0 : 0
        world = Self.world(up, height: height, axes)
    }

    private static func floor(of recording: Recording, _ indices: [Int]) throws(FloorError) -> Floor {
        let posed = indices.filter { recording.frames[$0].pose != nil }
        let poses = posed.compactMap { recording.frames[$0].pose }
        guard let up = recording.up ?? CameraPose.meanUp(of: poses) else { throw .missing }
        var survey = SurfaceSurvey()
        let step = max(1, (posed.count + mostFrames - 1) / mostFrames)
        let surveyed = stride(from: 0, to: posed.count, by: step).map { posed[$0] }
        let frames = RecordingReader(recording, indices: surveyed)
        try? SceneLoop().forEach(frames, [.depth, .confidence]) { frame in
            // Fusion reports damaged frames.
            if case .success = frame.result { survey.add(frame.scene) }
        }
        return try survey.floor(near: up)
    }

    /// The angle between two unit vectors, in degrees.
    private static func degrees(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
        acos(min(max((a * b).sum(), -1), 1)) * 180 / .pi
    }

    /// The pose of a world with this upward direction in the level world: the smallest turn, for worlds whose y points down after
    /// half a turn about x, so that cameras keep their direction.
    private static func world(_ up: SIMD3<Double>, height: Double, _ axes: CloudAxes) -> CameraPose {
        let half = CameraPose(
            right: SIMD3(1, 0, 0), down: SIMD3(0, -1, 0), forward: SIMD3(0, 0, -1), position: .zero)
        let isDown = up.y < 0
        let start = isDown ? half.turned(up) : up
        // Rodrigues: I + [v]× + [v]×² / (1 + c), with v = up × y and c = up · y.
        let (axis, cosine) = (SIMD3(-start.z, 0, start.x), start.y)
        func column(_ vector: SIMD3<Double>) -> SIMD3<Double> {
            let first = axis.cross(vector)
            return vector + first + axis.cross(first) / (1 + cosine)
        }
        let turn = CameraPose(
            right: column(SIMD3(1, 0, 0)), down: column(SIMD3(0, 1, 0)), forward: column(SIMD3(0, 0, 1)),
            position: SIMD3(0, -height, 0))
        let upright = isDown ? turn.appending(half) : turn
        return axes == .opencv ? half.appending(upright) : upright
    }

    /// What shows the upward direction, and how sure that is.
    var diagnostic: Diagnostic {
        let floor = floorShare.flatMap { share in
            floorFlatness.map {
                "\(Int((share * 100).rounded())) % of the surfaces, flat to \(($0 * 10_000).rounded() / 10) mm"
            }
        }
        let result = "\(axes == .opengl ? "y points up" : "y points down") now"
        func text(_ degrees: Double) -> String { "\((degrees * 10).rounded() / 10)°" }
        switch source {
        case .floor:
            return .note(
                .leveled,
                "the floor (\(floor ?? "")) shows what is up: \(text(tilt)) from \(axis) of the poses; \(result), and the floor is at 0"
            )
        case .gravity:
            let start = "the poses are aligned with gravity, and up is their \(axis); \(result)"
            guard let floor, let floorAngle else { return .note(.leveled, start + "; no floor confirms it") }
            let isDoubtful = floorAngle > Self.largeAngle && floorShare ?? 0 > Self.largeShare
            return isDoubtful
                ? .warning(
                    .leveled, "\(start); but a floor (\(floor)) is \(text(floorAngle)) from level")
                : .note(
                    .leveled, "\(start); a flat surface (\(floor)) is level within \(text(floorAngle))")
        }
    }
}

extension Diagnostic.Code {
    /// The world of a recording was turned upright.
    package static let leveled: Self = "leveled"
}
