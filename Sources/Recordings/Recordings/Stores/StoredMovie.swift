/// A movie with the color pictures of frames, which are read in order: see ``MovieColor``.
struct StoredMovie: Sendable {
    /// The movie's path.
    let path: String

    /// The file of this name in a folder; `nil` if missing.
    init?(_ name: String, in folder: RecordingFolder) {
        guard folder.holds(name) else { return nil }
        path = folder.path(of: name)
    }
}
