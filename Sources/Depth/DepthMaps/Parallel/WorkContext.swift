internal import Glibc
internal import Synchronization

/// The limits and cancellation that loops over rows respect. It belongs to the task, or to the thread outside tasks, and is
/// passed on to the threads of a loop.
struct WorkContext: Sendable {
    /// How many threads a loop may run on.
    private(set) var threadLimit = Int.max
    private var cancellation: Cancellation?

    @TaskLocal static var current = WorkContext()

    /// Whether the threads of a loop need this context: not if there is no limit and no cancellation.
    var isInherited: Bool { threadLimit < .max || cancellation != nil }

    /// Whether the caller cancelled this work.
    var isCancelled: Bool { cancellation?.isRequested ?? false }

    /// The same context with fewer threads, if `limit` is lower than the current one.
    func limited(to limit: Int) -> WorkContext {
        var context = self
        context.threadLimit = min(threadLimit, max(limit, 1))
        return context
    }

    /// The context of each of several threads, which together use no more than this one allows.
    func sharedBy(_ threads: Int) -> WorkContext {
        guard threadLimit < .max else { return self }
        return limited(to: threadLimit / threads)
    }

    fileprivate func cancelled(by cancellation: Cancellation) -> WorkContext {
        var context = self
        context.cancellation = cancellation
        return context
    }
}

/// Whether the task that waits for the threads of a loop was cancelled; the threads read it.
private final class Cancellation: Sendable {
    @safe private struct WaitingTask: @unchecked Sendable {
        let task: UnsafeCurrentTask?
    }

    private let waiting: Mutex<WaitingTask>

    init(of task: UnsafeCurrentTask) { waiting = unsafe Mutex(WaitingTask(task: task)) }

    // SAFETY: any thread may query a task that is alive, and `end()` forgets the task while it is.
    var isRequested: Bool { waiting.withLock { unsafe $0.task?.isCancelled ?? false } }

    /// Forgets the task: a task that `body` started may outlive it and still hold this object.
    func end() { waiting.withLock { $0 = unsafe WaitingTask(task: nil) } }
}

/// Runs `body` so that loops over rows in it use at most `limit` threads, the calling one included, even if nested; 1 uses no
/// other thread.
///
/// An inner limit cannot raise an outer one. Tasks that `body` starts have the same limit.
package func withThreadLimit<Result>(_ limit: Int, _ body: () throws -> Result) rethrows -> Result {
    try WorkContext.$current.withValue(WorkContext.current.limited(to: limit), operation: body)
}

/// Runs `body` with its fraction of the cores, while `count` pieces of work run at once.
package func withShareOfCores<Result>(ofEachOf count: Int, _ body: () throws -> Result) rethrows -> Result {
    try withThreadLimit(count > 1 ? coreCount / count : .max, body)
}

/// The number of threads that may be used here, for work that starts threads itself.
package var threadLimit: Int { WorkContext.current.threadLimit }

/// How many cores this machine has.
package let coreCount = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

/// Runs `body` so that cancelling the calling task ends it early, with `CancellationError`.
///
/// After cancellation, loops over rows skip their remaining bands, and the result is discarded: `body` may read zeros
/// anywhere, and must not store them. Outside a task nothing can be cancelled.
package func cancellable<Result>(_ body: () throws -> Result) throws -> Result {
    try unsafe withUnsafeCurrentTask { task in
        // A thread that runs a loop has no task; it queries the task that waits for the loop.
        guard let task = unsafe task else { return try unlessCancelled(body) }
        let cancellation = unsafe Cancellation(of: task)
        defer { cancellation.end() }
        return try WorkContext.$current.withValue(WorkContext.current.cancelled(by: cancellation)) {
            try unlessCancelled(body)
        }
    }
}

private func unlessCancelled<Result>(_ body: () throws -> Result) throws -> Result {
    if isWorkCancelled { throw CancellationError() }
    let result = Swift.Result { try body() }
    // After cancellation an error is meaningless: it may result from zeros.
    if isWorkCancelled { throw CancellationError() }
    return try result.get()
}

/// Whether the result of this work is no longer wanted: for loops with long bands. Only inside ``cancellable(_:)``.
package var isWorkCancelled: Bool { WorkContext.current.isCancelled }
