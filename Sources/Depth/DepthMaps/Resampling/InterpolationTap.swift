/// The position of a new sample between two old ones, along one axis.
package struct InterpolationTap: BitwiseCopyable, Hashable, Sendable {
    /// The old sample before it, or the first one.
    package let first: Int
    /// The old sample after it, or the last one; equals ``first`` beyond the outermost centers.
    package let second: Int
    /// The position between the two old samples, 0…1: the weight of ``second``.
    package let fraction: Float
    /// The interval that contains it: number c is between samples c − 1 and c, so 0 and `count` are outside.
    package let interval: Int

    /// The tap at a position among `count` samples; 0 is the center of the first.
    package init(at position: Double, of count: Int) {
        let whole = position.rounded(.down)
        interval = Int(whole) + 1
        first = max(interval - 1, 0)
        second = min(interval, count - 1)
        fraction = Float(position - whole)
    }

    /// The tap of new sample `index` of `newCount`, which cover the same extent as `count` old ones.
    package init(_ index: Int, of newCount: Int, in count: Int) {
        self.init(at: (Double(index) + 0.5) * Double(count) / Double(newCount) - 0.5, of: count)
    }

    /// The taps of `newCount` samples that cover the same extent as `count` old ones.
    package static func taps(of newCount: Int, in count: Int) -> [InterpolationTap] {
        (0..<newCount).map { InterpolationTap($0, of: newCount, in: count) }
    }
}

extension [InterpolationTap] {
    /// The first new sample in every interval between `count` old ones, from 0 to `count`, and the number of new samples.
    package func intervalStarts(between count: Int) -> [Int] {
        var starts: [Int] = []
        for (index, tap) in enumerated() {
            while starts.count <= tap.interval { starts.append(index) }
        }
        while starts.count <= count + 1 { starts.append(self.count) }
        return starts
    }
}
