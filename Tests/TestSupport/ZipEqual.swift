public import Testing

/// Pairs the elements of two collections, and records an issue if their counts differ.
/// (`zip` stops at the end of the shorter one, so an empty collection would pass every comparison.)
public func zipEqual<First: Collection, Second: Collection>(
    _ first: First, _ second: Second, sourceLocation: SourceLocation = #_sourceLocation
) -> Zip2Sequence<First, Second> {
    if first.count != second.count {
        Issue.record(
            "\(first.count) elements are compared with \(second.count)", sourceLocation: sourceLocation)
    }
    return zip(first, second)
}
