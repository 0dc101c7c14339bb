internal import Glibc
internal import Synchronization

/// What loops over rows have to respect. It belongs to the task, or to the thread where there is none, and is handed on to the
/// threads that a loop runs on.
struct WorkContext: Sendable {
    /// How many threads a loop may run on.
    private(set) var threadLimit = Int.max
    private var cancellation: Cancellation?

    @TaskLocal static var current = WorkContext()

    /// Whether the threads of a loop have to know of this: not where nothing is limited and nothing can be cancelled.
    var isInherited: Bool { threadLimit < .max || cancellation != nil }

    /// Whether the caller cancelled this work.
    var isCancelled: Bool { cancellation?.isRequested ?? false }

    /// The same with fewer threads, where `limit` is less than what applies already.
    func limited(to limit: Int) -> WorkContext {
        var context = self
        context.threadLimit = min(threadLimit, max(limit, 1))
        return context
    }

    /// What each of several threads may use, so that together they use no more than this.
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

/// Whether a task that waits for work was cancelled, asked from the threads that do the work.
private final class Cancellation: Sendable {
    @safe private struct WaitingTask: @unchecked Sendable {
        let task: UnsafeCurrentTask?
    }

    private let waiting: Mutex<WaitingTask>

    init(of task: UnsafeCurrentTask) { waiting = unsafe Mutex(WaitingTask(task: task)) }

    // SAFETY: any thread may ask this of a task that lives, and `end()` forgets the task while it does.
    var isRequested: Bool { waiting.withLock { unsafe $0.task?.isCancelled ?? false } }

    /// Forgets the task: a task that `body` started may still hold this.
    func end() { waiting.withLock { $0 = unsafe WaitingTask(task: nil) } }
}

/// Runs `body` so that loops over rows in it use `limit` threads at most, the calling one among them, however they are nested; 1 uses
/// no other thread.
///
/// An inner limit cannot raise an outer one. Tasks that `body` starts have the same limit.
package func withThreadLimit<Result>(_ limit: Int, _ body: () throws -> Result) rethrows -> Result {
    try WorkContext.$current.withValue(WorkContext.current.limited(to: limit), operation: body)
}

/// Runs `body` with its share of the cores, where `count` pieces of work run at once.
package func withShareOfCores<Result>(ofEachOf count: Int, _ body: () throws -> Result) rethrows -> Result {
    try withThreadLimit(count > 1 ? coreCount / count : .max, body)
}

/// How many threads work may use here: for what starts its own.
package var threadLimit: Int { WorkContext.current.threadLimit }

/// How many cores this machine has.
package let coreCount = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

/// Runs `body` so that cancelling the task that calls ends it early, with `CancellationError`.
///
/// Loops over rows leave out what is left of them, and what they return is thrown away: `body` may find zeros anywhere, and must
/// not keep them. Outside a task nothing can be cancelled.
package func cancellable<Result>(_ body: () throws -> Result) throws -> Result {
    try unsafe withUnsafeCurrentTask { task in
        // A thread that a loop runs on has no task, and asks the one that waits for the loop.
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
    // Then an error that is made of zeros says nothing.
    if isWorkCancelled { throw CancellationError() }
    return try result.get()
}

/// Whether the result of this work is not wanted any more: for loops whose bands take long. Only inside ``cancellable(_:)``.
package var isWorkCancelled: Bool { WorkContext.current.isCancelled }
