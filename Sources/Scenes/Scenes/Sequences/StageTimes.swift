/// How long a stage took for each frame, in constant memory: a histogram of durations in steps of 1 %.
package struct StageTimes: Sendable {
    /// The number of durations in each step, from 1 µs on.
    private var counts = [Int](repeating: 0, count: 2048)
    /// The number of durations.
    package private(set) var count = 0

    /// No durations yet.
    package init() {}

    mutating func add(_ duration: Duration) {
        let parts = duration.components
        let microseconds = Double(parts.seconds) * 1e6 + Double(parts.attoseconds) * 1e-12
        counts[Self.step(of: microseconds)] += 1
        count += 1
    }

    /// The given percentile of the durations, in milliseconds; `nil` without any.
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
        // The logarithm to base 1.01, by powers of two and their parts.
        guard microseconds > 1 else { return 0 }
        let exponent = microseconds.exponent
        return min(Int(exponent) * 70 + Int((microseconds.significand - 1) * 70), 2047)
    }

    private static func microseconds(of step: Int) -> Double {
        Double(sign: .plus, exponent: step / 70, significand: 1 + (Double(step % 70) + 0.5) / 70)
    }
}
