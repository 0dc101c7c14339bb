import DepthMaps
import Foundation
import Synchronization
import Testing

@Suite("Loops on several threads")
struct ParallelForTests {
    /// The threads that the bands of a loop in a loop ran on, and how often each row was worked on.
    private func threads() -> (threads: Set<UInt>, rows: [Int]) {
        let found = Mutex((threads: Set<UInt>(), rows: [Int](repeating: 0, count: 64)))
        parallelFor(count: 4, minimum: 1) { outer in
            for part in outer {
                parallelFor(count: 16, minimum: 1) { inner in
                    usleep(1000)
                    found.withLock { found in
                        found.threads.insert(UInt(pthread_self()))
                        for row in inner { found.rows[part * 16 + row] += 1 }
                    }
                }
            }
        }
        return found.withLock(\.self)
    }

    @Test("A limit of one thread uses the calling one")
    func one() {
        let (found, rows) = withThreadLimit(1, threads)
        #expect(found == [UInt(pthread_self())])
        #expect(rows.allSatisfy { $0 == 1 })
    }

    @Test("Loops inside loops share the limit", arguments: [2, 3, 8])
    func nested(limit: Int) {
        let (found, rows) = withThreadLimit(limit, threads)
        #expect(found.count <= limit)
        #expect(rows.allSatisfy { $0 == 1 })
    }

    @Test("An inner limit does not raise an outer one, and less than one is one")
    func inner() {
        #expect(withThreadLimit(1) { withThreadLimit(8, threads) }.threads.count == 1)
        #expect(withThreadLimit(-3, threads).threads.count == 1)
    }

    @Test("A task hands its limit on to the tasks that it starts")
    func tasks() async {
        let task = withThreadLimit(1) { Task { threads().threads.count } }
        #expect(await task.value == 1)
    }

    @Test("Without a limit, every row is worked on once")
    func unlimited() {
        #expect(threads().rows.allSatisfy { $0 == 1 })
    }

    /// The sum of planes of 16 ones. Each plane needs 16 milliseconds of work.
    private func slowPlanes(_ count: Int, _ started: () -> Void = {}) -> Int {
        (0..<count).reduce(0) { sum, _ in
            started()
            let plane: [UInt8] = parallelMapRows(width: 1, height: 16, minimum: 1) { rows, output in
                usleep(1000)
                for index in output.indices { output[index] = 1 }
            }
            return sum + plane.reduce(0) { $0 + Int($1) }
        }
    }

    @Test("A cancelled task gets an error in place of a result")
    func cancelled() async {
        // Five minutes of work.
        let begun = Mutex(0)
        let task = Task {
            try cancellable {
                slowPlanes(20000) {
                    // A cancelled loop takes no time.
                    begun.withLock { $0 += isWorkCancelled ? 0 : 1 }
                }
            }
        }
        // A separate thread, because tasks may wait for tasks of other tests.
        Thread.detachNewThread {
            while begun.withLock({ $0 == 0 }) { usleep(1000) }
            task.cancel()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(begun.withLock { (1..<10000).contains($0) })
    }

    @Test("What is done at once is cancelled by the task that waits for it")
    func cancelledConcurrently() async {
        let task = Task {
            try cancellable {
                // Runs on other threads, which have no task.
                try concurrently({ slowPlanes(1000) }, { try cancellable { slowPlanes(1000) } })
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("An error from zeros is not the caller's: cancelling is")
    func errors() async {
        struct Zero: Error {}
        let task = Task {
            try cancellable {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                if slowPlanes(1) == 0 { throw Zero() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Work that nobody made cancellable is finished, in a cancelled task and outside any")
    func unaffected() async throws {
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return slowPlanes(1)
        }
        #expect(await task.value == 16)
        // One of the two runs on a thread without a task.
        let both = try concurrently(
            { try cancellable { slowPlanes(1) } }, { try cancellable { slowPlanes(1) } })
        #expect(both == (16, 16))
    }
}
