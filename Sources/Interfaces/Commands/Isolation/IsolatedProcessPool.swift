internal import CSystemShims
internal import Glibc
internal import Isobath
internal import Synchronization

/// A pool of isolated processes, one for each input processed at once. A process that crashes fails only its input;
/// the next input gets a new process.
final class IsolatedProcessPool: Sendable {
    private let job: any Job
    private let request: Int32
    /// The folders of outputs, where a signal that ends this process leaves nothing incomplete.
    private let watched: [WatchedFolder]
    private let readsStandardInput: Bool
    private let writesStandardOutput: Bool
    /// A process is replaced after this many inputs, in case a library loses memory.
    private static let mostInputs = 10_000
    private let idle = Mutex<[(process: IsolatedProcess, inputs: Int)]>([])

    /// Throws if memory cannot hold the request.
    init(
        job: any Job, originals: Set<FileIdentity>, readsStandardInput: Bool,
        writesStandardOutput: Bool? = nil, threads: ThreadUse = ThreadUse()
    ) throws(IsolationError) {
        self.job = job
        watched = job.outputFolders.map { WatchedFolder($0) }
        self.readsStandardInput = readsStandardInput
        self.writesStandardOutput = writesStandardOutput ?? job.writesStandardOutput
        let bytes = IsolatedRequest(job, originals: originals, parent: getpid(), threads: threads).encoded
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
                        job, request: request, standardInput: readsStandardInput,
                        standardOutput: writesStandardOutput), 0
                )
            }
        try process.work(on: input, reporter)
        inputs += 1
        if inputs < Self.mostInputs, process.hasTimeForAnother {
            idle.withLock { $0.append((process, inputs)) }
        } else {
            process.dismiss()
        }
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
