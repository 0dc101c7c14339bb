/// A file to be worked on.
struct Input: Sendable {
    /// Its path; `-` is standard input.
    var path: String
    /// Whether the user named it, and did not just happen to have it in a folder.
    var isNamed = true
}
