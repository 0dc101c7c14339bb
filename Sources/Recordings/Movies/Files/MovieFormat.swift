internal import Bytes

/// A kind of movie file, by the extension of its name.
package enum MovieFormat: String, CaseIterable, Sendable {
    /// MPEG-4.
    case mp4
    /// Matroska.
    case mkv
    /// Animated WebP.
    case webp
    /// Animated PNG.
    case apng

    /// The format of a file name's extension, in upper or lower case; `.png` is an animated PNG.
    package init?(fileName: String) {
        switch fileName.pathExtension {
        case "mp4", "m4v", "mov": self = .mp4
        case "mkv": self = .mkv
        case "webp": self = .webp
        case "png", "apng": self = .apng
        default: return nil
        }
    }

    /// FFmpeg's name of the muxer.
    var muxer: String { self == .mkv ? "matroska" : rawValue }

    /// Whether 16-bit samples can be stored.
    package var holdsDepth: Bool { self == .mkv }
}

/// How the pictures of a movie are coded.
package enum MovieCodec: String, CaseIterable, Sendable {
    /// H.264.
    case h264
    case hevc
    /// FFV1, lossless.
    case ffv1

    /// FFmpeg's names of encoders, best first.
    var encoders: String {
        switch self {
        case .h264: "libx264,libopenh264"
        case .hevc: "libx265"
        case .ffv1: "ffv1"
        }
    }

    /// The quality of the best encoder on that encoder's scale (crf).
    var quality: Int32 { self == .hevc ? 24 : 20 }
}
