internal import ArgumentParser
internal import Glibc
internal import Isobath

/// `isobath worker`
struct Worker: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        _superCommandName: "isobath",
        abstract: "Answer requests of another program, one line of JSON each, until there are no more.",
        discussion: """
            For programs and engines that work on many photos: one process answers any number of requests from standard input \
            to standard output, several at a time. Errors are part of the replies; the exit status is 0 when every \
            request was answered. The article Workers describes the protocol.
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Work on so many requests at once (default: one for each core).", valueName: "n"))
    var jobs: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --isolate: replace an isolated process after so many inputs (default: 10000).",
            valueName: "n"))
    var recycle: Int?

    @OptionGroup var isolation: IsolationOptions

    @OptionGroup var limitOptions: LimitOptions

    func validate() throws {
        if let jobs, !(1...256).contains(jobs) { throw ValidationError("'--jobs' is 1 to 256.") }
        if let recycle, recycle < 1 { throw ValidationError("'--recycle' must be 1 or more.") }
        if recycle != nil, !isolation.isolate { throw ValidationError("--recycle goes with --isolate.") }
    }

    func run() throws {
        prepareStandardStreams()
        closeOnInterrupt()
        let settings = WorkerRun.Settings(
            jobs: jobs ?? coreCount, limits: limitOptions.limits,
            recycle: isolation.isolate ? recycle ?? 10_000 : nil)
        guard WorkerRun(settings).run() else { throw ExitCode(Outcome.failed.rawValue) }
    }
}
