/// The used frames of a recording, a movie or a pipe: every n-th frame from `start` up to but excluding `end`.
package struct FrameSelection: Hashable, Sendable {
    /// Seconds since the first frame; `nil` is the first frame.
    package var start: Double?
    /// Seconds since the first frame, not included; `nil` is the end.
    package var end: Double?
    /// Uses every n-th frame, at least 1.
    package var step = 1
    /// Whether frames are paced by their times, and late frames are dropped.
    package var isRealTime = false

    /// All frames.
    package init() {}

    /// Whether a time is before the end.
    package func isBeforeEnd(_ time: Double) -> Bool { time < end ?? .infinity }

    /// Whether a time is from the start up to and without the end.
    package func contains(_ time: Double) -> Bool { time >= start ?? -.infinity && isBeforeEnd(time) }
}
