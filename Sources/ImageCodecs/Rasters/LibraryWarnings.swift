internal import Synchronization

/// What libraries warned of, each thing once.
final class LibraryWarnings: Sendable {
    private let words = Mutex<[String]>([])

    /// The warnings so far.
    var all: [String] { words.withLock { $0 } }

    func add(_ warning: String) {
        words.withLock { words in
            if !words.contains(warning) { words.append(warning) }
        }
    }
}
