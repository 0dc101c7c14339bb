internal import ByteParsing

/// A movie with the color pictures of frames, which are read in order: see ``MovieColor``.
struct StoredMovie: Sendable {
    /// The movie's path, from ``root`` where there is one.
    let path: String
    /// The folder that nothing outside of is opened; `nil` for a path of the system.
    let root: OpenFolder?

    /// The file of a name in a folder; `nil` where there is none.
    init?(_ name: String, in folder: RecordingFolder) {
        guard folder.holds(name) else { return nil }
        (path, root) = (folder.path(of: name), folder.root)
    }
}
