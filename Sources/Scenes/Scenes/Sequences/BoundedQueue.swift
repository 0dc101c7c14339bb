internal import Dispatch
internal import Synchronization

/// A small queue between two threads: adding waits while it is full, taking waits while it is empty.
final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element?]
        var first = 0
        var count = 0
        var isClosed = false
    }

    private let state: Mutex<State>
    private let filled = DispatchSemaphore(value: 0)
    private let free: DispatchSemaphore

    /// An empty queue for this many elements.
    init(capacity: Int) {
        state = Mutex(State(elements: Array(repeating: nil, count: capacity)))
        free = DispatchSemaphore(value: 0)
        // A semaphore must not be released below its initial value.
        for _ in 0..<capacity { free.signal() }
    }

    /// Adds an element, after waiting for free capacity. Returns whether the queue is still open.
    @discardableResult
    func add(_ element: Element) -> Bool {
        free.wait()
        let isAdded = state.withLock { state in
            guard !state.isClosed else { return false }
            let place = (state.first + state.count) % state.elements.count
            state.elements[place] = element
            state.count += 1
            return true
        }
        if isAdded { filled.signal() } else { free.signal() }
        return isAdded
    }

    /// Takes the oldest element, after waiting for one. `nil` once the queue is closed and empty.
    func take() -> Element? {
        filled.wait()
        return remove()
    }

    /// Takes the oldest element, if there is one now.
    func takeAtOnce() -> Element? {
        guard filled.wait(timeout: .now()) == .success else { return nil }
        return remove()
    }

    private func remove() -> Element? {
        let element = state.withLock { state -> Element? in
            guard state.count > 0 else { return nil }
            let element = state.elements[state.first].take()
            state.first = (state.first + 1) % state.elements.count
            state.count -= 1
            return element
        }
        // The queue is closed: the next caller must see that, too.
        if element == nil { filled.signal() } else { free.signal() }
        return element
    }

    /// Accepts no more elements. Elements in the queue can still be taken.
    func close() {
        state.withLock { $0.isClosed = true }
        filled.signal()
        free.signal()
    }
}
