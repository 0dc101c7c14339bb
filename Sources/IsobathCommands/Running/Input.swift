internal import Isobath

/// A file to process.
struct Input: Sendable {
    /// Its path; `-` is standard input.
    var path: String
    /// Whether the user named it, rather than a folder that contains it.
    var isNamed = true
    /// Its bytes, if they are not in a file. Its path is then only a name, and no files beside it are looked for.
    var source: (any ByteSource)?
    /// The depth image beside such a source, with its name; `nil` if missing.
    var depthImage: (name: String, source: any ByteSource)?
    /// The folder that contains the path; nothing outside of it is opened. `nil` for a path of the file system.
    var root: OpenFolder?
    /// The path of its output, if the job does not set one; see ``Job/directed(to:)``.
    var output: String?
    /// The name of its outputs, if another input of the run already has files with the same name.
    var renaming: OutputRenaming?

    /// Its name as part of output names.
    var stem: String { renaming?.stem ?? OutputDestination.stem(of: path) }

    /// The bytes that an isolated process may request: the bytes of the source, followed by the bytes of the depth
    /// image.
    var suppliedSource: (any ByteSource)? {
        guard let source, let depthImage else { return source }
        return try? JoinedSource(source, depthImage.source)
    }
}
