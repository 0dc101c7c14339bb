public import Testing

/// Pairs of the elements of two collections that must have as many of them; where they have not, an issue is recorded.
/// (`zip` alone stops at the end of the shorter one, so that nothing compared with something passes.)
public func zipEqual<First: Collection, Second: Collection>(
    _ first: First, _ second: Second, sourceLocation: SourceLocation = #_sourceLocation
) -> Zip2Sequence<First, Second> {
    if first.count != second.count {
        Issue.record(
            "\(first.count) elements are compared with \(second.count)", sourceLocation: sourceLocation)
    }
    return zip(first, second)
}
