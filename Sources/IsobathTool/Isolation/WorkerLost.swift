/// The worker came to its end over an input.
struct WorkerLost: Error, CustomStringConvertible {
    let description: String
}
