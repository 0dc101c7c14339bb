internal import Bytes
internal import CSystemShims
internal import Glibc
internal import Isobath
internal import Scenes

/// An isolated process, as its parent sees it: this program, started again under the name ``IsolatedMain/name`` and
/// without arguments.
struct IsolatedProcess: Sendable {
    private let process: ChildProcess
    private let inputs: Pipe
    private var messages: Pipe
    private let limits: DecodingLimits
    private let outputFolders: [String]

    /// Starts a process that inherits `request`, the sealed file with a job, and the standard streams that it needs. Throws
    /// the system's message on failure.
    init(
        _ job: any Job, request: Int32, standardInput: Bool, standardOutput: Bool
    ) throws(IsolationError) {
        (limits, outputFolders) = (job.limits, job.outputFolders)
        do throws(LaunchError) {
            let inward = try ProcessPipe()
            defer { close(inward.reading) }
            let outward: ProcessPipe
            do throws(LaunchError) {
                outward = try ProcessPipe()
            } catch {
                close(inward.writing)
                throw error
            }
            defer { close(outward.writing) }
            (inputs, messages) = (Pipe(descriptor: inward.writing), Pipe(descriptor: outward.reading))
            do throws(LaunchError) {
                process = try Self.start([
                    standardInput ? 0 : -1, standardOutput ? 1 : -1, isobath_is_sanitized() == 1 ? 2 : -1,
                    inward.reading, outward.writing, request,
                ])
            } catch {
                close(inputs.descriptor)
                close(messages.descriptor)
                throw error
            }
        } catch {
            let isWithoutProc = unsafe access(ChildProcess.ownProgram, F_OK) != 0
            throw IsolationError(
                description: isWithoutProc
                    ? "isolated processes need /proc, which is not mounted"
                    : "no isolated process could be started: \(error)")
        }
        isobath_watch_process(process.number)
        messages.whileWaiting = { [process] in
            if Interruption.isRequested { process.send(endingSignal) }
        }
    }

    /// Starts this program with copies of these descriptors as 0, 1, …; -1 for a closed one.
    private static func start(_ descriptors: [Int32]) throws(LaunchError) -> ChildProcess {
        // Let a crash end the process at once, without printing a backtrace first.
        let variables = ChildProcess.environment.filter(isPassedOn) + ["SWIFT_BACKTRACE=enable=no"]
        return try ChildProcess(
            ChildProcess.ownProgram, [IsolatedMain.name], environment: variables, descriptors: descriptors)
    }

    /// Whether an isolated process gets a variable. All others stay here: they may hold secrets, and a file could make a
    /// library read them.
    private static func isPassedOn(_ variable: String) -> Bool {
        let name = variable.prefix { $0 != "=" }
        return name.hasPrefix("LC_") || passedVariables.contains(String(name))
            || isobath_is_sanitized() == 1 && name == "ASAN_OPTIONS"
    }

    static let passedVariables: Set = [
        "LANG", "LANGUAGE", "TZ", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "ISOBATH_ONNXRUNTIME",
    ]

    /// Whether the process has enough processor time left for another input.
    var hasTimeForAnother: Bool {
        isobath_processor_time(process.number) <= Double(IsolatedMain.processorSeconds(limits))
    }

    /// Lets the process handle one input within the limit of seconds, and passes on its reports. Throws if the process
    /// ends, or must be ended, before the input is done.
    func work(on input: Input, _ reporter: Reporter) throws(IsolationError) {
        let seconds = limits[.seconds]
        // The program that supplies the bytes of an input has the same time, and its error should arrive first.
        let report = input.source == nil ? 0.0 : 0.5
        let deadline = ContinuousClock.now + .seconds(min(seconds, 1_000_000_000)) + .seconds(report)
        var published = PublishedFiles()
        var room = Frame.mostForAnInput
        guard Frame(input).write(to: inputs) else { throw IsolationError(description: end()) }
        while let frame = Frame(from: messages, until: deadline) {
            if frame.kind == .done { return }
            if let ranges = frame.needed, let source = input.source {
                guard ContinuousClock.now < deadline, supply(ranges, of: source) else { break }
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
        // Before the pipes are closed, which would end it otherwise.
        process.send(SIGKILL)
        close(inputs.descriptor)
        close(messages.descriptor)
        let ending = process.end()
        isobath_unwatch_process(process.number)
        for folder in outputFolders { WatchedFolder.removeLeftovers(in: folder) }
        switch ending {
        case .unknown: return "the isolated process is gone"
        case .status(IsolatedMain.withoutFilter):
            return "isolated processes need libseccomp, which cannot be loaded; install it (libseccomp2)"
        case .status(let status): return "the isolated process ended with status \(status)"
        case .signal(SIGXCPU): return "it took too much time; --limit seconds=N allows more"
        case .signal(SIGKILL):
            return "the isolated process was killed (SIGKILL), perhaps by a system out of memory"
        case .signal(let signal):
            let name = ChildProcess.Ending.name(ofSignal: signal)
            return "the decoder crashed, or ran out of memory (\(name)); --limit memory-bytes=N allows more"
        }
    }
}
