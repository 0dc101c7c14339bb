internal import CSystemShims
internal import Glibc

/// Writes a file that is complete or missing, never partial.
///
/// Bytes go to a ``StagedFile``, which then gets its name in one step. An existing file is replaced only if requested, and no
/// race can replace one otherwise. Replacing a link replaces the link itself; its target stays. Files are not protected
/// against power loss.
package struct OutputFile: Sendable {
    /// The path of the file; `-` is standard output.
    package let path: String
    /// Whether an existing file is replaced.
    package let replacesExisting: Bool

    /// Called with the file's identity when it is complete and about to get its name.
    package var willPublish: (@Sendable (FileIdentity) -> Void)?

    /// Called instead of writing files, if set: with the path and bytes of the complete file, then of each companion.
    package var collect: (@Sendable (_ path: String, _ bytes: [UInt8]) -> Void)?

    /// Names an output. Does not touch the file system yet.
    package init(path: String, replacesExisting: Bool) {
        self.path = path
        self.replacesExisting = replacesExisting
    }

    /// Throws if the output exists and must not be replaced. Call it before expensive work; ``write(_:)`` checks again.
    package func checkIsFree() throws(OutputError) {
        guard path != "-" else { return }
        var status = stat()
        guard unsafe path.withFileName({ unsafe lstat($0, &status) }) == 0 else { return }
        var target = stat()
        if unsafe path.withFileName({ unsafe stat($0, &target) }) == 0, target.st_mode & S_IFMT != S_IFREG {
            let isFolder = target.st_mode & S_IFMT == S_IFDIR
            throw OutputError(path, isFolder ? .folder : .notRegularFile)
        }
        // /dev/stdout may lead to a regular file, but the name in /dev would be replaced.
        if let folder = FileIdentity(path: path.folderPath),
            FileIdentity.inputs(["/dev", "/dev/fd"]).contains(folder)
        {
            throw OutputError(path, .notRegularFile)
        }
        if !replacesExisting { throw .exists(path) }
    }

    /// Writes these bytes, and publishes them.
    package func write(bytes: [UInt8]) throws(OutputError) {
        try write { (descriptor) throws(WriteError) in try writeAll(bytes, to: descriptor) }
    }

    /// Calls `body` with a descriptor that need not be seekable, and publishes what it wrote. Standard output gets bytes at
    /// once, so output of a failed run remains there.
    ///
    /// Reserves `byteCount` bytes on the disk first, if known: this halves the time to write a large file.
    package func writeInOrder(
        byteCount: Int = 0, _ body: (Int32) throws(WriteError) -> Void
    ) throws(OutputError) {
        if path == "-", collect == nil { try run(body, 1) } else { try write(byteCount: byteCount, body) }
    }

    /// Calls `body`, which may throw any error, with a descriptor, and publishes what it wrote: with `inOrder` like
    /// ``writeInOrder(byteCount:_:)``, otherwise with a seekable descriptor. Rethrows errors of `body`.
    package func publish(inOrder: Bool, _ body: (Int32) throws -> Void) throws {
        var failure: (any Error)?
        func run(_ descriptor: Int32) throws(WriteError) {
            do {
                try body(descriptor)
            } catch let error as WriteError {
                throw error
            } catch {
                failure = error
                throw .unsuitable("\(error)")
            }
        }
        do {
            if inOrder { try writeInOrder(run) } else { try write(run) }
        } catch {
            throw failure ?? error
        }
    }

    /// Creates a folder and its parents; existing ones are accepted.
    package static func makeFolder(_ path: String) throws(OutputError) {
        if unsafe path.withFileName({ unsafe mkdir($0, NewFileMode.masked(0o777)) }) == 0 || errno == EEXIST {
            var status = stat()
            guard unsafe path.withFileName({ unsafe stat($0, &status) }) == 0,
                status.st_mode & S_IFMT == S_IFDIR
            else {
                throw OutputError(path, .notFolder)
            }
            return
        }
        guard errno == ENOENT, !["/", "."].contains(path.folderPath) else {
            throw OutputError(path, errno: errno)
        }
        try makeFolder(path.folderPath)
        guard
            unsafe path.withFileName({ unsafe mkdir($0, NewFileMode.masked(0o777)) }) == 0 || errno == EEXIST
        else {
            throw OutputError(path, errno: errno)
        }
    }

    /// Calls `body` with a seekable descriptor, and publishes what it wrote, together with some companions: all files are
    /// complete before the first appears, and this one appears last. If one cannot appear, no new one remains. Standard
    /// output has no companions.
    package func write(
        with companions: [Companion] = [], byteCount: Int = 0, _ body: (Int32) throws(WriteError) -> Void
    ) throws(OutputError) {
        if let collect { return try hand(to: collect, with: companions, body) }
        if path == "-" { return try writeToStandardOutput(body) }
        var files = [try staged(byteCount: byteCount, body)]
        for companion in companions where !companion.isThere {
            files.append(
                try companion.file.staged { (descriptor) throws(WriteError) in
                    try writeAll(companion.bytes, to: descriptor)
                })
        }
        for file in files { try file.seal() }
        if let willPublish, let identity = FileIdentity(descriptor: files[0].descriptor) {
            willPublish(identity)
        }
        do throws(OutputError) {
            for file in files.reversed() { try file.publish() }
        } catch {
            for file in files { file.withdraw() }
            throw error
        }
    }

    private func hand(
        to collect: (String, [UInt8]) -> Void, with companions: [Companion],
        _ body: (Int32) throws(WriteError) -> Void
    ) throws(OutputError) {
        do throws(WriteError) {
            collect(path, try bytesWritten(by: body))
        } catch {
            throw OutputError(path, writing: error)
        }
        for companion in companions { collect(companion.file.path, companion.bytes) }
    }

    private func staged(
        byteCount: Int = 0, _ body: (Int32) throws(WriteError) -> Void
    ) throws(OutputError) -> StagedFile {
        let file = try StagedFile(for: self)
        file.takeRoom(for: byteCount)
        try run(body, file.descriptor)
        return file
    }

    private func run(
        _ body: (Int32) throws(WriteError) -> Void, _ descriptor: Int32
    ) throws(OutputError) {
        do {
            try body(descriptor)
        } catch {
            throw OutputError(path, writing: error)
        }
    }

    private func writeToStandardOutput(
        _ body: (Int32) throws(WriteError) -> Void
    ) throws(OutputError) {
        let descriptor = isobath_open_in_memory()
        guard descriptor >= 0 else { throw OutputError(path, errno: errno) }
        defer { close(descriptor) }
        try run(body, descriptor)
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var offset = 0
        while true {
            let count = unsafe pread(descriptor, &bytes, bytes.count, off_t(offset))
            guard count >= 0 else { throw OutputError(path, errno: errno) }
            guard count > 0 else { return }
            try StandardOutput.write(bytes[..<count])
            offset += count
        }
    }

    /// Whether two paths refer to the same directory entry, however they are spelled.
    package static func isSamePlace(_ first: String, _ second: String) -> Bool {
        guard first != second else { return true }
        guard first != "-", second != "-", first.lastPathComponent == second.lastPathComponent,
            let folder = FileIdentity(path: first.folderPath)
        else { return false }
        return folder == FileIdentity(path: second.folderPath)
    }

    /// The folder of a file; empty for standard output.
    package static func folders(of path: String) -> [String] {
        path == "-" ? [] : [path.folderPath]
    }
}
