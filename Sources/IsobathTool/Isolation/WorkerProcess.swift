internal import CSystemShims
internal import Glibc
internal import Isobath

/// A worker, seen from the process that started it: this program once more, with the same arguments.
struct WorkerProcess {
    /// What became of an input.
    enum Result {
        /// The worker is done with it, and has said on standard error what there is to say.
        case done(Outcome)
        /// The worker is no more.
        case lost(String)
    }

    private let process: pid_t
    private let jobs: Int32
    private let outcomes: Int32

    /// Starts a worker. Throws with the system's words when that fails.
    init() throws(WorkerLost) {
        var (inward, outward): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard unsafe pipe(&inward) == 0, unsafe pipe(&outward) == 0 else {
            throw Self.failure(errno)
        }
        // Out of the way of the numbers that the worker will know them by.
        let ends = [inward[0], inward[1], outward[0], outward[1]].map { end in
            let moved = fcntl(end, F_DUPFD_CLOEXEC, 40)
            close(end)
            return moved
        }
        defer {
            close(ends[0])
            close(ends[3])
        }
        (jobs, outcomes) = (ends[1], ends[2])
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[0], Worker.jobs)
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[3], Worker.outcomes)
        // A crash is to end the worker at once, and not to be written up first.
        let surroundings = Self.environment.filter { !$0.hasPrefix("SWIFT_BACKTRACE=") }
        let arguments = unsafe Self.pointers(to: CommandLine.arguments + ["--is-worker"])
        let variables = unsafe Self.pointers(to: surroundings + ["SWIFT_BACKTRACE=enable=no"])
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, "/proc/self/exe", &actions, nil, arguments, variables)
        unsafe (arguments + variables).forEach { unsafe free($0) }
        self.process = process
        guard code == 0 else {
            close(jobs)
            close(outcomes)
            throw Self.failure(code)
        }
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

    /// Lets the worker do one input, and waits for it at most `seconds`.
    func work(on input: String, seconds: Int) -> Result {
        let count = UInt32(input.utf8.count)
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) } + Array(input.utf8)
        guard unsafe write(jobs, bytes, bytes.count) == bytes.count else { return .lost(end()) }
        var isReady: Int32 = 0
        repeat {
            var wait = pollfd(fd: outcomes, events: Int16(POLLIN), revents: 0)
            isReady = unsafe poll(&wait, 1, Int32(clamping: seconds * 1000))
        } while isReady < 0 && errno == EINTR
        if isReady == 0 {
            kill(process, SIGKILL)
            _ = end()
            return .lost("it took more than \(seconds) s; --limit-seconds allows more")
        }
        var outcome: UInt8 = 0
        guard unsafe read(outcomes, &outcome, 1) == 1 else { return .lost(end()) }
        return .done(Outcome(rawValue: Int32(outcome)) ?? .failed)
    }

    /// Lets a worker that has nothing to do end.
    func finish() {
        close(jobs)
        close(outcomes)
        _ = end()
    }

    /// Waits for the worker's end, and says in words how it came.
    private func end() -> String {
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
        return "a decoder crashed on it (\(name))"
    }

    private static func failure(_ code: Int32) -> WorkerLost {
        let words = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return WorkerLost(description: "no worker could be started: \(words)")
    }
}

/// The worker came to its end over an input.
struct WorkerLost: Error, CustomStringConvertible {
    let description: String
}

/// Works on inputs in a worker, one after the other; a worker that is lost costs its input, and another is started.
func workInIsolation(
    on inputs: [String], limits: DecodingLimits, _ reporter: inout Reporter
) {
    var rest = inputs[...]
    while !rest.isEmpty {
        do throws(WorkerLost) {
            let worker = try WorkerProcess()
            var isLost = false
            while !isLost, let input = rest.popFirst() {
                switch worker.work(on: input, seconds: limits[.seconds]) {
                case .done(let outcome): reporter.count(outcome)
                case .lost(let words):
                    reporter.fail(WorkerLost(description: words), of: input)
                    isLost = true
                }
            }
            worker.finish()
        } catch {
            for input in rest { reporter.fail(error, of: input) }
            return
        }
    }
}
