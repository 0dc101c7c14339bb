internal import Glibc

/// The entries of a folder, sorted by name. Links to files are files; links to folders are told apart.
package enum FolderEntry: Sendable {
    /// A file, by its path.
    case file(String)
    /// A folder, by its path.
    case folder(String)
    /// A link to a folder, by its path.
    case link(String)

    /// The entries of a folder. Throws the system's message if it cannot be read, and if their paths exceed the limit of names.
    package static func list(
        _ folder: String, limits: DecodingLimits = DecodingLimits()
    ) throws(ContainerError) -> [FolderEntry] {
        let descriptor = unsafe folder.withFileName { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw ContainerError(.unreadable(errno: errno)) }
        guard let stream = unsafe fdopendir(descriptor) else {
            let code = errno
            close(descriptor)
            throw ContainerError(.unreadable(errno: code))
        }
        defer { unsafe closedir(stream) }
        var found: [(name: String, type: Int)] = []
        var names = NameBytes(limits)
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: UInt8.self, capacity: 256) {
                    unsafe String(
                        fileNameBytes: UnsafeBufferPointer(start: $0, count: 256).prefix { $0 != 0 })
                }
            }
            if name != ".", name != ".." {
                // Each entry has the folder's path, too.
                try names.count(folder)
                try names.count(name)
                found.append((name, Int(unsafe entry.pointee.d_type)))
            }
            errno = 0
        }
        guard errno == 0 else { throw ContainerError(.unreadable(errno: errno)) }
        return found.sorted { $0.name < $1.name }.compactMap { name, type in
            let path = folder.isEmpty || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            // Most file systems report the type in the list.
            if type == DT_REG { return .file(path) }
            if type == DT_DIR { return .folder(path) }
            var status = stat()
            // If the type cannot be determined, opening the entry will report the error.
            func look(_ flags: Int32) -> Bool {
                unsafe name.withFileName({ unsafe fstatat(descriptor, $0, &status, flags) }) == 0
            }
            guard look(AT_SYMLINK_NOFOLLOW) else { return .file(path) }
            if status.st_mode & S_IFMT == S_IFDIR { return .folder(path) }
            if status.st_mode & S_IFMT == S_IFLNK, !look(0) { return nil }
            if status.st_mode & S_IFMT == S_IFDIR { return .link(path) }
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

extension String {
    /// Whether a file of this name belongs to a file system or its browser, and not to the user: AppleDouble (`._NAME`, with
    /// the extension of the file that it describes), files of Finder and of Windows.
    package var isOfFileSystem: Bool {
        hasPrefix("._") || [".DS_Store", "Thumbs.db", "desktop.ini"].contains(self)
    }
}
