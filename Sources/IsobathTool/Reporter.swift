internal import ArgumentParser
internal import Glibc
internal import Isobath

/// What happened to one input.
enum Outcome: Int32, Sendable {
    case done = 0
    case failed = 1
    /// The file is fine, and lacks the plane.
    case lacksPlane = 3
}

/// Remarks and errors on standard error, one line each, and the exit status that follows from them.
struct Reporter {
    let isQuiet: Bool
    private var outcomes: Set<Outcome> = []

    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
    }

    /// `isobath: FILE: text`, unless quiet.
    func remark(_ text: String, of file: String) {
        guard !isQuiet else { return }
        Self.line(text, of: file)
    }

    /// Shows why an input or output failed, and remembers it for the exit status.
    mutating func fail(_ error: any Error, of file: String) {
        let place = (error as? OutputError)?.path == "-" ? "standard output" : file
        Self.line(String(describing: error), of: place)
        outcomes.insert(error is PlaneNotFound ? .lacksPlane : .failed)
    }

    /// Remembers what another process has reported already.
    mutating func count(_ outcome: Outcome) { outcomes.insert(outcome) }

    /// What happened to all of it: failed if anything did, else lacking the plane if anything does.
    var outcome: Outcome {
        outcomes.contains(.failed) ? .failed : outcomes.contains(.lacksPlane) ? .lacksPlane : .done
    }

    /// Throws the exit status, unless all is done.
    func finish() throws {
        if outcome != .done { throw ExitCode(outcome.rawValue) }
    }

    private static func line(_ text: String, of file: String) {
        let name = file == "-" ? "standard input" : file.isEmpty ? "''" : file
        let bytes = Array("isobath: \(name.forTerminal): \(text.forTerminal)\n".utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    }
}

extension Reporter {
    /// Ends the run because standard output cannot be written: quietly when nobody reads it any more.
    mutating func stop(_ error: OutputError) throws -> Never {
        if StandardOutput.isClosed(error) { throw ExitCode.success }
        fail(error, of: error.path)
        throw ExitCode(Outcome.failed.rawValue)
    }
}

/// Lets a write to a closed pipe, or beyond the size that files may have, fail instead of killing the process, and fills
/// standard streams that were closed before the start: the next file opened would take their place.
func prepareStandardStreams() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    for descriptor in [0, 1, 2] as [Int32] where fcntl(descriptor, F_GETFD) < 0 {
        _ = unsafe open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY)
    }
}
