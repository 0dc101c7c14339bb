internal import Bytes
internal import Scenes

/// The times of a movie's frames, as its packets state them.
package struct MovieTimes: Sendable {
    /// For each frame, in the order in which frames are shown, seconds since the first.
    package let seconds: [Double]
    /// The time of the first frame on the movie's own clock, in seconds.
    package let start: Double
    /// Whether all frames state a time; otherwise they follow at the nominal rate.
    private let isTimed: Bool

    /// For stored times in any order; `nan` for a frame without one. `rate` is the nominal rate.
    package init(_ stored: [Double], rate: Double?) {
        let times = stored.filter { !$0.isNaN }.sorted()
        let (first, last) = (times.first ?? 0, times.last ?? 0)
        isTimed = times.count == stored.count && last - first <= FrameTimes.longest
        start = first
        seconds = isTimed ? times.map { $0 - first } : stored.indices.map { Double($0) / (rate ?? 30) }
    }

    /// Frames a second from the first frame to the last; `nil` for fewer than two, and without times.
    package var meanRate: Double? {
        guard let last = seconds.last, last > 0 else { return nil }
        return Double(seconds.count - 1) / last
    }

    /// The index of the frame that is nearest to a time in seconds since the first; `nil` without frames.
    package func nearest(to time: Double) -> Int? {
        let next = seconds.partitioningIndex { $0 > time }
        guard next > 0, next < seconds.count else { return seconds.isEmpty ? nil : max(next - 1, 0) }
        return seconds[next] - time < time - seconds[next - 1] ? next : next - 1
    }

    /// The index of a decoded frame, shown at a time on the movie's clock, that follows the one at `index`. Frames in between
    /// could not be decoded. `nil` for a frame that no packet lists.
    package func index(of time: Double, after index: Int) -> Int? {
        var next = index + 1
        guard next < seconds.count else { return nil }
        guard isTimed else { return next }
        let time = time - start
        if index >= 0, abs(seconds[index] - time) < abs(seconds[next] - time) { return nil }
        while next + 1 < seconds.count, abs(seconds[next + 1] - time) < abs(seconds[next] - time) {
            next += 1
        }
        return next
    }
}
