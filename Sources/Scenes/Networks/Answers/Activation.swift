internal import Glibc

extension NetworkProfile.Activation {
    /// The numbers of an answer after the profile's activation.
    func applied(to values: [Float]) -> [Float] {
        switch self {
        case .none: values
        case .sigmoid: values.map { 1 / (1 + exp(-$0)) }
        case .stretch: Self.stretched(values)
        case .stretchedSigmoid: Self.stretched(values.map { 1 / (1 + exp(-$0)) })
        }
    }

    /// The smallest becomes 0, the largest 1; all 0 if they are equal.
    private static func stretched(_ values: [Float]) -> [Float] {
        var (low, high) = (Float.infinity, -Float.infinity)
        for value in values { (low, high) = (min(low, value), max(high, value)) }
        guard high > low else { return values.map { _ in 0 } }
        return values.map { ($0 - low) / (high - low) }
    }
}
