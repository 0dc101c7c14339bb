internal import CSystemShims
internal import Glibc

/// Writes a folder of files that is complete or missing, never partial.
///
/// Files go to a hidden folder, `.isobath-…` beside the output, which then gets the output's name in one step. It disappears
/// unless it is published. A killed run leaves it, and the next run in that folder removes it.
package final class OutputFolder {
    /// The path of the folder, without a slash at its end.
    package let path: String
    /// An existing folder is replaced only if it holds no other names than these; `nil` to replace none.
    private let replaceable: Set<String>?
    private let watched: WatchedFolder
    private let hidden: HiddenEntry
    private var made: Set<String> = []

    /// Called with the folder's identity when it is complete and about to get its name.
    package var willPublish: ((FileIdentity) -> Void)?

    /// Makes the hidden folder.
    ///
    /// - Parameter replaceable: An existing folder is replaced only if it holds no other names than these; `nil` to replace
    ///   none.
    /// - Throws: ``OutputError`` if the output exists and is not to be replaced, or if a folder cannot be made there.
    package init(path: String, replacing replaceable: Set<String>? = nil) throws(OutputError) {
        self.path = Self.plain(path)
        self.replaceable = replaceable
        let folder = self.path.folderPath
        try Self.checkIsFree(path, replacing: replaceable)
        watched = WatchedFolder(folder)
        do throws(WriteError) {
            hidden = try unsafe HiddenEntry(in: folder) { path in
                guard unsafe mkdir(path, NewFileMode.masked(0o777)) == 0 else { return -1 }
                return unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            }
        } catch {
            throw OutputError(self.path, writing: error)
        }
    }

    deinit {
        _ = unsafe hiddenPath.withFileName { unsafe isobath_remove_tree($0) }
        close(hidden.descriptor)
    }

    private var hiddenPath: String { hidden.path }

    /// Throws if the output exists and is not to be replaced. Call it before expensive work; ``publish()`` checks again.
    package static func checkIsFree(_ path: String, replacing replaceable: Set<String>?) throws(OutputError) {
        let path = plain(path)
        var status = stat()
        guard unsafe path.withFileName({ unsafe lstat($0, &status) }) == 0 else { return }
        guard let replaceable else { throw .exists(path) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw OutputError(path, .notFolder) }
        let entries: [FolderEntry]
        do {
            entries = try FolderEntry.list(path)
        } catch {
            throw OutputError(path, .unsuitable(error.message))
        }
        let names = entries.map { entry in
            switch entry {
            case .file(let path), .folder(let path), .link(let path): path.lastPathComponent
            }
        }
        guard let other = names.first(where: { !replaceable.contains($0) }) else { return }
        throw OutputError(path, .unsuitable("the folder holds '\(other)', so it is not replaced"))
    }

    /// Writes a file at a path below the folder, and makes the folders on the way to it.
    package func write(_ bytes: [UInt8], to name: String) throws(OutputError) {
        try makeFolders(to: name)
        let file = "\(hiddenPath)/\(name)"
        let descriptor = unsafe file.withFileName {
            unsafe open($0, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, NewFileMode.masked(0o666))
        }
        guard descriptor >= 0 else { throw OutputError("\(path)/\(name)", errno: errno) }
        do throws(WriteError) {
            try writeAll(bytes, to: descriptor)
        } catch {
            close(descriptor)
            throw OutputError("\(path)/\(name)", writing: error)
        }
        // Network file systems may report a full disk only on close.
        guard close(descriptor) == 0 else { throw OutputError("\(path)/\(name)", errno: errno) }
    }

    /// Gives the folder its name, in one step.
    package func publish() throws(OutputError) {
        if let willPublish, let identity = FileIdentity(path: hiddenPath) { willPublish(identity) }
        if unsafe withFileNames(hiddenPath, path, { unsafe isobath_rename_to_new($0, $1) }) == 0 { return }
        let code = errno
        guard code != EINVAL else { throw OutputError(path, .unsafeFileSystem) }
        guard code == EEXIST else { throw OutputError(path, errno: code) }
        try Self.checkIsFree(path, replacing: replaceable)
        // The old folder then has the hidden name, and is removed with it.
        guard unsafe withFileNames(hiddenPath, path, { unsafe isobath_exchange($0, $1) }) == 0 else {
            throw errno == EINVAL ? OutputError(path, .unsafeFileSystem) : OutputError(path, errno: errno)
        }
    }

    private func makeFolders(to name: String) throws(OutputError) {
        let folder = name.folderPath
        guard folder != ".", !made.contains(folder) else { return }
        try makeFolders(to: folder)
        try Self.make("\(hiddenPath)/\(folder)", for: "\(path)/\(folder)")
        made.insert(folder)
    }

    private static func make(_ folder: String, for output: String) throws(OutputError) {
        guard unsafe folder.withFileName({ unsafe mkdir($0, NewFileMode.masked(0o777)) }) == 0 else {
            throw OutputError(output, errno: errno)
        }
    }

    private static func plain(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
