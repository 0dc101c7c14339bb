internal import Bytes
internal import DepthTypes
internal import Scenes

extension MovieStructure {
    /// Remarks on depth of Cinematic mode and on mattes, if FFmpeg reads depth and these mattes.
    func remarks(hasDepth: Bool, mattes: [PlaneKind]) -> [Diagnostic] {
        var remarks: [Diagnostic] = []
        if depthTrack != nil, hasDepth {
            remarks.append(
                .note(
                    .cinematicDepth,
                    "support of Cinematic mode is experimental: no file of a phone was at hand; only the order of distances is known, and larger codes are taken as nearer"
                ))
        } else if saysCinematic, depthTrack == nil {
            remarks.append(
                .warning(
                    .cinematicDepth,
                    "recorded in Cinematic mode, but this copy has no depth; export the unmodified original"))
        }
        if !mattes.isEmpty {
            remarks.append(
                .note(
                    .movieMattes,
                    "support of mattes in movies of Live Photos is experimental: no file of a phone was at hand"
                ))
        }
        remarks += tracks.filter(\.isAuxiliary).compactMap(\.userDataError).map { Diagnostic($0) }
        let unread = PlaneKind.mattesOfFrames.filter { matteTrack($0) != nil && !mattes.contains($0) }
        if !unread.isEmpty {
            let names = unread.map(\.rawValue).joined(separator: ", ")
            remarks.append(
                .warning(
                    "unread-matte", "mattes that are not 8-bit gray, or too large, are not read: \(names)"))
        }
        return remarks
    }
}

extension Diagnostic.Code {
    /// What is known about the depth of a movie in Cinematic mode.
    static let cinematicDepth: Self = "cinematic-depth"
    /// What is known about the mattes of a movie.
    static let movieMattes: Self = "movie-mattes"
}
