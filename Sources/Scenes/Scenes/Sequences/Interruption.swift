internal import Synchronization

/// Whether this process was asked to end, as by Ctrl-C. Sources then end early, and outputs are closed.
package enum Interruption {
    private static let number = Atomic<Int32>(0)

    /// Whether the process should end. Reading it is cheap.
    package static var isRequested: Bool { number.load(ordering: .relaxed) != 0 }

    /// The signal that asked the process to end; `nil` if no signal did.
    package static var signal: Int32? {
        let number = number.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Asks the process to end. May be called in a signal handler.
    package static func request(_ signal: Int32) { number.store(signal, ordering: .relaxed) }
}
