internal import Isobath

/// A file to be worked on.
struct Input: Sendable {
    /// Its path; `-` is standard input.
    var path: String
    /// Whether the user named it, and did not just happen to have it in a folder.
    var isNamed = true
    /// Its bytes, where they are not in a file: its path is a name then, and nothing is looked for beside it.
    var source: (any ByteSource)?
    /// Where its output goes, where its job leaves that open; see ``Job/directed(to:)``.
    var output: String?
}
