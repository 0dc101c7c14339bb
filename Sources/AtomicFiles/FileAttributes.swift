internal import ByteParsing
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

    /// Gives owner, group and permissions to a new file that replaces it. If the system does not permit the group, the
    /// group's permissions are omitted, since they would apply to another group. After other failures, default permissions
    /// remain.
    func applyAccess(to descriptor: Int32) {
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        var new = stat()
        let isGroupKept = unsafe fstat(descriptor, &new) == 0 && new.st_gid == status.st_gid
        _ = fchmod(descriptor, status.st_mode & (isGroupKept ? 0o777 : 0o707))
    }

    /// Gives the attributes to a written file, while the old one still exists. The owner differs if the system does not
    /// permit changing it, and extended attributes are omitted if the file system does not support them.
    package func apply(to descriptor: Int32) throws(WriteError) {
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        var mode = status.st_mode & 0o7777
        let isAccessKept = unsafe path.withFileName {
            unsafe isobath_copy_extended_attributes($0, descriptor) == 0
        }
        // In a file with an access list, the group's bits are the list's mask: without the list they would grant the group
        // rights.
        if !isAccessKept { mode &= ~0o070 }
        guard fchmod(descriptor, mode) == 0 else { throw .system(errno) }
        let times = [status.st_atim, status.st_mtim]
        guard unsafe futimens(descriptor, times) == 0 else { throw .system(errno) }
    }
}
