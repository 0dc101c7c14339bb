public import Testing

/// Counts how many damaged files were parsed and how many were refused.
///
/// A parser that accepts every mutant, or refuses every one, passes a test that only looks for crashes.
public struct MutantCount {
    private var parsed = 0
    private var refused = 0

    /// A count of zero.
    public init() {}

    /// Counts a mutant by whether `body` throws.
    public mutating func add(_ body: () throws -> Void) {
        do {
            try body()
            parsed += 1
        } catch {
            refused += 1
        }
    }

    /// Records an issue unless some mutants were parsed and some were refused.
    public func expectBoth(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(
            parsed > 0 && refused > 0, "\(parsed) mutants were parsed and \(refused) refused",
            sourceLocation: sourceLocation)
    }
}
