internal import ArgumentParser
internal import Isobath

/// Flags of every subcommand.
struct CommonOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Show errors and lost data only.")
    var quiet = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Use N cores at most (default: all).", valueName: "n"))
    var threads: Int?

    @Flag(
        help: """
            Decode in isolated processes with limited memory, time and rights: a crash or a hang there fails one input, \
            and the run goes on. For untrusted files.
            """)
    var isolate = false

    @Option(
        name: .customLong("limit"),
        help: ArgumentHelp(
            "Change a limit of reading, such as pixels=20000000; 'isobath help limits' lists them. May be repeated.",
            valueName: "name=n"),
        completion: .list(DecodingLimits.Name.allCases.map { "\($0.rawValue)=" }), transform: GivenLimit.init)
    private var givenLimits: [GivenLimit] = []

    /// The limits of reading: the given ones, and defaults for the rest.
    var limits: DecodingLimits {
        givenLimits.reduce(into: DecodingLimits()) { limits, limit in limits[limit.name] = limit.value }
    }

    func validate() throws {
        if let threads, !(1...1024).contains(threads) {
            throw ValidationError("--threads is \(threads); it must be 1 to 1024")
        }
        var seen: Set<DecodingLimits.Name> = []
        for limit in givenLimits where !seen.insert(limit.name).inserted {
            throw ValidationError("--limit \(limit.name.rawValue) is given twice")
        }
    }
}
