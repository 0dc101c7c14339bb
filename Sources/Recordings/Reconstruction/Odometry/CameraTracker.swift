internal import DepthTypes
package import Scenes

/// Follows the camera through the frames of a recording: visual odometry by depth and color.
///
/// Each frame is aligned to a keyframe, which is replaced when the camera has moved on. A new keyframe is also aligned to
/// earlier ones that see the same, and the graph of all these motions is optimized, so that a camera that comes back is
/// where it was. Where the camera is lost, another part of the path begins. Parts are joined where a frame of one is found in the
/// other, if it fits nowhere else. The world is the first camera of the longest part.
///
/// Memory is bounded: the views of ``KeptViews/most`` keyframes, and about 3 KB for each keyframe.
package struct CameraTracker {
    private var graph = PoseGraph()
    private var model: Keyframe?
    private var views = KeptViews()
    private var frames: [TrackedFrame?] = []
    /// The part of the path that each keyframe belongs to: the index of the part's first keyframe.
    private var parts: [Int] = []
    /// The last followed frame, for motions that are too fast for the keyframe.
    private var recent: (levels: [ViewLevel], alignment: FrameAlignment)?
    /// The last motion between frames.
    private var motion = CameraPose.identity
    private var loopCount = 0
    /// How far the camera had moved at each keyframe.
    private var traveled: [Double] = []
    /// The index of the last followed frame, and how far the camera moved at most from frame to frame before it.
    private var lastIndex = 0
    private var speed = 0.0
    /// The last frames, if they could not be followed, but each can be aligned to the one before.
    private var waiting: [(index: Int, levels: [ViewLevel])] = []
    /// The graph is optimized when it has as many poses.
    private var nextOptimization = 0

    /// After tracking is lost, a new part of the path begins once this many frames can be aligned to each other.
    private static let patience = 5
    /// A loop that moves a keyframe farther is a mistake: as a fraction of the way in between and the distance.
    private static let mostDrift = 0.05
    /// A predicted pose that needs a larger correction is not a good one: as a fraction of the distance.
    private static let mostCorrection = 0.05

    /// A tracker before the first frame.
    package init() {}

    /// Follows the camera to the next frame. A frame without depth or camera is not followed, nor is `nil`: one that cannot be
    /// decoded.
    package mutating func add(_ frame: DepthScene?) {
        frames.append(nil)
        guard let fine = frame.flatMap(ViewReduction.level) else {
            return waiting = []
        }
        follow(ViewPyramid.levels(fine), at: frames.count - 1)
    }

    private mutating func follow(_ levels: [ViewLevel], at index: Int) {
        guard let model else { return start(levels, at: index) }
        guard let found = found(levels, model, gap: index - lastIndex) else {
            return lose(levels, at: index)
        }
        (lastIndex, waiting) = (index, [])
        let alignment = found.alignment
        let before = recent?.alignment.pose ?? .identity
        motion = found.isContinuous ? before.inverse.appending(alignment.pose) : .identity
        speed = max(motion.position.length, 0.9 * speed)
        if found.keyframe != model.index || alignment.isNearEdge {
            startKeyframe(levels, after: found.keyframe, alignment)
            frames[index] = TrackedFrame(keyframe: graph.poses.count - 1, alignment, pose: .identity)
        } else {
            self.model?.merge(levels[0], at: alignment.pose)
            recent = (levels, alignment)
            frames[index] = TrackedFrame(keyframe: model.index, alignment, pose: alignment.pose)
        }
    }

    /// The longest part of the path so far, after optimization.
    package mutating func path() -> FollowedPath {
        graph.optimize(fixing: Set(parts))
        var counts: [Int: Int] = [:]
        for case let frame? in frames { counts[parts[frame.keyframe], default: 0] += 1 }
        guard let longest = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else {
            return FollowedPath(frames: frames.map { _ in nil }, loopCount: 0)
        }
        let world = graph.poses[longest].inverse
        let poses = graph.poses.map(world.appending)
        let keyframes = poses.indices.filter { parts[$0] == longest }
        // A third and two thirds of the way, and the end.
        let drifts = graph.positionDeviations(
            of: [1, 2, 3].map { keyframes[$0 * (keyframes.count - 1) / 3] }, fixing: Set(parts))
        return FollowedPath(
            frames: frames.map { frame in
                frame.flatMap { parts[$0.keyframe] == longest ? $0.followed(poses) : nil }
            }, loopCount: loopCount,
            otherParts: counts.values.count { $0 > 1 } - (counts[longest] ?? 0 > 1 ? 1 : 0),
            drift: FollowedPath.rootMeanSquare(drifts) ?? 0)
    }

    private mutating func start(_ levels: [ViewLevel], at index: Int) {
        (lastIndex, motion, speed) = (index, .identity, 0)
        let keyframe = startKeyframe(levels, at: .identity, in: graph.poses.count)
        frames[index] = TrackedFrame(keyframe: keyframe, .identity, pose: .identity)
    }

    /// Where a frame is found: relative to a keyframe, and whether the camera moved there from the last frame.
    private struct Finding {
        var keyframe: Int
        var alignment: FrameAlignment
        var isContinuous = true
    }

    /// Looks for a frame at the keyframe, then at the last frame, then at keyframes that look similar. `gap` is 1 if the frame
    /// before was followed; otherwise the camera may be up to three times as fast as before.
    private mutating func found(_ levels: [ViewLevel], _ model: Keyframe, gap: Int) -> Finding? {
        let reach = 3 * Double(gap) * speed
        let last = recent?.alignment.pose ?? .identity
        let starts = [last.appending(motion), last]
        let usual = recent?.alignment
        if let alignment = Self.aligned(levels, to: model.surface, from: starts, usual: usual) {
            guard gap == 1 || Self.isUnique(alignment, levels, model.surface, within: reach, of: last)
            else { return nil }
            return Finding(keyframe: model.index, alignment: alignment)
        }
        if let recent, recent.alignment.pose != .identity {
            let surface = recent.levels.map { SurfaceLevel($0) }
            if let alignment = Self.aligned(levels, to: surface, from: [motion, .identity], usual: usual) {
                guard gap == 1 || Self.isUnique(alignment, levels, surface, within: reach) else { return nil }
                // The last frame becomes a keyframe.
                startKeyframe(recent.levels, after: model.index, recent.alignment)
                return Finding(keyframe: graph.poses.count - 1, alignment: alignment)
            }
        }
        return similar(to: levels) { _ in true }
    }

    /// Aligns a frame to keyframes that look similar. No motion is known that could confirm the result, so it must be sure.
    private func similar(to levels: [ViewLevel], among isUsed: (Int) -> Bool) -> Finding? {
        let halved = KeptViews.halved(levels)
        for index in views.similar(to: levels, count: 3, among: isUsed) {
            let surface = views.surface(index)
            guard let alignment = Self.aligned(halved, to: surface, from: [.identity]), alignment.isSure,
                Self.isUnique(alignment, halved, surface)
            else { continue }
            return Finding(keyframe: index, alignment: alignment, isContinuous: false)
        }
        return nil
    }

    /// Whether a view fits nowhere else on a surface about as well: patterns that repeat, such as tiles, fit a period off, too.
    /// Poses farther than `reach` from `last` need not be tried if the alignment is not there, either.
    private static func isUnique(
        _ alignment: FrameAlignment, _ levels: [ViewLevel], _ surface: [SurfaceLevel],
        within reach: Double = .infinity, of last: CameraPose = .identity
    ) -> Bool {
        func isNear(_ pose: CameraPose) -> Bool { (pose.position - last.position).length < reach }
        let isBounded = isNear(alignment.pose)
        // Half the resolution is enough, and a quarter of the work.
        let isFine = levels[0].width > ViewReduction.mostColumns / 2
        let aligner = ViewAligner(
            isFine ? Array(levels.dropFirst()) : levels, to: isFine ? Array(surface.dropFirst()) : surface)
        guard let own = aligner.align(from: alignment.pose), own.isFollowed else { return false }
        return !(0..<30).contains { index in
            var start = own.pose
            start.position[index % 3] +=
                (index % 2 == 0 ? 0.15 : -0.15) * Double(index / 6 + 1) * own.distance
            guard let other = aligner.align(from: start), other.isFollowed else { return false }
            return other.fits(asWellAs: own) && other.differs(from: own)
                && (!isBounded || isNear(other.pose))
        }
    }

    /// The best alignment from any of the initial poses; `nil` if none can be trusted.
    ///
    /// Where a pattern repeats, coarse levels lead to another period of it. So the first pose is tried without them. If it needs
    /// little correction, and fits as well as `usual` or as where coarse levels lead, the result is used.
    private static func aligned(
        _ levels: [ViewLevel], to surface: [SurfaceLevel], from starts: [CameraPose],
        usual: FrameAlignment? = nil
    ) -> FrameAlignment? {
        let direct = ViewAligner(Array(levels.prefix(2)), to: surface).align(from: starts[0])
            .flatMap { $0.isSure && $0.motion(from: starts[0]) < Self.mostCorrection ? $0 : nil }
        if let direct, let usual, direct.fits(asWellAs: usual) { return direct }
        let aligner = ViewAligner(levels, to: surface)
        var best: FrameAlignment?
        for start in starts {
            guard let alignment = aligner.align(from: start), alignment.isFollowed else { continue }
            if alignment.isSure || alignment.quality > best?.quality ?? 0 { best = alignment }
            if alignment.isSure { break }
        }
        guard let direct, let found = best else { return best ?? direct }
        return direct.fits(asWellAs: found) ? direct : found
    }

    /// Skips a frame, and begins another part of the path where enough frames in a row can be aligned to each other.
    private mutating func lose(_ levels: [ViewLevel], at index: Int) {
        motion = .identity
        if let last = waiting.last,
            Self.aligned(levels, to: last.levels.map { SurfaceLevel($0) }, from: [.identity]) == nil
        {
            waiting = []
        }
        waiting.append((index, levels))
        guard waiting.count == Self.patience else { return }
        let again = waiting
        waiting = []
        start(again[0].levels, at: again[0].index)
        for frame in again.dropFirst() { follow(frame.levels, at: frame.index) }
    }

    private mutating func startKeyframe(
        _ levels: [ViewLevel], after previous: Int, _ alignment: FrameAlignment
    ) {
        let index = startKeyframe(
            levels, at: graph.poses[previous].appending(alignment.pose), in: parts[previous])
        graph.connect(previous, index, alignment.pose, alignment.information, isDoubtful: false)
        join(index, levels)
        closeLoops(index, levels, except: previous)
    }

    @discardableResult
    private mutating func startKeyframe(_ levels: [ViewLevel], at pose: CameraPose, in part: Int) -> Int {
        if let model { views.keep(model.kept, of: model.index) }
        let step = graph.poses.last.map { (pose.position - $0.position).length } ?? 0
        traveled.append((traveled.last ?? 0) + step)
        let index = graph.add(pose)
        parts.append(part)
        model = Keyframe(index, levels)
        recent = (levels, .identity)
        return index
    }

    /// Joins the part of a keyframe to another part that shows the same view.
    private mutating func join(_ index: Int, _ levels: [ViewLevel]) {
        let parts = parts
        guard let found = similar(to: levels, among: { parts[$0] != parts[index] }) else { return }
        let (part, other) = (parts[index], parts[found.keyframe])
        let change = graph.poses[found.keyframe].appending(found.alignment.pose)
            .appending(graph.poses[index].inverse)
        // The earlier part keeps its world.
        let world = other < part ? change : change.inverse
        for moved in parts.indices where parts[moved] == max(part, other) {
            graph.move(moved, by: world)
            self.parts[moved] = min(part, other)
        }
        graph.connect(
            found.keyframe, index, found.alignment.pose, found.alignment.information, isDoubtful: false)
    }

    /// Aligns a keyframe to earlier ones that see the same, and corrects the drift in between.
    private mutating func closeLoops(_ index: Int, _ levels: [ViewLevel], except previous: Int) {
        let parts = parts
        let others = views.overlapping(levels, index, graph.poses) {
            $0 != previous && parts[$0] == parts[index]
        }
        for other in others {
            let start = graph.poses[other].inverse.appending(graph.poses[index])
            guard
                let alignment = Self.aligned(
                    KeptViews.halved(levels), to: views.surface(other), from: [start]),
                (alignment.pose.position - start.position).length
                    < Self.mostDrift * (alignment.distance + traveled[index] - traveled[other])
            else { continue }
            graph.connect(other, index, alignment.pose, alignment.information, isDoubtful: true)
            loopCount += 1
        }
        guard loopCount > 0, graph.poses.count >= nextOptimization else { return }
        graph.optimize(fixing: Set(parts))
        // The total time of optimizations grows with the time of the last one.
        nextOptimization = graph.poses.count + max(1, graph.poses.count / 10)
    }
}
