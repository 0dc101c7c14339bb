internal import Isobath

/// A file to be worked on.
struct Input: Sendable {
    /// Its path; `-` is standard input.
    var path: String
    /// Whether the user named it, and did not just happen to have it in a folder.
    var isNamed = true
    /// Its bytes, where they are not in a file: its path is a name then, and nothing is looked for beside it.
    var source: (any ByteSource)?
    /// The depth image that stands beside such a source, with its name; `nil` where there is none.
    var depthImage: (name: String, source: any ByteSource)?
    /// The folder that the path is below, and nothing outside of is opened; `nil` for a path of the system.
    var root: OpenFolder?
    /// Where its output goes, where its job leaves that open; see ``Job/directed(to:)``.
    var output: String?
    /// What its outputs are named after, where another input of the run has written files of its own name.
    var renaming: OutputRenaming?

    /// Its name in those of outputs.
    var stem: String { renaming?.stem ?? OutputDestination.stem(of: path) }

    /// The bytes that an isolated process may ask for: those of the source, and of the depth image behind them.
    var suppliedSource: (any ByteSource)? {
        guard let source, let depthImage else { return source }
        return try? JoinedSource(source, depthImage.source)
    }
}
