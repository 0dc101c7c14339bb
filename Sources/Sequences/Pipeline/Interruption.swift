internal import Synchronization

/// Whether this process was asked to end, as by Ctrl-C: sources then end early, and what is written is closed as if they had ended.
package enum Interruption {
    private static let flag = Atomic(false)

    /// Whether the process is to end. Reading it is cheap.
    package static var isRequested: Bool { flag.load(ordering: .relaxed) }

    /// Asks for the end. May be called in a signal handler.
    package static func request() { flag.store(true, ordering: .relaxed) }
}
