internal import Dispatch
internal import Glibc
internal import Synchronization

/// Runs two closures at the same time, if cores are available; throws the first error.
///
/// Loops over rows inside either may use all cores, unlike loops inside the bands of another loop.
package func concurrently<First: Sendable, Second: Sendable>(
    _ first: @escaping @Sendable () throws -> First, _ second: @escaping @Sendable () throws -> Second
) throws -> (First, Second) {
    let context = WorkContext.current
    guard context.threadLimit > 1, startsThreads else { return (try first(), try second()) }
    let share = context.sharedBy(2)
    let shared = SharedWork { try WorkContext.$current.withValue(share, operation: second) }
    DispatchQueue.global().async { shared.run() }
    let one = WorkContext.$current.withValue(share) { Result { try first() } }
    // No other thread was free to run it.
    shared.run()
    let two = shared.result()
    return (try one.get(), try two.get())
}

/// Work that the first available thread performs.
private final class SharedWork<Value: Sendable>: Sendable {
    private let work: @Sendable () throws -> Value
    private let isTaken = Atomic(false)
    private let outcome = Mutex<Result<Value, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () throws -> Value) { self.work = work }

    /// Performs the work, unless another thread does.
    func run() {
        guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let result = Result { try work() }
        outcome.withLock { $0 = result }
        isDone.signal()
    }

    /// Waits for the result. Call once.
    func result() -> Result<Value, any Error> {
        isDone.wait()
        guard let result = outcome.withLock(\.self) else { preconditionFailure("the work was not done") }
        return result
    }
}

/// Runs a closure on a new thread and returns at once: `false` if no thread can be started. The program may end before the
/// work does.
///
/// Dispatch would first have to check whether it may start threads (``startsThreads``), which takes longer than starting this
/// one.
@discardableResult
package func inBackground(_ work: @escaping @Sendable () -> Void) -> Bool {
    let work = unsafe Unmanaged.passRetained(BackgroundWork(body: work))
    var thread = pthread_t()
    let status = unsafe pthread_create(
        &thread, nil,
        { work in
            guard let work = unsafe work else { return nil }
            // SAFETY: the thread takes the only reference, which was made for it.
            unsafe Unmanaged<BackgroundWork>.fromOpaque(work).takeRetainedValue().body()
            return nil
        }, work.toOpaque())
    guard status == 0 else {
        unsafe work.release()
        return false
    }
    pthread_detach(thread)
    return true
}

/// The work of a separate thread.
private final class BackgroundWork: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) { self.body = body }
}

/// The results of `body` for each number, in order; several run at once.
package func concurrentMap<Element: Sendable>(
    _ range: Range<Int>, _ body: @Sendable (Int) -> Element
) -> [Element] {
    let results = Mutex([Element?](repeating: nil, count: range.count))
    parallelFor(count: range.count, minimum: 1) { band in
        for offset in band {
            let element = body(range.lowerBound + offset)
            results.withLock { $0[offset] = element }
        }
    }
    return results.withLock { results in
        results.map { element in
            guard let element else { preconditionFailure("a band was not worked on") }
            return element
        }
    }
}
