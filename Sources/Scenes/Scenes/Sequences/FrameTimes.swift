/// The accepted rates and times of frames. Files may declare any number, and computing with extreme ones is meaningless.
package enum FrameTimes {
    /// Frames a second: from one in eleven days to a million.
    package static let rates = 1e-6...1e6
    /// The longest time between the first frame and any other, in seconds: 31 years.
    package static let longest = 1e9

    /// A declared rate; `nil` if it is out of range.
    package static func rate(_ declared: Double) -> Double? { rates.contains(declared) ? declared : nil }

    /// The nearest valid rate.
    package static func nearest(_ rate: Double) -> Double {
        min(max(rate, rates.lowerBound), rates.upperBound)
    }
}
