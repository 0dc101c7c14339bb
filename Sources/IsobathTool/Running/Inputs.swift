internal import Glibc
internal import Isobath

/// Opens an input of the command line; `-` is standard input, read to its end.
func openInput(_ path: String, reading: RasterReading, limits: DecodingLimits) throws -> DepthInput {
    guard path == "-" else { return try DepthInput(contentsOf: path, reading: reading, limits: limits) }
    return try DepthInput(FileSource.contents(ofStream: 0, limits: limits), reading: reading, limits: limits)
}

/// Opens an input whose depth is wanted: a photo without any takes the depth image that stands beside it. `remark` tells
/// of that, and is `nil` where the depth is the input's own.
func openDepthInput(
    _ path: String, reading: RasterReading, limits: DecodingLimits
) throws -> (input: DepthInput, remark: String?) {
    let input = try openInput(path, reading: reading, limits: limits)
    guard path != "-",
        let pair = try input.joinedWithDepthImage(beside: path, reading: reading, limits: limits)
    else { return (input, nil) }
    return (pair.input, "it has no depth of its own; \(pair.name) beside it is taken for it")
}

/// What stands below a folder, sorted by name: links to files are followed, links to folders are not.
enum FolderEntry {
    case file(String)
    case folder(String)

    /// The entries of a folder. Throws with the system's words when it cannot be read.
    static func list(_ folder: String) throws(ContainerError) -> [FolderEntry] {
        guard let stream = unsafe opendir(folder) else {
            throw ContainerError(.unreadable(errno: errno), at: 0)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw ContainerError(.unreadable(errno: errno), at: 0) }
        return names.sorted().compactMap { name in
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            var status = stat()
            // What cannot be looked at is left for opening to complain about.
            guard unsafe lstat(path, &status) == 0 else { return .file(path) }
            if status.st_mode & S_IFMT == S_IFDIR { return .folder(path) }
            if status.st_mode & S_IFMT == S_IFLNK,
                unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
            {
                return nil
            }
            return status.st_mode & S_IFMT == S_IFREG ? .file(path) : nil
        }
    }

    /// Whether a path is a folder, links followed.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
