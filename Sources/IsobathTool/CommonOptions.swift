internal import ArgumentParser

/// Flags of every verb.
struct CommonOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Show errors only.")
    var quiet = false

    @OptionGroup(title: "Limits")
    var limitOptions: LimitOptions
}
