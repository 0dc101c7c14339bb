internal import Isobath

/// Reports what becomes of an input, wherever that is to be shown.
struct Reporter: Sendable {
    private let send: @Sendable (Message) -> Void

    init(_ send: @escaping @Sendable (Message) -> Void) {
        self.send = send
    }

    /// `isobath: FILE: text`, unless quiet.
    func remark(_ text: String, of file: String) { send(.remark(text, file: file)) }

    /// Says why an input or one of its outputs failed.
    func fail(_ error: any Error, ofInput input: String) {
        switch error {
        case let error as OutputError where StandardOutput.isClosed(error): send(.closed)
        case let error as OutputError:
            send(.failure(advised(error), file: error.path == "-" ? "standard output" : error.path, .failed))
        case let failure as FileFailure: fail(failure.error, ofInput: failure.file)
        default:
            let outcome = error is PlaneNotFound ? Outcome.lacksPlane : .failed
            send(.failure(advised(error), file: input, outcome))
        }
    }

    /// Passes on what another process reports.
    func pass(_ message: Message) { send(message) }

    /// Writes a result to standard output.
    func print(_ bytes: [UInt8]) { send(.output(bytes)) }

    /// Counts a file that was written.
    func countWritten() { send(.written) }

    /// Says that a complete file is about to get its name.
    func announce(_ path: String, _ identity: FileIdentity) { send(.publishing(path: path, identity)) }

    /// Counts a file that was left as it is.
    func countSkipped() { send(.skipped) }

    /// Counts the input as one of another kind.
    func countPassedOver() { send(.passedOver) }
}
