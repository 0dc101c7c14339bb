/// How long a stage took for each frame, in memory that does not grow: counts of durations in steps of 1 %.
package struct StageTimes: Sendable {
    /// The durations of each step, from 1 µs on.
    private var counts = [Int](repeating: 0, count: 2048)
    /// The number of durations.
    package private(set) var count = 0

    /// No durations yet.
    package init() {}

    /// Counts a duration.
    mutating func add(_ duration: Duration) {
        let parts = duration.components
        let microseconds = Double(parts.seconds) * 1e6 + Double(parts.attoseconds) * 1e-12
        counts[Self.step(of: microseconds)] += 1
        count += 1
    }

    /// The duration, in milliseconds, that a share of frames stays below; `nil` without any.
    package func milliseconds(percentile: Double) -> Double? {
        guard count > 0 else { return nil }
        let wanted = max(1, Int((Double(count) * percentile / 100).rounded(.up)))
        var seen = 0
        for (step, number) in counts.enumerated() {
            seen += number
            if seen >= wanted { return Self.microseconds(of: step) / 1000 }
        }
        return nil
    }

    private static func step(of microseconds: Double) -> Int {
        // Powers of 1.01, by whole powers of two and their parts, without a logarithm.
        guard microseconds > 1 else { return 0 }
        let exponent = microseconds.exponent
        return min(Int(exponent) * 70 + Int((microseconds.significand - 1) * 70), 2047)
    }

    private static func microseconds(of step: Int) -> Double {
        Double(sign: .plus, exponent: step / 70, significand: 1 + (Double(step % 70) + 0.5) / 70)
    }
}
