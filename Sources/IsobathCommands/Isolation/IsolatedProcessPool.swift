internal import CSystemShims
internal import Glibc
internal import Isobath
internal import Synchronization

/// As many isolated processes as there are inputs worked on at once. One that crashes fails its input only; the next input
/// gets a new one.
final class IsolatedProcessPool: Sendable {
    private let seconds: Int
    private let request: Int32
    private let readsStandardInput: Bool
    private let writesStandardOutput: Bool
    private let mostInputs: Int
    private let idle = Mutex<[(process: IsolatedProcess, inputs: Int)]>([])

    /// Throws where the request cannot be kept in memory. `mostInputs` is how many inputs a process does before another takes
    /// its place.
    init(
        job: any Job, originals: Set<FileIdentity>, readsStandardInput: Bool,
        writesStandardOutput: Bool? = nil,
        mostInputs: Int = .max
    ) throws {
        seconds = job.limits[.seconds]
        self.readsStandardInput = readsStandardInput
        self.writesStandardOutput = writesStandardOutput ?? job.writesStandardOutput
        self.mostInputs = mostInputs
        let bytes = try IsolatedRequest(job: job, originals: originals, parent: getpid()).encoded()
        let file = unsafe bytes.withUnsafeBytes {
            unsafe isobath_sealed_file($0.baseAddress, UInt(bytes.count))
        }
        guard file >= 0 else {
            throw IsolationError(description: "no isolated process could be started: \(systemMessage(errno))")
        }
        defer { close(file) }
        request = try IsolatedProcess.outOfTheWay(file)
    }

    deinit {
        dismiss()
        close(request)
    }

    /// Lets a process do one input, and passes on what it reports. Throws when the process ends before it is done.
    func work(on input: Input, _ reporter: Reporter) throws(IsolationError) {
        guard input.source != nil || !input.path.namesDescriptor else { throw .descriptor }
        var (process, inputs) =
            if let process = idle.withLock({ $0.popLast() }) { process } else {
                (
                    try IsolatedProcess(
                        request: request, standardInput: readsStandardInput,
                        standardOutput: writesStandardOutput), 0
                )
            }
        try process.work(on: input, seconds: seconds, reporter)
        inputs += 1
        if inputs < mostInputs { idle.withLock { $0.append((process, inputs)) } } else { process.dismiss() }
    }

    /// Ends all processes; none is working any more.
    func dismiss() {
        let processes = idle.withLock { idle in
            defer { idle = [] }
            return idle
        }
        for (process, _) in processes { process.dismiss() }
    }
}
