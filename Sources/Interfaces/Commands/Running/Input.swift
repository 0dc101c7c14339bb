internal import Isobath

/// A file to process.
struct Input: Sendable {
    /// Its path; `-` is standard input.
    var path: String
    /// Whether the user named it, rather than a folder that contains it.
    var isNamed = true
    /// Its bytes, if they are not in a file. Its path is then only a name, and no files beside it are looked for.
    var source: (any ByteSource)?
    /// The path of its output, if the job does not set one; see ``Job/directed(to:)``.
    var output: String?
    /// The name of its outputs, if another input of the run already has files with the same name.
    var renaming: OutputRenaming?

    /// Its name as part of output names.
    var stem: String { renaming?.stem ?? OutputDestination.stem(of: path) }
}
