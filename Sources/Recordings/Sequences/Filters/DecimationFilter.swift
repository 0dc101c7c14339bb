/// One sample for each square of samples: the median of the known ones, or from 4 × 4 on their mean.
///
/// Incomplete squares are omitted. Unlike librealsense, the result is not padded to a multiple of four.
final class DecimationFilter: DepthFilter {
    private let magnitude: Int
    private var reduced = FramePlane<Float>()
    private var confidence = FramePlane<UInt8>()

    init(magnitude: Int) { self.magnitude = magnitude }

    func apply(to frame: inout SequenceFrame) {
        let (width, height) = (frame.depth.width / magnitude, frame.depth.height / magnitude)
        guard width > 0, height > 0 else { return }
        let stride = frame.depth.width
        let magnitude = magnitude
        let depth = frame.depth.samples
        reduced.overwrite(width: width, height: height, fill: .nan) { output in
            let samples = depth.span
            var known = [Float](repeating: 0, count: magnitude * magnitude)
            for row in 0..<height {
                for column in 0..<width {
                    var count = 0
                    for y in 0..<magnitude {
                        for x in 0..<magnitude {
                            let value = samples[(row * magnitude + y) * stride + column * magnitude + x]
                            guard value > 0 else { continue }
                            known[count] = value
                            count += 1
                        }
                    }
                    output[row * width + column] = Self.middle(&known, count, isMedian: magnitude < 4)
                }
            }
        }
        if !frame.confidence.isEmpty {
            let levels = frame.confidence.samples
            confidence.overwrite(width: width, height: height, fill: 0) { output in
                for row in 0..<height {
                    for column in 0..<width {
                        let place =
                            (row * magnitude + magnitude / 2) * stride + column * magnitude + magnitude / 2
                        output[row * width + column] = levels[place]
                    }
                }
            }
            swap(&confidence, &frame.confidence)
        }
        swap(&reduced, &frame.depth)
    }

    /// The lower median, or the mean, of the first `count` values.
    private static func middle(_ values: inout [Float], _ count: Int, isMedian: Bool) -> Float {
        guard count > 0 else { return .nan }
        guard isMedian else {
            var sum: Float = 0
            for index in 0..<count { sum += values[index] }
            return sum / Float(count)
        }
        // There are nine at most.
        for index in 1..<max(count, 1) {
            let value = values[index]
            var place = index
            while place > 0, values[place - 1] > value {
                values[place] = values[place - 1]
                place -= 1
            }
            values[place] = value
        }
        return values[(count - 1) / 2]
    }
}

/// Makes samples of lower confidence unknown.
final class ConfidenceFilter: DepthFilter {
    private let least: UInt8

    init(least: UInt8) { self.least = least }

    func apply(to frame: inout SequenceFrame) {
        guard frame.confidence.samples.count == frame.depth.samples.count else { return }
        for index in frame.confidence.samples.indices where frame.confidence.samples[index] < least {
            frame.depth.samples[index] = .nan
        }
    }
}
