internal import Synchronization

/// Whether this process was asked to end, as by Ctrl-C: sources then end early, and what is written is closed.
package enum Interruption {
    private static let number = Atomic<Int32>(0)

    /// Whether the process is to end. Reading it is cheap.
    package static var isRequested: Bool { number.load(ordering: .relaxed) != 0 }

    /// The signal that asked for the end; `nil` while none did.
    package static var signal: Int32? {
        let number = number.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Asks for the end. May be called in a signal handler.
    package static func request(_ signal: Int32) { number.store(signal, ordering: .relaxed) }
}
