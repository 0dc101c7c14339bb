internal import CSystemShims
internal import Glibc
internal import Isobath
internal import Sequences

/// An isolated process, as its parent sees it: this program, started again under the name ``IsolatedMain/name`` and
/// without arguments.
struct IsolatedProcess: Sendable {
    private let process: pid_t
    private let inputs: Pipe
    private var messages: Pipe

    /// Starts a process that inherits `request`, a sealed file, and the standard streams that it needs. Throws the
    /// system's message on failure.
    init(request: Int32, standardInput: Bool, standardOutput: Bool) throws(IsolationError) {
        let inward = try Self.pipe()
        let outward: (reading: Int32, writing: Int32)
        do throws(IsolationError) {
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
        do throws(IsolationError) {
            process = try Self.launch([
                standardInput ? try Self.outOfTheWay(0) : -1, standardOutput ? try Self.outOfTheWay(1) : -1,
                isobath_is_sanitized() == 1 ? try Self.outOfTheWay(2) : -1,
                inward.reading, outward.writing, request,
            ])
        } catch {
            close(inputs.descriptor)
            close(messages.descriptor)
            throw error
        }
        messages.whileWaiting = { [process] in
            if Interruption.isRequested { kill(process, endingSignal) }
        }
    }

    /// Starts this program with copies of these descriptors as 0, 1, …; -1 for a closed one.
    private static func launch(_ descriptors: [Int32]) throws(IsolationError) -> pid_t {
        defer { for descriptor in descriptors[..<3] where descriptor >= 0 { close(descriptor) } }
        // Let a crash end the process at once, without printing a backtrace first.
        let variables =
            environment.filter { !$0.hasPrefix("SWIFT_BACKTRACE=") } + ["SWIFT_BACKTRACE=enable=no"]
        let pointers = unsafe variables.map { unsafe strdup($0) }
        defer { unsafe pointers.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let code = unsafe (pointers.map { unsafe UnsafePointer($0) } + [nil]).withUnsafeBufferPointer {
            variables in
            unsafe IsolatedMain.name.withCString { name in
                var request = unsafe isobath_launch()
                unsafe request.name = unsafe name
                unsafe request.environment = variables.baseAddress
                unsafe withUnsafeMutableBytes(of: &request.descriptors) { bytes in
                    unsafe descriptors.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
                }
                return unsafe isobath_launch(&request, &process)
            }
        }
        guard code == 0 else { throw failure(code) }
        return process
    }

    /// A pipe whose ends have other numbers than the descriptors of the isolated process.
    private static func pipe() throws(IsolationError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe isobath_pipe(&ends) == 0 else { throw failure(errno) }
        defer { for end in ends { close(end) } }
        let reading = try outOfTheWay(ends[0])
        do throws(IsolationError) {
            return (reading, try outOfTheWay(ends[1]))
        } catch {
            close(reading)
            throw error
        }
    }

    /// A copy of a descriptor, with a number that the isolated process does not use.
    static func outOfTheWay(_ descriptor: Int32) throws(IsolationError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, ISOBATH_LAUNCH_DESCRIPTORS)
        // The system reports numbers beyond the limit of open files as invalid.
        guard copy >= 0 else { throw failure(errno == EINVAL ? EMFILE : errno) }
        return copy
    }

    /// The variables of this process, as `NAME=value`.
    private static var environment: [String] {
        var variables: [String] = []
        while let variable = unsafe environ[variables.count] {
            variables.append(unsafe String(cString: variable))
        }
        return variables
    }

    /// Lets the process handle one input for at most `seconds`, and passes on its reports. Throws if the process ends,
    /// or must be ended, before the input is done.
    func work(on input: Input, seconds: Int, _ reporter: Reporter) throws(IsolationError) {
        var deadline = ContinuousClock.now + .seconds(min(seconds, 1_000_000_000))
        var published = PublishedFiles()
        var room = Frame.mostForAnInput
        let source = input.suppliedSource
        guard Frame(input).write(to: inputs) else { throw IsolationError(description: end()) }
        while let frame = Frame(from: messages, until: deadline) {
            if frame.kind == .done { return }
            if let ranges = frame.needed, let source {
                let start = ContinuousClock.now
                guard supply(ranges, of: source) else { break }
                // The wait for bytes is not part of the decoder's time.
                deadline += ContinuousClock.now - start
                continue
            }
            room -= frame.size
            guard room >= 0, let message = frame.message else { break }
            published.note(message)
            reporter.pass(message.checked)
        }
        let isLate = ContinuousClock.now >= deadline
        let ending = end()
        // Count the files that it published before it ended but could not report.
        for path in published.unreported { reporter.countWritten(path) }
        throw IsolationError(
            description: isLate ? "it took more than \(seconds) s; --limit seconds=N allows more" : ending)
    }

    /// Sends the bytes of ranges that the process requested, or why they are missing. Returns `false` if a range
    /// is too long, or the process reads no more.
    private func supply(_ ranges: [Range<Int>], of source: any ByteSource) -> Bool {
        source.prefetch(ranges)
        for range in ranges {
            guard range.count < Frame.largest else { return false }
            do throws(ContainerError) {
                guard Frame(kind: .have, bytes: try source.read(range)).write(to: inputs) else {
                    return false
                }
            } catch {
                let reason = if case .unreadable(let detail) = error.reason { detail } else { "\(error)" }
                return Frame(kind: .lost, bytes: Array(reason.utf8)).write(to: inputs)
            }
        }
        return true
    }

    /// Ends an idle process.
    func dismiss() { _ = end() }

    /// Ends the process. Returns how it ended if it had ended already.
    private func end() -> String {
        kill(process, SIGKILL)
        close(inputs.descriptor)
        close(messages.descriptor)
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return "the isolated process is gone" }
        }
        let signal = status & 0x7F
        if signal == 0, status >> 8 & 0xFF == IsolatedMain.withoutFilter {
            return "isolated processes need libseccomp, which cannot be loaded; install it (libseccomp2)"
        }
        guard signal != 0 else { return "the isolated process ended with status \(status >> 8 & 0xFF)" }
        if signal == SIGXCPU { return "it took too much time; --limit seconds=N allows more" }
        let name =
            unsafe isobath_signal_name(signal).map { unsafe "SIG" + String(cString: $0) }
            ?? "signal \(signal)"
        if signal == SIGKILL {
            return "the isolated process was killed (SIGKILL), perhaps by a system out of memory"
        }
        return "the decoder crashed, or ran out of memory (\(name)); --limit memory-bytes=N allows more"
    }

    private static func failure(_ code: Int32) -> IsolationError {
        IsolationError(description: "no isolated process could be started: \(systemMessage(code))")
    }
}
