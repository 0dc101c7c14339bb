/// Depth that is steady over time: each sample is smoothed while it changes little, and kept for a moment when it gets lost.
///
/// A sample becomes 0.4 times itself plus 0.6 times the one before, unless both differ by more than 2 %: then something else
/// has come into view. An unknown sample keeps its last value if it was known in two of the last four frames.
package struct SteadyDepth: Sendable {
    private static let newWeight: Float = 0.4
    private static let jump: Float = 0.02

    private var kept: [Float] = []
    /// In which of the last frames a sample was known; the lowest bit is the frame before.
    private var history: [UInt8] = []

    /// No frame yet.
    package init() {}

    /// The depth of the next frame, made steady. A map of another size starts anew.
    package mutating func added(_ map: DepthMap) -> DepthMap {
        let count = map.meters.count
        if kept.count != count {
            kept = [Float](repeating: .nan, count: count)
            history = [UInt8](repeating: 0, count: count)
        }
        var meters = map.meters
        var samples = meters.mutableSpan
        for index in 0..<count {
            let (value, last, seen) = (samples[index], kept[index], history[index])
            if value > 0 {
                let isClose = abs(value - last) < Self.jump * value
                let smooth = isClose ? last + (value - last) * Self.newWeight : value
                (samples[index], kept[index]) = (smooth, smooth)
                // A jump starts a new history.
                history[index] = (isClose ? seen << 1 : 0) | 1
            } else {
                if (seen & 0b1111).nonzeroBitCount >= 2 { samples[index] = last }
                history[index] = seen << 1
            }
        }
        return map.replacing(meters: meters)
    }
}
