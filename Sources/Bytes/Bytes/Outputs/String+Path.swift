internal import Glibc
internal import SystemPackage

/// The components of a path. Bytes that are not UTF-8 are stored as special characters: see ``FileName``.
extension String {
    /// The last component; empty for a path without one, such as `/`.
    package var lastPathComponent: String { FilePath(self).lastComponent?.string ?? "" }

    /// The last component without its extension. A leading dot begins no extension.
    package var pathStem: String { FilePath(self).stem ?? "" }

    /// The extension of the last component in lower case, without the dot; empty if missing.
    package var pathExtension: String { FilePath(self).extension?.lowercased() ?? "" }

    /// The path of the folder that contains the last component; `.` for a bare name.
    package var folderPath: String {
        let folder = FilePath(self).removingLastComponent().string
        return folder.isEmpty ? "." : folder
    }

    /// The path of the parent folder; `nil` if the path ends in `.` or `..` and so does not name it.
    package var folderAbove: String? { [".", ".."].contains(lastPathComponent) ? nil : folderPath }

    /// This path followed by a name. An empty path stays relative: the result is the name alone.
    package func followed(by name: String) -> String {
        isEmpty || hasSuffix("/") ? self + name : "\(self)/\(name)"
    }

    /// The absolute path with links resolved; `nil` if the file or folder does not exist.
    package var resolvedPath: String? {
        unsafe withFileName { name in
            guard let text = unsafe realpath(name, nil) else { return nil }
            defer { unsafe free(text) }
            let bytes = unsafe UnsafeBufferPointer(start: text, count: strlen(text))
            return unsafe String(fileNameBytes: bytes.map { UInt8(bitPattern: $0) })
        }
    }

    /// The path of this file as seen from a folder, such as `../scan/depth.png`; `nil` if a folder does not exist.
    package func relativePath(from folder: String) -> String? {
        guard let own = folderPath.resolvedPath, let start = folder.resolvedPath else { return nil }
        let (to, from) = (own.split(separator: "/"), start.split(separator: "/"))
        let common = zip(to, from).prefix { $0 == $1 }.count
        let steps = from.dropFirst(common).map { _ in ".." } + to.dropFirst(common).map(String.init)
        return (steps + [lastPathComponent]).joined(separator: "/")
    }
}
