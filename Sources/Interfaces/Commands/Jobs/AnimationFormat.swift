internal import Isobath
internal import Movies

/// A file format of animations and stereo pictures. PNG is both: with motion it is an animated PNG.
enum AnimationFormat: String, CaseIterable, Codable, Sendable {
    case mp4, mkv, webp, png, gif, jpeg, tiff

    /// The format that a file name's extension names.
    init?(fileName: String) {
        switch fileName.pathExtension {
        case "gif": self = .gif
        case "apng": self = .png
        default:
            if let format = MovieFormat(fileName: fileName) {
                self = format == .apng ? .png : format == .mkv ? .mkv : format == .webp ? .webp : .mp4
            } else if let format = PictureFormat(fileName: fileName) {
                self = format == .jpeg ? .jpeg : .tiff
            } else {
                return nil
            }
        }
    }

    /// Whether it holds only one picture.
    var isStill: Bool { self == .jpeg || self == .tiff }

    /// The extension of automatically named files.
    var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// The movie format; `nil` for GIF and still pictures.
    var movie: MovieFormat? {
        switch self {
        case .mp4: .mp4
        case .mkv: .mkv
        case .webp: .webp
        case .png: .apng
        case .gif, .jpeg, .tiff: nil
        }
    }

    /// The format of a still picture.
    var picture: PictureFormat {
        switch self {
        case .jpeg: .jpeg
        case .tiff: .tiff
        default: .png
        }
    }
}
