internal import ArgumentParser
internal import Isobath

/// Flags of every subcommand.
struct CommonOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Show errors only.")
    var quiet = false

    @OptionGroup var isolation: IsolationOptions

    @OptionGroup var limitOptions: LimitOptions

    /// The limits of reading.
    var limits: DecodingLimits { limitOptions.limits }
}
