internal import Embedded
internal import Isobath
internal import PhotoFormats

/// Sends reports about an input to the console, a record or a pipe.
struct Reporter: Sendable {
    private let send: @Sendable (Message) -> Void
    private var record: InputRecord?

    init(_ send: @escaping @Sendable (Message) -> Void) {
        self.send = send
    }

    /// A reporter that also adds to a record.
    func recording(in record: InputRecord) -> Reporter {
        var reporter = self
        reporter.record = record
        return reporter
    }

    /// `isobath: FILE: note: text`, unless quiet; a `warning:` prefix replaces `note:`.
    func remark(_ text: String, of file: String) {
        record?.add(text)
        send(.remark(text, file: file))
    }

    /// Reports why an input or one of its outputs failed.
    func fail(_ error: any Error, ofInput input: String) {
        record?.add((error as? FileFailure)?.error ?? error)
        tell(error, ofInput: input)
    }

    /// Reports errors in an input and assumptions about it, except those in `known`. Lost data is an error, which is
    /// printed even with `--quiet`.
    func report(_ diagnostics: [Diagnostic], except known: [Diagnostic] = [], of file: String) {
        for diagnostic in diagnostics where !known.contains(diagnostic) {
            if diagnostic.isLoss {
                lose(diagnostic, of: file)
            } else {
                remark(diagnostic.remark, of: file)
            }
        }
    }

    /// Reports lost data. The rest of the input is used, and the exit status is 1.
    func lose(_ diagnostic: Diagnostic, of file: String) {
        record?.add(diagnostic)
        send(.failure(diagnostic.advised, file: file, .failed))
    }

    /// Reports the result for an input, in the line that ends its run. If data is lost, it is a warning, which is printed
    /// even with `--quiet`, and the exit status is 1.
    func conclude(_ text: String, of file: String, isLossy: Bool = false) {
        record?.add(text)
        send(
            isLossy
                ? .failure("warning: written, but with losses: \(text)", file: file, .failed)
                : .outcome(text, file: file))
    }

    private func tell(_ error: any Error, ofInput input: String) {
        switch error {
        case let error as OutputError where StandardOutput.isClosed(error): send(.closed)
        case let error as OutputError:
            send(.failure(advised(error), file: error.output, .failed))
        case let failure as FileFailure: tell(failure.error, ofInput: failure.file)
        default:
            let outcome =
                (error as? SceneError)?.isAbsence == true
                ? Outcome.lacksPlane : error is UsageError ? .usage : .failed
            send(.failure(advised(error), file: input, outcome))
        }
    }

    /// Passes on a report of another process.
    func pass(_ message: Message) { send(message) }

    /// Writes a result to standard output.
    func print(_ bytes: [UInt8]) { send(.output(bytes)) }

    /// Sends the bytes of a complete output that is not written to a file.
    func hand(on bytes: [UInt8], named path: String) { send(.file(path: path, bytes)) }

    /// Adds fields to the input's line of JSON.
    func add(_ fields: [(String, JSONValue)]) { record?.add(fields) }

    /// Counts a file that was written.
    func countWritten(_ path: String, size: PixelSize? = nil) {
        record?.add(output: path, isSkipped: false, size: size)
        send(.written)
    }

    /// Announces that a complete file is about to get its name.
    func announce(_ path: String, _ identity: FileIdentity) { send(.publishing(path: path, identity)) }

    /// Counts an existing file that was kept.
    func countSkipped(_ path: String) {
        record?.add(output: path, isSkipped: true, size: nil)
        send(.skipped)
    }

    /// Counts the input as one of another kind.
    func countPassedOver() { send(.passedOver) }
}
