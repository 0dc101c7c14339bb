internal import ArgumentParser

/// Flags of every verb.
struct CommonOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Show errors only.")
    var quiet = false

    /// Not in the short help: --help-hidden lists them.
    @OptionGroup
    var limitOptions: LimitOptions
}
