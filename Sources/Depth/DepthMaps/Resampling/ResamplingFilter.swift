internal import Glibc

/// A filter whose support widens when reducing. The raw value is its name in network profiles.
package enum ResamplingFilter: String, CaseIterable, Hashable, Sendable {
    /// The mean.
    case box
    /// Linear between two samples.
    case bilinear
    /// Cubic through four samples (Catmull–Rom).
    case bicubic
    /// A windowed sinc over six samples.
    case lanczos

    /// The support on either side of the center, in samples.
    private var support: Double {
        switch self {
        case .box: 0.5
        case .bilinear: 1
        case .bicubic: 2
        case .lanczos: 3
        }
    }

    private func weight(_ offset: Double) -> Double {
        let x = abs(offset)
        switch self {
        case .box: return offset > -0.5 && offset <= 0.5 ? 1 : 0
        case .bilinear: return x < 1 ? 1 - x : 0
        case .bicubic:
            let a = -0.5
            if x < 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
            return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0
        case .lanczos: return offset >= -3 && offset < 3 ? Self.sinc(offset) * Self.sinc(offset / 3) : 0
        }
    }

    private static func sinc(_ offset: Double) -> Double {
        offset == 0 ? 1 : sin(offset * .pi) / (offset * .pi)
    }

    /// The taps of new sample `index` of `newCount`, which cover the same extent as `count` old ones: the first old sample,
    /// and weights that add up to 1. Positions beyond the ends have no weight, as in Pillow's `precompute_coeffs`.
    package func taps(of index: Int, of newCount: Int, in count: Int) -> (first: Int, weights: [Double]) {
        let scale = Double(count) / Double(newCount)
        let widening = max(scale, 1)
        let support = support * widening
        let center = (Double(index) + 0.5) * scale
        let first = max(Int(center - support + 0.5), 0)
        let end = min(Int(center + support + 0.5), count)
        let weights = (first..<max(end, first)).map { weight((Double($0) - center + 0.5) / widening) }
        let sum = weights.reduce(0, +)
        return (first, sum != 0 ? weights.map { $0 / sum } : weights)
    }
}
