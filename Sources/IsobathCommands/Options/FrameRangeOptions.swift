internal import ArgumentParser

/// Flags for a part of a sequence.
struct FrameRangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Leave out frames before this time.", valueName: "seconds"), transform: decimal)
    var start: Double?

    @Option(
        help: ArgumentHelp("Leave out frames from this time on.", valueName: "seconds"), transform: decimal)
    var end: Double?

    func validate() throws {
        if let start, let end, start >= end { throw ValidationError("'--start' must be less than '--end'.") }
    }
}
