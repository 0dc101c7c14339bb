internal import Isobath
internal import Movies

/// How many threads a run may use.
struct ThreadUse: Sendable {
    /// The number that `--threads` sets; `nil` for all cores.
    var most: Int?
    /// How many inputs are processed at once, which divide them.
    var inputs = 1

    /// Runs `body` with the threads of one input. Encoders of movies get the same number of threads however many inputs
    /// and cores there are, because their output depends on it.
    func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try withThreadLimit(most.map { max(1, $0 / max(1, inputs)) } ?? .max) {
            try MovieSink.$mostThreads.withValue(most ?? .max, operation: body)
        }
    }
}
