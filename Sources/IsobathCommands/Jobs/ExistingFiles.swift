internal import Glibc
internal import Isobath

/// What is done about outputs that exist already.
enum ExistingFiles: String, Codable, Sendable {
    /// They are an error.
    case refused
    /// They are replaced.
    case replaced
    /// They are left as they are.
    case kept
    /// No files are written: outputs are handed on in memory (``Message/file(path:_:)``).
    case collected

    /// Throws for a file that is one of the `originals`, or exists in a folder among them: a recording's.
    func checkIsNoInput(_ path: String, keeping originals: Set<FileIdentity>) throws(OutputError) {
        guard self != .collected, path != "-", let identity = FileIdentity(path: path) else { return }
        guard !originals.contains(identity), !FileIdentity.isInside(originals, path: path) else {
            throw OutputError(path, .input)
        }
    }

    /// Writes a file. Returns whether it did, and did not leave one as it is that has appeared meanwhile.
    func write(_ path: String, _ reporter: Reporter, _ body: (OutputFile) throws -> Void) throws -> Bool {
        do {
            var file = file(path)
            file.willPublish = { reporter.announce(path, $0) }
            if self == .collected { file.collect = { reporter.hand(on: $1, named: $0) } }
            try body(file)
            return true
        } catch {
            guard self == .kept, let failure = error as? OutputError, failure.reason == .exists,
                failure.path == path
            else { throw error }
            return false
        }
    }

    private func file(_ path: String) -> OutputFile {
        OutputFile(path: path, replacesExisting: self == .replaced)
    }

    /// Whether a file is to be written. Throws when it exists and is neither to be replaced nor to be left as it is, and
    /// when it is one of the `originals`, or a terminal.
    func wants(_ path: String, keeping originals: Set<FileIdentity>) throws(OutputError) -> Bool {
        guard self != .collected else { return true }
        if path == "-", isatty(1) != 0 {
            throw OutputError(path, .terminal)
        }
        try checkIsNoInput(path, keeping: originals)
        do throws(OutputError) {
            try file(path).checkIsFree()
            return true
        } catch {
            guard self == .kept, error.reason == .exists else { throw error }
            return false
        }
    }
}
