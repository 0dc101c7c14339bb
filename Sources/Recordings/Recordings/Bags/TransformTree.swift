internal import DepthTypes

/// Frames of coordinates, each with its pose in another one (`tf2_msgs/TFMessage`). A transform of ROS maps coordinates of the
/// child to coordinates of its parent, as a ``CameraPose`` maps a camera's to the world's.
struct TransformTree {
    /// A frame's pose in its parent, over time.
    private struct Edge {
        var parent: String
        var samples: [(time: Double, pose: CameraPose)]
        /// Whether all samples are the same. Only the first is kept then.
        var isFixed = true
    }

    private var edges: [String: Edge] = [:]

    /// Chains of more frames are not followed: frames may be each other's parents in a damaged bag.
    private static let longestChain = 64

    /// Whether a frame has a parent.
    func holds(_ frame: String) -> Bool { edges[Self.name(frame)] != nil }

    /// Adds a sample. A frame keeps its first parent. Returns whether memory was needed for it.
    mutating func add(_ pose: CameraPose, of child: String, in parent: String, at time: Double) -> Bool {
        let (child, parent) = (Self.name(child), Self.name(parent))
        guard var edge = edges[child] else {
            edges[child] = Edge(parent: parent, samples: [(time, pose)])
            return true
        }
        guard edge.parent == parent, !edge.isFixed || edge.samples[0].pose != pose else { return false }
        edges[child] = nil
        edge.isFixed = false
        edge.samples.append((time, pose))
        edges[child] = edge
        return true
    }

    /// ROS 1 allows a slash in front of a frame's name.
    private static func name(_ frame: String) -> String {
        frame.hasPrefix("/") ? String(frame.dropFirst()) : frame
    }

    /// Whether a frame has the axes of a camera. By REP 103, others have x forward, y left and z up.
    static func isOptical(_ frame: String) -> Bool { frame.lowercased().contains("optical") }

    /// Turns the axes of a camera to those of its frame. Pictures should name an optical frame, but some name the link or the body
    /// that the camera is on.
    static func cameraAxes(in frame: String) -> CameraPose {
        let isBody = ["camera_link", "base_link", "base_footprint", "base", "body"].contains(name(frame))
        return isBody ? .cameraOnBody : .identity
    }

    /// A frame and those above it, up to one without a parent.
    private func chain(_ frame: String) -> [String] {
        var chain = [Self.name(frame)]
        while let edge = edges[chain[chain.count - 1]], chain.count < Self.longestChain {
            chain.append(edge.parent)
        }
        return chain
    }

    /// The pose of a camera in its frame, in another frame, if fixed transforms connect these; otherwise `nil`.
    func fixedPose(ofCamera frame: String, in other: String) -> CameraPose? {
        fixedPose(of: frame, in: other)?.appending(Self.cameraAxes(in: frame))
    }

    /// The pose of a frame in another, if fixed transforms connect them; otherwise `nil`.
    func fixedPose(of frame: String, in other: String) -> CameraPose? {
        let (up, down) = (chain(frame), chain(other))
        guard let top = up.firstIndex(where: down.contains), let bottom = down.firstIndex(of: up[top])
        else { return nil }
        guard let pose = fixedPose(along: up[..<top]), let otherPose = fixedPose(along: down[..<bottom])
        else { return nil }
        return otherPose.inverse.appending(pose)
    }

    /// The pose of the first frame in the parent of the last one; `nil` if any of them moves.
    private func fixedPose(along chain: ArraySlice<String>) -> CameraPose? {
        var pose = CameraPose.identity
        for frame in chain {
            guard let edge = edges[frame], edge.isFixed else { return nil }
            pose = edge.samples[0].pose.appending(pose)
        }
        return pose
    }

    /// The frames between a camera's frame and the world, if any of them moves: the path of the camera over time.
    func path(of frame: String) -> TransformPath? {
        let chain = chain(frame).dropLast()
        guard chain.contains(where: { edges[$0]?.isFixed == false }) else { return nil }
        return TransformPath(
            steps: [.fixed(Self.cameraAxes(in: frame))]
                + chain.compactMap { edges[$0] }.map { edge in
                    edge.isFixed ? .fixed(edge.samples[0].pose) : .moving(Trajectory(edge.samples))
                })
    }
}

/// The transforms from a frame of coordinates to the world.
struct TransformPath {
    fileprivate enum Step {
        case fixed(CameraPose)
        case moving(Trajectory)
    }

    /// From the frame upwards.
    fileprivate var steps: [Step]

    /// Poses are interpolated over gaps of up to this many seconds, as of a localization at 1 Hz. ROS's tf2 has no limit.
    private static let longestGap = 1.5

    fileprivate init(steps: [Step]) { self.steps = steps }

    /// From a camera on a body, by its poses over time.
    init(_ poses: [(time: Double, pose: CameraPose)], cameraOnBody: CameraPose) {
        steps = [.fixed(cameraOnBody), .moving(Trajectory(poses))]
    }

    /// The pose of the frame in the world; `nil` if any transform is missing at that time.
    func pose(at time: Double) -> CameraPose? {
        var pose = CameraPose.identity
        for step in steps {
            switch step {
            case .fixed(let transform): pose = transform.appending(pose)
            case .moving(let trajectory):
                guard
                    let transform = trajectory.pose(
                        at: time, within: PoseFile.tolerance, bridging: Self.longestGap)
                else { return nil }
                pose = transform.appending(pose)
            }
        }
        return pose
    }
}
