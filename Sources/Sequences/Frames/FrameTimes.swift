/// The rates and times of frames that are believed. Files declare any number, and arithmetic with all of them has no meaning.
package enum FrameTimes {
    /// Frames a second: from one in eleven days to a million.
    package static let rates = 1e-6...1e6
    /// The longest time between the first frame and any other, in seconds: 31 years.
    package static let longest = 1e9

    /// A declared rate; `nil` where it is not believed.
    package static func rate(_ declared: Double) -> Double? { rates.contains(declared) ? declared : nil }

    /// The nearest rate that a file can declare.
    package static func nearest(_ rate: Double) -> Double {
        min(max(rate, rates.lowerBound), rates.upperBound)
    }
}
