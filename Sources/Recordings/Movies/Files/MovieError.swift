internal import CMovieShims
package import DepthTypes

/// Why a movie could not be read or written.
package enum MovieError: Error, Hashable, Sendable, CustomStringConvertible {
    /// FFmpeg failed, or cannot be loaded; with FFmpeg's message.
    case library(String)
    /// The times of this many frames do not fit into memory.
    case noMemory(frames: Int)
    /// There is no frame to write.
    case noFrame
    /// Frames of this size cannot be written in this format.
    case unsuitableSize(PixelSize, format: String)
    /// The frame of this index is listed, and the decoder does not deliver it.
    case lostFrame(Int)
    /// A frame differs in size from the movie.
    case changedSize(frame: Int, isDepth: Bool)

    package var description: String {
        switch self {
        case .library(let message): message
        case .noMemory(let frames): "there is no memory for the times of \(frames) frames"
        case .noFrame: "there is no frame to write"
        case .unsuitableSize(let size, let format): "a \(format) of \(size) pixels cannot be written"
        case .lostFrame(let frame): "frame \(frame) of the movie cannot be decoded"
        case .changedSize(let frame, let isDepth):
            "\(isDepth ? "depth of frame" : "frame") \(frame) has another size than the movie"
        }
    }

    /// Calls `body` with a buffer for a message, and throws that message if `body` returns `nil`.
    static func unlessNil<Value>(_ body: (UnsafeMutablePointer<CChar>) -> Value?) throws(MovieError) -> Value
    {
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MOVIE_MESSAGE))
        let value = unsafe message.withUnsafeMutableBufferPointer { message in
            unsafe message.baseAddress.flatMap { unsafe body($0) }
        }
        guard let value else {
            let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw .library(String(decoding: bytes, as: UTF8.self))
        }
        return value
    }
}

/// FFmpeg's libraries, which are loaded when they are needed first.
package enum MovieLibrary {
    /// The version of FFmpeg; `nil` if they cannot be loaded. Loads them.
    package static var version: String? {
        guard let version = unsafe isobath_movies_version() else { return nil }
        return unsafe String(cString: version)
    }

    /// Loads them, so that a missing library is found before any work.
    package static func load() throws(MovieError) {
        _ = try unsafe MovieError.unlessNil { message in
            unsafe isobath_movies_load(message) == 0 ? true : nil
        }
    }
}
