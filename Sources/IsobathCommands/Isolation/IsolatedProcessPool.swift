internal import CSystemShims
internal import Glibc
internal import Isobath
internal import Synchronization

/// A pool of isolated processes, one for each input processed at once. A process that crashes fails only its input;
/// the next input gets a new process.
final class IsolatedProcessPool: Sendable {
    private let seconds: Int
    private let request: Int32
    private let readsStandardInput: Bool
    private let writesStandardOutput: Bool
    private let mostInputs: Int
    private let idle = Mutex<[(process: IsolatedProcess, inputs: Int)]>([])

    /// Throws if memory cannot hold the request. `mostInputs` is how many inputs a process handles before it is
    /// replaced.
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
        request = file
    }

    deinit {
        dismiss()
        close(request)
    }

    /// Lets a process handle one input, and passes on its reports. Throws if the process ends before the input is
    /// done.
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

    /// Ends all processes. Call this when all are idle.
    func dismiss() {
        let processes = idle.withLock { idle in
            defer { idle = [] }
            return idle
        }
        for (process, _) in processes { process.dismiss() }
    }
}
