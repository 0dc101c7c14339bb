internal import ArgumentParser
internal import Isobath

/// Flags of every subcommand.
struct CommonOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Show errors only.")
    var quiet = false

    @OptionGroup var isolation: IsolationOptions

    /// Not in the short help: --help-hidden lists them.
    @OptionGroup
    var limitOptions: LimitOptions

    /// What a file may ask for.
    var limits: DecodingLimits { limitOptions.limits }
}
