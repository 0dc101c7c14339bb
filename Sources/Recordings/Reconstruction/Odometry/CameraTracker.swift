internal import DepthTypes
package import Scenes

/// Follows the camera through the frames of a recording: visual odometry by depth and color.
///
/// Each frame is aligned to a keyframe, which is replaced when the camera has moved on. A new keyframe is also aligned to
/// earlier ones that see the same, and the graph of all these motions is optimized, so that a camera that comes back is
/// where it was. The world is the camera of the first frame that others can be aligned to.
///
/// Memory is bounded: the views of ``KeptViews/most`` keyframes, and about 3 KB for each keyframe.
package struct CameraTracker {
    private var graph = PoseGraph()
    private var model: Keyframe?
    private var views = KeptViews()
    private var frames: [TrackedFrame?] = []
    /// The last followed frame, for motions that are too fast for the keyframe.
    private var recent: (levels: [ViewLevel], alignment: FrameAlignment)?
    /// The last motion between frames.
    private var motion = CameraPose.identity
    private var loopCount = 0
    /// The index of the first followed frame, and how many were followed since.
    private var origin = 0
    private var followedCount = 0
    /// The graph is optimized when it has as many poses.
    private var nextOptimization = 0

    /// A first frame that this many others cannot be aligned to is given up.
    private static let patience = 5

    /// A tracker before the first frame.
    package init() {}

    /// Follows the camera to the next frame. A frame without depth or camera is not followed, nor is `nil`: one that cannot be
    /// decoded.
    package mutating func add(_ frame: DepthScene?) {
        guard let fine = frame.flatMap(ViewReduction.level) else { return frames.append(nil) }
        let levels = ViewPyramid.levels(fine)
        guard let model else { return start(levels) }
        guard let found = found(levels, model) else { return lose(levels) }
        followedCount += 1
        let alignment = found.alignment
        let before = recent?.alignment.pose ?? .identity
        motion = found.isContinuous ? before.inverse.appending(alignment.pose) : .identity
        if found.keyframe != model.index || alignment.isNearEdge {
            startKeyframe(levels, after: found.keyframe, alignment)
            frames.append(TrackedFrame(keyframe: graph.poses.count - 1, alignment, pose: .identity))
        } else {
            self.model?.merge(fine, at: alignment.pose)
            recent = (levels, alignment)
            frames.append(TrackedFrame(keyframe: model.index, alignment, pose: alignment.pose))
        }
    }

    /// The path of all frames so far, after optimization.
    package mutating func path() -> FollowedPath {
        graph.optimize()
        return FollowedPath(frames: frames.map { $0?.followed(graph.poses) }, loopCount: loopCount)
    }

    private mutating func start(_ levels: [ViewLevel]) {
        let index = startKeyframe(levels, at: .identity)
        origin = frames.count
        frames.append(TrackedFrame(keyframe: index, .identity, pose: .identity))
    }

    /// Where a frame is found: relative to a keyframe, and whether the camera moved there from the last frame.
    private struct Finding {
        var keyframe: Int
        var alignment: FrameAlignment
        var isContinuous = true
    }

    /// Looks for a frame at the keyframe, then at the last frame, then at keyframes that look similar.
    private mutating func found(_ levels: [ViewLevel], _ model: Keyframe) -> Finding? {
        let last = recent?.alignment.pose ?? .identity
        let starts = [last.appending(motion), last]
        if let alignment = Self.aligned(levels, to: model.surface, from: starts) {
            return Finding(keyframe: model.index, alignment: alignment)
        }
        if let recent, recent.alignment.pose != .identity,
            let alignment = Self.aligned(
                levels, to: recent.levels.map { SurfaceLevel($0) }, from: [motion, .identity])
        {
            // The last frame becomes a keyframe.
            startKeyframe(recent.levels, after: model.index, recent.alignment)
            return Finding(keyframe: graph.poses.count - 1, alignment: alignment)
        }
        for index in views.similar(to: levels, count: 3) {
            guard
                let alignment = Self.aligned(
                    KeptViews.halved(levels), to: views.surface(index), from: [.identity]),
                // Nothing else confirms this motion.
                alignment.isSure
            else { continue }
            return Finding(keyframe: index, alignment: alignment, isContinuous: false)
        }
        return nil
    }

    /// The best alignment from any of the initial poses; `nil` if none can be trusted.
    private static func aligned(
        _ levels: [ViewLevel], to surface: [SurfaceLevel], from starts: [CameraPose]
    ) -> FrameAlignment? {
        let aligner = ViewAligner(levels, to: surface)
        var best: FrameAlignment?
        for start in starts {
            guard let alignment = aligner.align(from: start), alignment.isFollowed else { continue }
            if alignment.isSure { return alignment }
            if alignment.quality > best?.quality ?? 0 { best = alignment }
        }
        return best
    }

    /// Skips a frame, and starts again if nothing was ever aligned to the first one.
    private mutating func lose(_ levels: [ViewLevel]) {
        motion = .identity
        guard followedCount == 0, frames.count - origin >= Self.patience else { return frames.append(nil) }
        frames[origin] = nil
        (graph, model, views) = (PoseGraph(), nil, KeptViews())
        start(levels)
    }

    private mutating func startKeyframe(
        _ levels: [ViewLevel], after previous: Int, _ alignment: FrameAlignment
    ) {
        let index = startKeyframe(levels, at: graph.poses[previous].appending(alignment.pose))
        graph.connect(previous, index, alignment.pose, alignment.information, isDoubtful: false)
        closeLoops(index, levels, except: previous)
    }

    @discardableResult
    private mutating func startKeyframe(_ levels: [ViewLevel], at pose: CameraPose) -> Int {
        if let model { views.keep(model.kept, of: model.index) }
        let index = graph.add(pose)
        model = Keyframe(index, levels)
        recent = (levels, .identity)
        return index
    }

    /// Aligns a keyframe to earlier ones that see the same, and corrects the drift in between.
    private mutating func closeLoops(_ index: Int, _ levels: [ViewLevel], except previous: Int) {
        for other in views.overlapping(levels, index, graph.poses, except: previous) {
            let start = graph.poses[other].inverse.appending(graph.poses[index])
            guard
                let alignment = Self.aligned(
                    KeptViews.halved(levels), to: views.surface(other), from: [start])
            else { continue }
            graph.connect(other, index, alignment.pose, alignment.information, isDoubtful: true)
            loopCount += 1
        }
        guard loopCount > 0, graph.poses.count >= nextOptimization else { return }
        graph.optimize()
        // The total time of optimizations grows with the time of the last one.
        nextOptimization = graph.poses.count + max(1, graph.poses.count / 10)
    }
}
