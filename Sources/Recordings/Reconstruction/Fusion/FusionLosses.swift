internal import Bytes
internal import DepthTypes

/// The parts of a fused recording that could not be decoded.
struct FusionLosses {
    /// Skipped frames, by their indices.
    var frames: [(index: Int, error: ContainerError)] = []
    /// Frames without colors, because their picture in the movie cannot be read.
    var pictures: [(index: Int, error: any Error)] = []
    /// Why the movie cannot be opened; `nil` if it can, or without a movie.
    var movie: (any Error)?

    private static let most = 5

    /// A warning for each of the first few, and the total number.
    var diagnostics: [Diagnostic] {
        var diagnostics = frames.prefix(Self.most).map { index, error in
            Diagnostic.warning(.unreadablePlane, "frame \(index) cannot be decoded and is skipped: \(error)")
        }
        if frames.count > Self.most {
            diagnostics.append(
                .warning(.unreadablePlane, "\(frames.count) frames cannot be decoded and are skipped"))
        }
        if let movie {
            diagnostics.append(
                .warning(.unreadablePlane, "the movie with the pictures cannot be opened: \(movie)"))
        }
        if let (index, error) = pictures.first {
            let what =
                pictures.count == 1
                ? "the picture of frame \(index)"
                : "the pictures of \(pictures.count) frames, the first is \(index),"
            diagnostics.append(
                .warning(
                    .unreadablePlane, "\(what) cannot be decoded: \(error); points take no color from there"))
        }
        return diagnostics
    }
}
