internal import CSystemShims
internal import Glibc

/// Permissions, times and extended attributes of a file, for its replacement.
package struct FileAttributes: Sendable {
    /// The path of the file, links resolved.
    package let path: String
    private let status: stat

    /// Reads the attributes of a file. Throws ``OutputError`` if it is missing, or not a regular file.
    package init(ofFileAt path: String) throws(OutputError) {
        var status = stat()
        guard unsafe path.withFileName({ unsafe stat($0, &status) }) == 0 else {
            throw OutputError(path, .system(errno))
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw OutputError(path, .notRegularFile) }
        self.path = path.resolvedPath ?? path
        self.status = status
    }

    /// The permissions.
    var mode: mode_t { status.st_mode & 0o777 }

    /// The permissions, except the group's.
    var modeWithoutGroup: mode_t { mode & 0o707 }

    /// Gives owner, group and permissions to a new file that replaces it. If the system does not permit the group, the
    /// group's permissions are omitted, since they would apply to another group. Returns `false` if the new file has
    /// permissions of a group that it must not have: some processes cannot change permissions.
    func applyAccess(to descriptor: Int32) -> Bool {
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        var new = stat()
        let isGroupKept = unsafe fstat(descriptor, &new) == 0 && new.st_gid == status.st_gid
        let mode = isGroupKept ? mode : modeWithoutGroup
        return fchmod(descriptor, mode) == 0 || new.st_mode & 0o777 & ~mode == 0
    }

    /// Gives the attributes to a written file, while the old one still exists. The owner differs if the system does not
    /// permit changing it, and extended attributes are omitted if the file system does not support them. An isolated process
    /// can change nothing: see ``ReplacedFile``.
    package func apply(to descriptor: Int32) throws(WriteError) {
        try apply(to: descriptor, extendedFrom: path)
    }

    /// The same, with extended attributes of the file at a path.
    func apply(to descriptor: Int32, extendedFrom path: String) throws(WriteError) {
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        var mode = status.st_mode & 0o7777
        let isAccessKept = unsafe path.withFileName {
            unsafe isobath_copy_extended_attributes($0, descriptor) == 0
        }
        // In a file with an access list, the group's bits are the list's mask: without the list they would grant the group
        // rights.
        if !isAccessKept { mode &= ~0o070 }
        guard fchmod(descriptor, mode) == 0 || errno == ENOSYS else { throw .system(errno) }
        let times = [status.st_atim, status.st_mtim]
        guard unsafe futimens(descriptor, times) == 0 || errno == ENOSYS else { throw .system(errno) }
    }
}
