internal import CSystemShims
internal import Glibc
internal import Isobath

/// A worker, seen from the process that started it: this program once more, with the same arguments.
struct WorkerProcess: Sendable {
    private let process: pid_t
    private let inputs: Pipe
    private let messages: Pipe

    /// Starts a worker. Throws with the system's words when that fails.
    init(keeping originals: Set<FileIdentity>) throws(WorkerLost) {
        let inward = try Self.pipe()
        let outward: (reading: Int32, writing: Int32)
        do throws(WorkerLost) {
            outward = try Self.pipe()
        } catch {
            close(inward.reading)
            close(inward.writing)
            throw error
        }
        defer {
            close(inward.reading)
            close(outward.writing)
        }
        (inputs, messages) = (Pipe(descriptor: inward.writing), Pipe(descriptor: outward.reading))
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, inward.reading, Worker.inputs.descriptor)
        unsafe posix_spawn_file_actions_adddup2(&actions, outward.writing, Worker.messages.descriptor)
        // A crash is to end the worker at once, and not to be written up first: its messages come by the pipe.
        if isobath_is_sanitized() == 0 {
            unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        let surroundings = Self.environment.filter { !$0.hasPrefix("SWIFT_BACKTRACE=") }
        let arguments = unsafe Self.pointers(to: CommandLine.arguments + ["--is-worker"])
        let variables = unsafe Self.pointers(to: surroundings + ["SWIFT_BACKTRACE=enable=no"])
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, "/proc/self/exe", &actions, nil, arguments, variables)
        unsafe (arguments + variables).forEach { unsafe free($0) }
        self.process = process
        guard code == 0 else {
            close(inputs.descriptor)
            close(messages.descriptor)
            throw Self.failure(code)
        }
        // A worker that is gone by now is found out with its first input.
        _ = Frame(kind: .originals, bytes: FileIdentity.bytes(of: originals)).write(to: inputs)
    }

    /// A pipe, out of the way of the numbers that the worker will know its ends by.
    private static func pipe() throws(WorkerLost) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe isobath_pipe(&ends) == 0 else { throw failure(errno) }
        let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 40) }
        let code = errno
        for end in ends { close(end) }
        guard moved.allSatisfy({ $0 >= 0 }) else {
            for end in moved where end >= 0 { close(end) }
            // Numbers beyond the limit of open files are called invalid.
            throw failure(code == EINVAL ? EMFILE : code)
        }
        return (moved[0], moved[1])
    }

    /// The variables of this process, as `NAME=value`.
    private static var environment: [String] {
        var variables: [String] = []
        while let variable = unsafe environ[variables.count] {
            variables.append(unsafe String(cString: variable))
        }
        return variables
    }

    /// Copies for C, to be freed, and `nil` behind them.
    private static func pointers(to texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        unsafe texts.map { unsafe strdup($0) } + [nil]
    }

    /// Lets the worker do one input for at most `seconds`, and passes on what it tells. Throws when the worker is lost
    /// over it; it is no more, then.
    func work(on input: Input, seconds: Int, _ reporter: Reporter) throws(WorkerLost) {
        let deadline = ContinuousClock.now + .seconds(min(seconds, 1_000_000_000))
        guard Frame(input).write(to: inputs) else { throw WorkerLost(description: end()) }
        while let frame = Frame(from: messages, until: deadline) {
            if frame.kind == .done { return }
            guard let message = frame.message else { break }
            reporter.pass(message)
        }
        let isLate = ContinuousClock.now >= deadline
        let words = end()
        throw WorkerLost(
            description: isLate ? "it took more than \(seconds) s; --limit-seconds allows more" : words)
    }

    /// Ends a worker that has nothing to do.
    func dismiss() { _ = end() }

    /// Ends the worker, and says in words how it ended where it was no more already.
    private func end() -> String {
        kill(process, SIGKILL)
        close(inputs.descriptor)
        close(messages.descriptor)
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return "its worker is gone" }
        }
        let signal = status & 0x7F
        guard signal != 0 else { return "its worker ended with status \(status >> 8 & 0xFF)" }
        if signal == SIGXCPU { return "it took too much time; --limit-seconds allows more" }
        let name =
            unsafe isobath_signal_name(signal).map { unsafe "SIG" + String(cString: $0) }
            ?? "signal \(signal)"
        if signal == SIGKILL { return "its worker was killed (SIGKILL), as by a system without memory" }
        return "a decoder crashed on it, or lacked memory that --limit-memory-bytes allows (\(name))"
    }

    private static func failure(_ code: Int32) -> WorkerLost {
        let words = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return WorkerLost(description: "no worker could be started: \(words)")
    }
}
