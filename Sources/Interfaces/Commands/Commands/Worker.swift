internal import ArgumentParser
internal import Glibc
internal import Isobath

/// `isobath worker`
struct Worker: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        _superCommandName: "isobath",
        abstract: "Answer requests of another program, one line of JSON each.",
        discussion: """
            For programs and engines that process many photos: one process answers any number of requests from standard input to \
            standard output, several at a time. Errors are part of the replies; the exit status is 0 if every request was answered. \
            The article Formats describes the protocol.

            Examples:
              echo '{"verb": "info", "path": "IMG_0001.HEIC"}' | isobath worker
              isobath worker --isolate --jobs 4 < requests.jsonl > replies.jsonl
              isobath worker --isolate --limit pixels=20000000
            """)

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("Process N requests at once (default: one for each core).", valueName: "n"))
    var jobs: Int?

    @OptionGroup(title: "Common") var resources: ResourceOptions

    func validate() throws {
        if let jobs, !(1...256).contains(jobs) {
            throw ValidationError("--jobs is \(jobs); it must be 1 to 256")
        }
    }

    func run() throws {
        closeOnInterrupt()
        let settings = WorkerRun.Settings(
            jobs: jobs ?? min(coreCount, resources.threads ?? .max), limits: resources.limits,
            isIsolated: resources.isolate, threads: resources.threads)
        if resources.isolate { noteMissingProtection() }
        guard WorkerRun(settings).run() else { throw ExitCode(Outcome.failed.rawValue) }
    }
}
