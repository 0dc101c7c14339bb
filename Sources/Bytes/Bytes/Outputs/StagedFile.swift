internal import CSystemShims
internal import Glibc

/// A file that is written before it appears: without a name (`O_TMPFILE`), or, if the file system does not support that, with
/// a hidden one, `.isobath-…` in the same folder. It disappears unless it is published.
final class StagedFile {
    /// The seekable descriptor to write to.
    let descriptor: Int32
    private let target: OutputFile
    private let folder: String
    private let watched: WatchedFolder
    private var hiddenPath: String?
    private var isNew = false

    /// Makes an empty file in the folder of `target`.
    init(for target: OutputFile) throws(OutputError) {
        self.target = target
        folder = target.path.folderPath
        watched = WatchedFolder(folder)
        let existing = target.replacesExisting ? try? FileAttributes(ofFileAt: target.path) : nil
        // Set before it has any contents, so that they are never more readable than before.
        var made = try Self.make(for: target, in: folder, mode: existing?.mode ?? NewFileMode.masked(0o666))
        if let existing, !existing.applyAccess(to: made.descriptor) {
            Self.discard(made)
            made = try Self.make(for: target, in: folder, mode: existing.modeWithoutGroup)
        }
        (descriptor, hiddenPath) = made
    }

    private typealias Made = (descriptor: Int32, hiddenPath: String?)

    private static func make(
        for target: OutputFile, in folder: String, mode: mode_t
    ) throws(OutputError) -> Made {
        let descriptor = unsafe folder.withFileName { unsafe isobath_open_unnamed($0, mode) }
        if descriptor >= 0 {
            // It has no name yet, so no other run sees it.
            _ = isobath_lock_hidden(descriptor, nil)
            return (descriptor, nil)
        }
        do throws(WriteError) {
            let entry = try unsafe HiddenEntry(in: folder) { path in
                unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode)
            }
            return (entry.descriptor, entry.path)
        } catch {
            throw OutputError(target.path, writing: error)
        }
    }

    private static func discard(_ made: Made) {
        close(made.descriptor)
        if let path = made.hiddenPath { _ = unsafe path.withFileName { unsafe unlink($0) } }
    }

    deinit { Self.discard((descriptor, hiddenPath)) }

    /// Reserves this many bytes on the disk, in as few fragments as possible. If that fails or is not supported, writing
    /// allocates as it goes, and reports errors.
    func takeRoom(for byteCount: Int) {
        if byteCount > 0 { isobath_take_room(descriptor, Int64(byteCount)) }
    }

    /// Provokes errors that can still occur, so that ``publish()`` of several files fails at the first one only.
    func seal() throws(OutputError) {
        // Network file systems may report a full disk only on close; closing a duplicate suffices.
        let copy = dup(descriptor)
        guard copy >= 0, close(copy) == 0 else { throw failure(errno) }
        guard target.replacesExisting, isTaken else { return }
        try target.checkIsFree()
        try takeHiddenName()
    }

    /// Gives the file its name, in one step.
    func publish() throws(OutputError) {
        let isNew = !isTaken
        if target.replacesExisting, !(isNew && hiddenPath == nil && link(unnamedPath, AT_SYMLINK_FOLLOW)) {
            try replace()
        } else if !target.replacesExisting {
            try appear()
        }
        self.isNew = isNew
    }

    /// Removes a file that ``publish()`` added; a replaced file cannot be restored.
    func withdraw() {
        guard isNew, FileIdentity(path: target.path) == FileIdentity(descriptor: descriptor) else {
            return
        }
        _ = unsafe target.path.withFileName { unsafe unlink($0) }
    }

    /// Replaces the file of this name.
    private func replace() throws(OutputError) {
        try takeHiddenName()
        guard let hiddenPath, unsafe withFileNames(hiddenPath, target.path, { unsafe rename($0, $1) }) == 0
        else { throw failure(errno) }
        self.hiddenPath = nil
    }

    /// Gives the file its name, unless another file has it.
    private func appear() throws(OutputError) {
        guard let hiddenPath else {
            guard link(unnamedPath, AT_SYMLINK_FOLLOW) else { throw failure(errno) }
            return
        }
        if unsafe withFileNames(hiddenPath, target.path, { unsafe isobath_rename_to_new($0, $1) }) == 0 {
            self.hiddenPath = nil
            return
        }
        // FAT has no links, NFS no renaming without replacing.
        guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { throw failure(errno) }
        guard link(hiddenPath, 0) else {
            guard [EPERM, ENOSYS, EOPNOTSUPP].contains(errno) else { throw failure(errno) }
            throw OutputError(target.path, .unsafeFileSystem)
        }
    }

    private func takeHiddenName() throws(OutputError) {
        guard hiddenPath == nil else { return }
        let path = HiddenEntry.path(in: folder)
        let result = unsafe withFileNames(unnamedPath, path) {
            unsafe linkat(AT_FDCWD, $0, AT_FDCWD, $1, AT_SYMLINK_FOLLOW)
        }
        guard result == 0 else { throw failure(errno) }
        hiddenPath = path
    }

    private func link(_ source: String, _ flags: Int32) -> Bool {
        unsafe withFileNames(source, target.path) {
            unsafe linkat(AT_FDCWD, $0, AT_FDCWD, $1, flags)
        } == 0
    }

    private func failure(_ code: Int32) -> OutputError {
        code == EEXIST ? .exists(target.path) : OutputError(target.path, errno: code)
    }

    private var unnamedPath: String { "/proc/self/fd/\(descriptor)" }

    /// Whether another file or link, even a dangling one, has the name.
    private var isTaken: Bool {
        var status = stat()
        return unsafe target.path.withFileName { unsafe lstat($0, &status) } == 0
    }
}

/// Calls `body` with two paths as C strings.
func withFileNames(
    _ first: String, _ second: String, _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
) -> Int32 {
    unsafe first.withFileName { first in
        unsafe second.withFileName { second in unsafe body(first, second) }
    }
}
