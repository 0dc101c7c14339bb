internal import ArgumentParser

/// Whether inputs are worked on in processes of their own.
struct IsolationOptions: ParsableArguments {
    @Flag(
        help: """
            Work in another process with limited memory, time and rights: what crashes or hangs there is one error, and \
            the run goes on. For files of strangers.
            """)
    var isolate = false

    /// This process is the worker of another.
    @Flag(help: ArgumentHelp(visibility: .private))
    var isWorker = false
}
