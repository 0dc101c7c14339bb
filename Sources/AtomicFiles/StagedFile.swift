internal import ByteParsing
internal import CSystemShims
internal import Glibc

/// A file that is written before it appears: without a name (`O_TMPFILE`), or, if the file system does not support that, with
/// a hidden one, `.isobath-…` in the same folder. It disappears unless it is published.
final class StagedFile {
    /// The seekable descriptor to write to.
    let descriptor: Int32
    private let target: OutputFile
    private let folder: String
    private var hiddenPath: String?
    private var isNew = false

    /// Makes an empty file in the folder of `target`.
    init(for target: OutputFile) throws(OutputError) {
        self.target = target
        folder = target.path.folderPath
        var descriptor = unsafe folder.withFileName { unsafe isobath_open_unnamed($0) }
        if descriptor < 0 {
            let path = Self.hiddenPath(in: folder)
            descriptor = unsafe path.withFileName {
                unsafe open($0, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o666)
            }
            if descriptor >= 0 { hiddenPath = path }
        }
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw OutputError(target.path, errno: errno) }
        // Set before it has any contents, so that they are never more readable than before.
        if target.replacesExisting, let existing = try? FileAttributes(ofFileAt: target.path) {
            existing.applyAccess(to: descriptor)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if let hiddenPath { _ = unsafe hiddenPath.withFileName { unsafe unlink($0) } }
    }

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
        let path = Self.hiddenPath(in: folder)
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

    /// A short name, because the output's name may already have the maximum of 255 bytes.
    static func hiddenPath(in folder: String) -> String {
        "\(folder)/.isobath-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
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
