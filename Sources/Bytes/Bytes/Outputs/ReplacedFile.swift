internal import Glibc

/// A file that an isolated process is about to replace. That process cannot give the attributes to the new file.
package final class ReplacedFile: Sendable {
    private let attributes: FileAttributes
    /// The open file, which keeps its extended attributes after it is replaced.
    private let descriptor: Int32

    /// `nil` if the file cannot be read.
    package init?(path: String) {
        guard let attributes = try? FileAttributes(ofFileAt: path) else { return nil }
        let descriptor = unsafe attributes.path.withFileName {
            unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        }
        guard descriptor >= 0 else { return nil }
        (self.attributes, self.descriptor) = (attributes, descriptor)
    }

    deinit { close(descriptor) }

    /// Gives the attributes to the new file, if there is one. It must be a regular file with one name, because the process
    /// that made it is not trusted.
    package func restoreAttributes() {
        let new = unsafe attributes.path.withFileName {
            unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        }
        guard new >= 0 else { return }
        defer { close(new) }
        var status = stat()
        guard unsafe fstat(new, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
            FileIdentity(descriptor: new) != FileIdentity(descriptor: descriptor)
        else { return }
        try? attributes.apply(to: new, extendedFrom: "/proc/self/fd/\(descriptor)")
    }
}
