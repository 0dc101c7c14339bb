internal import Isobath

/// The path of the output file of each input.
enum OutputDestination: Sendable {
    /// One file; `-` is standard output.
    case file(String)
    /// For each input, a file in a folder: `<stem><suffix>.<extension>`, or `<stem><suffix>` without an extension. The
    /// current folder, unless one is given.
    case folder(String?, suffix: String, fileExtension: String)

    /// The output path for an input.
    func path(for input: Input) -> String {
        switch self {
        case .file(let path): path
        case .folder(let folder, let suffix, let fileExtension):
            Self.path(
                in: folder ?? ".",
                named: "\(input.stem)\(suffix)" + (fileExtension.isEmpty ? "" : ".\(fileExtension)"))
        }
    }

    /// The folders where files are created.
    var folders: [String] {
        switch self {
        case .file(let path): OutputFile.folders(of: path)
        case .folder(let folder, _, _): OutputFile.folders(of: (folder ?? ".") + "/.")
        }
    }

    /// Throws if one picture is written, and this is a file of frames.
    func checkStill(_ kind: SequenceOutput.Kind?) throws {
        guard kind != nil else { return }
        let output = file ?? ""
        throw Failure(
            FramePattern(output) == nil
                ? "this is one picture, and '\(output.forTerminal)' is a movie; animate sets a photo in motion"
                : "this is one picture, and '\(output.forTerminal)' numbers several")
    }

    /// Whether the file goes to standard output.
    var isStandardOutput: Bool { if case .file("-") = self { true } else { false } }

    /// The path of a file in a folder.
    static func path(in folder: String, named name: String) -> String {
        folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// The same destination with another suffix and extension for files named after their inputs.
    func named(suffix: String, fileExtension: String) -> OutputDestination {
        guard case .folder(let folder, _, _) = self else { return self }
        return .folder(folder, suffix: suffix, fileExtension: fileExtension)
    }

    /// The single output file; `nil` if outputs are named after their inputs.
    var file: String? { if case .file(let path) = self { path } else { nil } }

    /// Whether a folder is given.
    var isGivenFolder: Bool { if case .folder(.some, _, _) = self { true } else { false } }

    /// The name of an input without its extension, as in the names of outputs.
    static func stem(of input: String) -> String { name(of: input).pathStem }

    /// The name of an input without its folder.
    static func name(of input: String) -> String { input == "-" ? "stdin" : input.lastPathComponent }
}
