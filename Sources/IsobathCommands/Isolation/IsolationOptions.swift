internal import ArgumentParser

/// Whether inputs are decoded in isolated processes.
struct IsolationOptions: ParsableArguments {
    @Flag(
        help: """
            Decode in isolated processes with limited memory, time and rights: a crash or a hang there fails one input, \
            and the run goes on. For untrusted files.
            """)
    var isolate = false
}
