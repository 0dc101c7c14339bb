internal import ArgumentParser
internal import Glibc
internal import Isobath

/// What is done about outputs that exist already; without a flag they are an error.
struct ExistingFileOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    @Flag(help: "Leave existing files as they are, and write those that are missing.")
    var skipExisting = false

    func validate() throws {
        if force, skipExisting { throw ValidationError("Give either --force or --skip-existing.") }
    }

    func checkIsNoInput(_ path: String, keeping originals: Set<FileIdentity>) throws(OutputError) {
        guard path != "-", let identity = OutputFile.identity(of: path), originals.contains(identity) else {
            return
        }
        throw OutputError(path, "the output would replace an input")
    }

    /// Writes a file. Returns whether it did, and did not leave one as it is that has appeared meanwhile.
    func write(_ path: String, _ body: (OutputFile) throws -> Void) throws -> Bool {
        do {
            try body(file(path))
            return true
        } catch {
            guard skipExisting, let failure = error as? OutputError, failure.isForExistingFile,
                failure.path == path
            else { throw error }
            return false
        }
    }

    private func file(_ path: String) -> OutputFile { OutputFile(path: path, replacesExisting: force) }

    /// Whether a file is to be written. Throws when it exists and is neither to be replaced nor to be left as it is, and
    /// when it is one of the `originals`, or a terminal.
    func wants(_ path: String, keeping originals: Set<FileIdentity>) throws(OutputError) -> Bool {
        if path == "-", isatty(1) != 0 {
            throw OutputError(path, "it is a terminal; send it to a program or a file")
        }
        try checkIsNoInput(path, keeping: originals)
        do throws(OutputError) {
            try file(path).checkIsFree()
            return true
        } catch {
            guard skipExisting, error.isForExistingFile else { throw error }
            return false
        }
    }
}
