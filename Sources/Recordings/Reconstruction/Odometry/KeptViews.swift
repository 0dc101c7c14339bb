internal import DepthTypes

/// The views of keyframes at half the resolution, by which a camera that comes back is located.
struct KeptViews: Sendable {
    private var views: [(index: Int, view: ViewLevel)] = []

    /// More would need more than 64 MB.
    static let most = 400
    /// A view is tried if it sees this fraction of the other one.
    private static let leastOverlap = 0.3
    /// How many views are tried.
    private static let mostTried = 3

    /// Keeps the view of a keyframe, and every second one of all when there are too many. The first stays.
    mutating func keep(_ view: ViewLevel, of index: Int) {
        views.append((index, view))
        guard views.count > Self.most else { return }
        views = stride(from: 0, to: views.count, by: 2).map { views[$0] }
    }

    /// The levels of a view from its half resolution on.
    static func halved(_ levels: [ViewLevel]) -> [ViewLevel] {
        levels.count > 1 ? Array(levels.dropFirst()) : levels
    }

    /// The surface of a keyframe; empty if its view was dropped.
    func surface(_ index: Int) -> [SurfaceLevel] {
        guard let view = views.first(where: { $0.index == index })?.view else { return [] }
        return ViewPyramid.levels(view).map { SurfaceLevel($0) }
    }

    /// The keyframes whose views look most like this one, the most similar first.
    func similar(to levels: [ViewLevel], count: Int, among isUsed: (Int) -> Bool) -> [Int] {
        guard let view = Self.halved(levels).first else { return [] }
        return views.filter { isUsed($0.index) }.map {
            (index: $0.index, difference: $0.view.difference(view))
        }
        .filter { $0.difference < .infinity }
        .sorted { ($0.difference, $0.index) < ($1.difference, $1.index) }.prefix(count).map(\.index)
    }

    /// The keyframes that see most of a view by their poses, and the oldest that sees enough of it.
    func overlapping(
        _ levels: [ViewLevel], _ index: Int, _ poses: [CameraPose], among isUsed: (Int) -> Bool
    ) -> [Int] {
        guard let coarse = levels.last else { return [] }
        let seen = views.filter { isUsed($0.index) && $0.index != index }.map { other in
            let pose = poses[other.index].inverse.appending(poses[index])
            return (index: other.index, overlap: other.view.overlap(coarse, at: pose))
        }.filter { $0.overlap > Self.leastOverlap }
        guard let oldest = seen.first?.index else { return [] }
        let best = seen.sorted { ($1.overlap, $0.index) < ($0.overlap, $1.index) }.prefix(Self.mostTried)
            .map(\.index)
        return best.contains(oldest) ? best : best + [oldest]
    }
}
