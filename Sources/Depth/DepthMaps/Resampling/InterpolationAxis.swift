/// The positions of `count` pixels between samples: ``InterpolationTap``s, reused from frame to frame, in a layout that
/// compilers vectorize.
///
/// A pixel's second sample is the one after ``first``, or ``first`` itself if there is only one sample.
package struct InterpolationAxis: Sendable {
    /// The sample before each pixel; the second to last for pixels behind the last center.
    package private(set) var first: [Int32] = []
    /// The weight of the second sample.
    package private(set) var share: [Float] = []
    /// For each sample, the end of the range of pixels that have it as ``first``.
    package private(set) var ends: [Int] = []
    private var samples = 0

    /// Has no pixels yet.
    package init() {}

    /// Prepares for `count` pixels over `samples` samples, both across the same extent. Does nothing if that is the case
    /// already.
    package mutating func set(count: Int, samples newSamples: Int) {
        guard first.count != count || samples != newSamples else { return }
        samples = newSamples
        let taps = InterpolationTap.taps(of: count, in: newSamples)
        let last = max(newSamples - 2, 0)
        first = taps.map { Int32(min($0.first, last)) }
        share = taps.map { tap in
            tap.interval == 0 || newSamples == 1 ? 0 : tap.interval == newSamples ? 1 : tap.fraction
        }
        // Pixels beyond the outermost centers use the samples of the adjacent interval.
        let starts = taps.intervalStarts(between: newSamples)
        ends = (0...last).map { $0 < last ? starts[$0 + 2] : count }
    }
}
