internal import Bytes
internal import DepthTypes

/// Poses with times, in temporal order.
struct Trajectory: Sendable {
    private var times: [Double] = []
    private var poses: [CameraPose] = []

    /// Whether there is no pose.
    var isEmpty: Bool { times.isEmpty }
    /// The number of poses.
    var count: Int { times.count }

    /// A trajectory of poses in any order.
    init(_ samples: [(time: Double, pose: CameraPose)]) {
        var samples = samples
        if !zip(samples, samples.dropFirst()).allSatisfy({ $0.time <= $1.time }) {
            samples.sort { $0.time < $1.time }
        }
        times = samples.map(\.time)
        poses = samples.map(\.pose)
    }

    /// The pose at a time: interpolated if the poses before and after it are within `tolerance` seconds, or at most
    /// `bridging` seconds apart; else the nearest one within `tolerance`; `nil` if not found.
    func pose(at time: Double, within tolerance: Double, bridging gap: Double = 0) -> CameraPose? {
        let after = times.firstIndex(notBelow: time)
        let before = after - 1
        let gapAfter = after < times.count ? times[after] - time : .infinity
        let gapBefore = before >= 0 ? time - times[before] : .infinity
        if gapAfter == 0 { return poses[after] }
        if max(gapAfter, gapBefore) <= tolerance || gapAfter + gapBefore <= gap {
            return poses[before].mixed(with: poses[after], share: gapBefore / (gapBefore + gapAfter))
        }
        guard min(gapAfter, gapBefore) <= tolerance else { return nil }
        return poses[gapAfter < gapBefore ? after : before]
    }
}

extension [Double] {
    /// The first index whose value is not below `value`, in an ascending array.
    func firstIndex(notBelow value: Double) -> Int {
        partitioningIndex { !($0 < value) }
    }
}

extension CameraPose {
    /// A pose between this one and another near it: positions and directions are interpolated, and directions made
    /// orthonormal again.
    func mixed(with other: CameraPose, share: Double) -> CameraPose {
        func mix(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> { a + (b - a) * share }
        return CameraPose(
            columns: [mix(right, other.right), mix(down, other.down), mix(forward, other.forward)],
            translation: mix(position, other.position), .cameraToWorldOpenCV) ?? (share < 0.5 ? self : other)
    }
}

/// Pairs the items of two lists by time. Each item is used once; the nearest pairs are formed first.
///
/// Returns, for each of `times`, the index of its partner among `others`; `nil` if no time is within `tolerance`
/// seconds.
func matchedByTime(_ times: [Double], _ others: [Double], within tolerance: Double) -> [Int?] {
    let order = others.indices.sorted { others[$0] < others[$1] }
    let sorted = order.map { others[$0] }
    var candidates: [(gap: Double, index: Int, other: Int)] = []
    for (index, time) in times.enumerated() {
        // A list that repeats one time must not cost quadratic time.
        let middle = sorted.firstIndex(notBelow: time)
        for place in max(0, middle - 8)..<min(sorted.count, middle + 8) {
            let gap = abs(sorted[place] - time)
            if gap <= tolerance { candidates.append((gap, index, order[place])) }
        }
    }
    candidates.sort { ($0.gap, $0.index, $0.other) < ($1.gap, $1.index, $1.other) }
    var partners = [Int?](repeating: nil, count: times.count)
    var isTaken = [Bool](repeating: false, count: others.count)
    for candidate in candidates where partners[candidate.index] == nil && !isTaken[candidate.other] {
        partners[candidate.index] = candidate.other
        isTaken[candidate.other] = true
    }
    return partners
}
