/// Where each of `count` pixels lies between samples: ``InterpolationTap``s kept from frame to frame, and laid out for loops that
/// compilers turn into vectors.
///
/// A pixel's next sample is the one behind ``first``, or ``first`` again where there is one sample alone.
package struct InterpolationAxis: Sendable {
    /// The sample before each pixel; the last but one behind the last center.
    package private(set) var first: [Int32] = []
    /// The weight of the next sample.
    package private(set) var share: [Float] = []
    /// For each sample before a pixel, the first pixel behind those that have it.
    package private(set) var ends: [Int] = []
    private var samples = 0

    /// For no pixels yet.
    package init() {}

    /// Sets up for `count` pixels over `samples` samples, both across the same extent. Nothing happens where it is so already.
    package mutating func set(count: Int, samples newSamples: Int) {
        guard first.count != count || samples != newSamples else { return }
        samples = newSamples
        let taps = InterpolationTap.taps(of: count, in: newSamples)
        let last = max(newSamples - 2, 0)
        first = taps.map { Int32(min($0.first, last)) }
        share = taps.map { tap in
            tap.interval == 0 || newSamples == 1 ? 0 : tap.interval == newSamples ? 1 : tap.fraction
        }
        // Pixels beyond the outermost centers have the samples of the intervals beside.
        let starts = taps.intervalStarts(between: newSamples)
        ends = (0...last).map { $0 < last ? starts[$0 + 2] : count }
    }
}
