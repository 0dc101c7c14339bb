/// Why an output was not written.
public struct OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The output's path; empty for bytes in memory.
    public var path: String
    /// What is wrong.
    public var reason: Reason

    /// Why an output is not written. Each case calls for a different response.
    public enum Reason: Hashable, Sendable {
        /// The file exists, and is not to be replaced.
        case exists
        /// The path is a folder.
        case folder
        /// The path is a device, a pipe or a socket.
        case notRegularFile
        /// A folder is needed, and the path is something else.
        case notFolder
        /// The file is one of the inputs.
        case input
        /// Binary data would go to a terminal.
        case terminal
        /// The file system cannot add a file without the risk of replacing another.
        case unsafeFileSystem
        /// The name has no extension of a known format; `known` lists them.
        case unknownFormat(known: String)
        /// The system reported an error, by its `errno`.
        case system(Int32)
        /// The samples cannot be stored in this format.
        case unsuitable(String)
    }

    /// What is wrong, without the path.
    public var message: String {
        switch reason {
        case .exists: "the file exists"
        case .folder: "it is a folder"
        case .notRegularFile: "it is not a regular file"
        case .notFolder: "it is not a folder"
        case .input: "the output would replace an input"
        case .terminal: "it is a terminal; send it to a program or a file"
        case .unsafeFileSystem: "the file system cannot add a file without the risk of replacing another"
        case .unknownFormat(let known): "the name has no known extension; use \(known)"
        case .system(let code): WriteError.system(code).description
        case .unsuitable(let message): message
        }
    }

    /// The output, and what is wrong with it.
    public var description: String { path.isEmpty ? message : "\(output): \(message)" }

    /// The output's path, or "standard output".
    package var output: String { path == "-" ? "standard output" : path }

    /// Describes a failure at a path.
    package init(_ path: String, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }

    init(_ path: String, errno code: Int32) {
        self.init(path, .system(code))
    }

    init(_ path: String, writing error: WriteError) {
        switch error {
        case .system(let code): self.init(path, .system(code))
        case .unsuitable(let message): self.init(path, .unsuitable(message))
        }
    }

    static func exists(_ path: String) -> OutputError { OutputError(path, .exists) }
}
