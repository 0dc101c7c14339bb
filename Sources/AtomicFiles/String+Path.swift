internal import SystemPackage

/// The components of a path. Bytes that are not UTF-8 are kept as special characters: see ByteParsing's `FileName`.
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
}
