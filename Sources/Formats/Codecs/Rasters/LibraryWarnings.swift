internal import Bytes
internal import Synchronization

/// The warnings of libraries, without repetitions.
final class LibraryWarnings: Sendable {
    private let warnings = Mutex<[Diagnostic]>([])

    /// The warnings so far.
    var all: [Diagnostic] { warnings.withLock { $0 } }

    func add(_ warning: Diagnostic) {
        warnings.withLock { warnings in
            if !warnings.contains(warning) { warnings.append(warning) }
        }
    }
}
