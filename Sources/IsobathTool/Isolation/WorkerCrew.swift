internal import Isobath
internal import Synchronization

/// As many workers as there are inputs worked on at once. A worker that is lost costs its input, and the next one gets
/// another.
final class WorkerCrew: Sendable {
    private let limits: DecodingLimits
    private let originals: Set<FileIdentity>
    private let idle = Mutex<[WorkerProcess]>([])

    init(limits: DecodingLimits, originals: Set<FileIdentity>) {
        self.limits = limits
        self.originals = originals
    }

    /// Lets a worker do one input, and passes on what it tells. Throws when the worker is lost over it.
    func work(on input: Input, _ reporter: Reporter) throws(WorkerLost) {
        let worker =
            if let worker = idle.withLock({ $0.popLast() }) { worker } else {
                try WorkerProcess(keeping: originals)
            }
        try worker.work(on: input, seconds: limits[.seconds], reporter)
        idle.withLock { $0.append(worker) }
    }

    /// Lets all workers end; none is working any more.
    func dismiss() {
        for worker in idle.withLock({ $0 }) { worker.dismiss() }
    }
}
