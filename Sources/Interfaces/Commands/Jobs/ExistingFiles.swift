internal import Glibc
internal import Isobath

/// What to do with outputs that exist already.
enum ExistingFiles: String, Sendable {
    /// Report an error.
    case refused
    /// Replace them.
    case replaced
    /// Keep them.
    case kept
    /// Write no files: outputs are collected in memory (``Message/file(path:_:)``).
    case collected

    /// Throws for a file that is one of the `originals`, or is inside a recording's folder among them.
    func checkIsNoInput(_ path: String, keeping originals: Set<FileIdentity>) throws(OutputError) {
        guard self != .collected, path != "-", let identity = FileIdentity(path: path) else { return }
        guard !originals.contains(identity), !FileIdentity.isInside(originals, path: path) else {
            throw OutputError(path, .input)
        }
    }

    /// Writes a file. Returns `false` if it kept one that appeared meanwhile.
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

    /// Writes a file, and counts it. Returns `false` if it kept one that appeared meanwhile.
    func save(_ path: String, _ reporter: Reporter, _ body: (OutputFile) throws -> Void) throws -> Bool {
        let isWritten = try write(path, reporter, body)
        isWritten ? reporter.countWritten(path) : reporter.countSkipped(path)
        return isWritten
    }

    /// Whether to write a file, as below. Reports an existing one that is kept.
    func wants(
        _ path: String, keeping originals: Set<FileIdentity>, _ reporter: Reporter, of input: String
    ) throws(OutputError) -> Bool {
        if try wants(path, keeping: originals) { return true }
        kept(path, reporter, of: input)
        return false
    }

    /// Reports an existing file that is kept.
    func kept(_ path: String, _ reporter: Reporter, of input: String) {
        reporter.countSkipped(path)
        reporter.remark("already exists and was kept: \(path)", of: input)
    }

    private func file(_ path: String) -> OutputFile {
        OutputFile(path: path, replacesExisting: self == .replaced)
    }

    /// Whether to write a file. Throws if it exists and no flag allows to replace or keep it, or if it is one of the
    /// `originals` or a terminal.
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
