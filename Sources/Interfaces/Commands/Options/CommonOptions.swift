internal import ArgumentParser
internal import Isobath

/// Flags of every subcommand.
struct CommonOptions: FlagGroup {
    static let kinds: FlagKinds = ["quiet": .all]

    @Flag(name: .shortAndLong, help: "Show errors and lost data only.")
    var quiet = false

    @OptionGroup private var resources: ResourceOptions

    var threads: Int? { resources.threads }
    var isolate: Bool { resources.isolate }
    var limits: DecodingLimits { resources.limits }
}

/// Flags about the resources that reading may use.
struct ResourceOptions: FlagGroup {
    static let kinds: FlagKinds = ["threads": .all, "isolate": .all, "limit": .all]

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
        help: ArgumentHelp(
            "Change a limit of reading, such as pixels=20000000; 'isobath help limits' lists them. May be repeated.",
            valueName: "name=n"),
        completion: .list(DecodingLimits.Name.allCases.map { "\($0.rawValue)=" }), transform: GivenLimit.init)
    private var limit: [GivenLimit] = []

    /// The limits of reading: the given ones, and defaults for the rest.
    var limits: DecodingLimits {
        limit.reduce(into: DecodingLimits()) { limits, given in limits[given.name] = given.value }
    }

    func validate() throws {
        if let threads, !(1...1024).contains(threads) {
            throw ValidationError("--threads is \(threads); it must be 1 to 1024")
        }
        var seen: Set<DecodingLimits.Name> = []
        for given in limit where !seen.insert(given.name).inserted {
            throw ValidationError("--limit \(given.name.rawValue) is given twice")
        }
    }
}
