internal import Synchronization

/// A loop that reports how far it is. The tool shows it on a terminal.
package struct LoopProgress: ~Copyable, Sendable {
    /// The number of steps that a loop has done, and of all its steps, if that is known.
    package struct Place: Sendable {
        package enum Step: UInt8, Sendable { case frame, part }

        package var step: Step
        package var done: Int
        package var total: Int?

        package init(_ step: Step, done: Int, total: Int?) {
            (self.step, self.done, self.total) = (step, done, total)
        }
    }

    private static let watcher = Mutex<(@Sendable (Place?) -> Void)?>(nil)
    /// Whether a loop is under way: loops inside it do not report.
    private static let isBusy = Atomic(false)
    private let step: Place.Step
    private let total: Int?
    private let reports: Bool

    /// Calls `body` from now on after each step, and with `nil` after the last one.
    package static func watch(_ body: @escaping @Sendable (Place?) -> Void) {
        watcher.withLock { $0 = body }
    }

    /// Begins a loop. It reports unless it is inside another one, or has one step.
    package init(of step: Place.Step, total: Int?) {
        (self.step, self.total) = (step, total)
        reports =
            total != 1 && Self.watcher.withLock { $0 != nil }
            && Self.isBusy.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
        report(0)
    }

    deinit {
        guard reports else { return }
        Self.watcher.withLock(\.self)?(nil)
        Self.isBusy.store(false, ordering: .relaxed)
    }

    package func report(_ done: Int) {
        guard reports else { return }
        Self.watcher.withLock(\.self)?(Place(step, done: done, total: total))
    }
}
