internal import Glibc

/// A folder that confines access: paths are resolved from its descriptor, name by name, and links are rejected, so
/// nothing outside of it is opened. This holds even if names are changed or replaced meanwhile.
///
/// Paths are relative to the folder; the empty path is the folder itself.
package final class OpenFolder: Sendable {
    private let descriptor: Int32

    /// Opens a folder by its path in the system, following links. Throws the system's message on failure.
    package init(_ path: String) throws(ContainerError) {
        descriptor = unsafe path.withFileName { unsafe Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw ContainerError(.unreadable(errno: errno)) }
    }

    deinit { close(descriptor) }

    /// Opens a file. Throws as ``FileSource`` does, and if a component is a link.
    package func file(_ path: String, limits: DecodingLimits) throws(ContainerError) -> FileSource {
        let (folder, name) = try folderAndName(of: path)
        defer { close(folder) }
        return try FileSource(
            owning: try Self.open(name, in: folder, O_NONBLOCK | O_NOCTTY), limits: limits)
    }

    /// The entries of a folder, with their paths, without links. Throws the system's message if it cannot be read.
    package func list(
        _ path: String, limits: DecodingLimits = DecodingLimits()
    ) throws(ContainerError) -> [FolderEntry] {
        try FolderEntry.list(owning: try folder(path), at: path, followsLinks: false, limits)
    }

    /// A text that changes when a name in a folder changes. Throws the system's message if it cannot be read.
    package func state(_ path: String) throws(ContainerError) -> String {
        let folder = try folder(path)
        defer { close(folder) }
        var status = stat()
        guard unsafe fstat(folder, &status) == 0 else { throw ContainerError(.unreadable(errno: errno)) }
        return status.words
    }

    /// A descriptor of the folder that contains a path's last name, and that name.
    private func folderAndName(of path: String) throws(ContainerError) -> (Int32, String) {
        guard let slash = path.lastIndex(of: "/") else { return (try folder(""), path) }
        return (try folder(String(path[..<slash])), String(path[path.index(after: slash)...]))
    }

    /// A descriptor of a folder.
    private func folder(_ path: String) throws(ContainerError) -> Int32 {
        var folder = try Self.open(".", in: descriptor, O_DIRECTORY)
        guard !path.isEmpty else { return folder }
        for name in path.split(separator: "/", omittingEmptySubsequences: false) {
            let above = folder
            defer { close(above) }
            guard !name.isEmpty, name != ".", name != ".." else {
                throw ContainerError(.unreadable(errno: ENOENT))
            }
            folder = try Self.open(String(name), in: above, O_DIRECTORY)
        }
        return folder
    }

    private static func open(
        _ name: String, in folder: Int32, _ flags: Int32
    ) throws(ContainerError) -> Int32 {
        guard !name.isEmpty, name != ".." else { throw ContainerError(.unreadable(errno: ENOENT)) }
        let found = unsafe name.withFileName {
            unsafe openat(folder, $0, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
        }
        guard found >= 0 else { throw ContainerError(.unreadable(errno: errno)) }
        return found
    }
}

extension FileSource {
    /// Opens a file by its path below a folder, or by its path in the system without a folder.
    package static func opened(
        _ path: String, below folder: OpenFolder?, limits: DecodingLimits = DecodingLimits()
    ) throws(ContainerError) -> FileSource {
        guard let folder else { return try FileSource(path: path, limits: limits) }
        return try folder.file(path, limits: limits)
    }
}

extension FolderEntry {
    /// The entries of a folder by its path below another, or by its path in the system without one.
    package static func list(
        _ path: String, below folder: OpenFolder?, limits: DecodingLimits = DecodingLimits()
    ) throws(ContainerError) -> [FolderEntry] {
        guard let folder else { return try list(path, limits: limits) }
        return try folder.list(path, limits: limits)
    }
}
