internal import ByteParsing

/// A movie with the color pictures of frames, which are read in order: see ``MovieColor``.
struct StoredMovie: Sendable {
    /// The movie's path, relative to ``root`` if there is one.
    let path: String
    /// The folder that access is restricted to; `nil` for a path of the system.
    let root: OpenFolder?

    /// The file of this name in a folder; `nil` if missing.
    init?(_ name: String, in folder: RecordingFolder) {
        guard folder.holds(name) else { return nil }
        (path, root) = (folder.path(of: name), folder.root)
    }
}
