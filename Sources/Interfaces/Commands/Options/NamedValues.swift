public import ArgumentParser

/// The names of an enumeration's values, as flags with such values list them.
///
/// ArgumentParser's defaults use key paths and describe each value, for each such flag of a subcommand, in every run.
extension ExpressibleByArgument where Self: CaseIterable & RawRepresentable, RawValue == String {
    /// The names.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
    /// Empty: the names are enough.
    public static var allValueDescriptions: [String: String] { [:] }
    /// Completion by the names.
    public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
