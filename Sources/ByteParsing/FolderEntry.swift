internal import Glibc

/// What stands below a folder, sorted by name: links to files are followed, links to folders are not.
package enum FolderEntry: Sendable {
    /// A file, by its path.
    case file(String)
    /// A folder, by its path.
    case folder(String)

    /// The entries of a folder. Throws with the system's words when it cannot be read.
    package static func list(_ folder: String) throws(ContainerError) -> [FolderEntry] {
        guard let stream = unsafe folder.withFileName({ unsafe opendir($0) }) else {
            throw ContainerError(.unreadable(errno: errno))
        }
        defer { unsafe closedir(stream) }
        var found: [(name: String, type: Int)] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: UInt8.self, capacity: 256) {
                    unsafe String(
                        fileNameBytes: UnsafeBufferPointer(start: $0, count: 256).prefix { $0 != 0 })
                }
            }
            if name != ".", name != ".." { found.append((name, Int(unsafe entry.pointee.d_type))) }
            errno = 0
        }
        guard errno == 0 else { throw ContainerError(.unreadable(errno: errno)) }
        return found.sorted { $0.name < $1.name }.compactMap { name, type in
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            // Most file systems say so in the list.
            if type == DT_REG { return .file(path) }
            if type == DT_DIR { return .folder(path) }
            var status = stat()
            // What cannot be looked at is left for opening to complain about.
            guard unsafe path.withFileName({ unsafe lstat($0, &status) }) == 0 else { return .file(path) }
            if status.st_mode & S_IFMT == S_IFDIR { return .folder(path) }
            if status.st_mode & S_IFMT == S_IFLNK,
                unsafe path.withFileName({ unsafe stat($0, &status) }) != 0
                    || status.st_mode & S_IFMT != S_IFREG
            {
                return nil
            }
            return status.st_mode & S_IFMT == S_IFREG ? .file(path) : nil
        }
    }

    /// Whether a path is a folder, links followed.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe path.withFileName({ unsafe stat($0, &status) }) == 0
            && status.st_mode & S_IFMT == S_IFDIR
    }
}
