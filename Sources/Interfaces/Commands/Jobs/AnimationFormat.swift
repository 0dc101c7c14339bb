internal import Isobath
internal import Movies

/// A file format of animations.
enum AnimationFormat: String, CaseIterable, Sendable {
    case mp4, mkv, webp, png, gif

    /// The format that a file name's extension names.
    init?(fileName: String) {
        if fileName.pathExtension == "gif" {
            self = .gif
        } else if let movie = MovieFormat(fileName: fileName),
            let format = Self.allCases.first(where: { $0.movie == movie })
        {
            self = format
        } else {
            return nil
        }
    }

    /// The extension of automatically named files.
    var fileExtension: String { rawValue }

    /// The movie format; `nil` for GIF.
    var movie: MovieFormat? { self == .png ? .apng : MovieFormat(rawValue: rawValue) }
}
