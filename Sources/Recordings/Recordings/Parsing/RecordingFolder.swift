package import Bytes
internal import Embedded

/// The names in a folder that may be, or belong to, a recording.
package struct RecordingFolder: Sendable {
    let location: StoredFolder
    /// The names of its files, sorted, without files of the operating system.
    package let files: [String]
    /// The names of its folders, and of links to folders that are inside the recording.
    package let folders: Set<String>
    /// Where links inside the recording lead, by their names.
    let targets: [String: String]
    /// The names of links to folders outside of the recording, which are not followed.
    let links: [String]
    /// The recording's folder, which links to folders may not leave.
    private let root: String
    private let fileSet: Set<String>

    /// Lists a folder. Throws when it cannot be read, and if its names exceed the limit.
    package init(
        _ path: String, limits: DecodingLimits = DecodingLimits()
    ) throws(ContainerError) {
        self.init(path, listing: try FolderEntry.list(path, limits: limits))
    }

    /// A folder that was listed; without `root`, it is the recording's.
    init(_ path: String, listing entries: [FolderEntry], in root: String? = nil) {
        location = StoredFolder(path)
        var links: [String] = []
        var targets: [String: String] = [:]
        self.root = root ?? path
        var files: [String] = []
        var folders: Set<String> = []
        for entry in entries {
            switch entry {
            case .file(let path):
                let name = path.lastPathComponent
                if !name.isOfFileSystem { files.append(name) }
            case .folder(let path): folders.insert(path.lastPathComponent)
            case .link(let path):
                let name = path.lastPathComponent
                if let root = self.root.resolvedPath, let target = path.resolvedPath,
                    target.hasPrefix(root.followed(by: ""))
                {
                    targets[name] = target
                    folders.insert(name)
                } else {
                    links.append(name)
                }
            }
        }
        self.files = files
        self.folders = folders
        (self.targets, self.links) = (targets, links)
        fileSet = Set(files)
    }

    /// The folder's path.
    package var path: String { location.path }

    /// Whether there is a file of this name.
    func holds(_ name: String) -> Bool { fileSet.contains(name) }

    /// The path of a name in the folder.
    func path(of name: String) -> String { path.followed(by: name) }

    /// The folder of this name inside; `nil` if it is missing or cannot be read.
    func folder(_ name: String) -> RecordingFolder? {
        guard folders.contains(name) else { return nil }
        let path = targets[name] ?? path(of: name)
        return (try? FolderEntry.list(path)).map { RecordingFolder(path, listing: $0, in: root) }
    }

    /// Names the links that are not followed; `nil` without any.
    var linkRemark: String? {
        guard let first = links.first else { return nil }
        return links.count == 1
            ? "'\(first)' is a link to a folder outside of the recording, which is not followed"
            : "'\(first)' and \(links.count - 1) more are links to folders outside of the recording, which are not followed"
    }

    /// The first existing one of these folders.
    func folder(anyOf names: [String]) -> RecordingFolder? {
        names.lazy.compactMap { folder($0) }.first
    }

    /// Opens a file of the folder.
    func source(_ name: String, _ limits: DecodingLimits) throws(ContainerError) -> any ByteSource {
        do throws(ContainerError) {
            return try FileSource(path: path(of: name), limits: limits)
        } catch {
            throw error.inFile(name)
        }
    }

    /// The size of a file in bytes; 0 if it cannot be opened.
    func size(of name: String) -> Int {
        (try? source(name, DecodingLimits()))?.byteCount ?? 0
    }

    /// Reads a file of at most `limits[.metadataBytes]`.
    func bytes(_ name: String, _ limits: DecodingLimits) throws(ContainerError) -> [UInt8] {
        let source = try source(name, limits)
        do throws(ContainerError) {
            try limits.check(.metadataBytes, source.byteCount)
            return try source.read(0..<source.byteCount)
        } catch {
            throw error.inFile(name)
        }
    }

    /// Reads a file of JSON.
    func json(_ name: String, _ limits: DecodingLimits) throws(ContainerError) -> JSONValue {
        try JSONValue(parsing: try bytes(name, limits), limits: limits)
    }

    /// The lines of a text file.
    func lines(_ name: String, _ limits: DecodingLimits) throws(ContainerError) -> TextLines {
        TextLines(try source(name, limits), limits: limits)
    }

    /// All numbers of a short text file, such as a matrix, `nan` for those that are not finite: recorders write these where
    /// tracking was lost. `nil` if the file contains anything else.
    func numbers(_ name: String, _ limits: DecodingLimits) throws(ContainerError) -> [Double]? {
        var lines = try lines(name, limits)
        var numbers: [Double] = []
        while let line = try lines.next() {
            guard numbers.count < 4096 else { return nil }
            for word in line.words {
                guard let number = Double(word: word) ?? (word.isNotFinite ? .nan : nil) else { return nil }
                numbers.append(number)
            }
        }
        return numbers
    }
}

extension String {
    /// The last run of digits before the extension, as a number.
    var frameNumber: Int? {
        let digits = pathStem.reversed().drop { !($0.isASCII && $0.isNumber) }.prefix {
            $0.isASCII && $0.isNumber
        }
        return digits.count <= 18 ? Int(String(digits.reversed())) : nil
    }
}
