internal import CMovieShims

/// Why a movie could not be read or written, in FFmpeg's words where they are its.
package struct MovieError: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }

    /// Calls `body` with room for a message, and throws it where `body` returns `nil`.
    static func unlessNil<Value>(_ body: (UnsafeMutablePointer<CChar>) -> Value?) throws(MovieError) -> Value
    {
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MOVIE_MESSAGE))
        let value = unsafe message.withUnsafeMutableBufferPointer { message in
            unsafe message.baseAddress.flatMap { unsafe body($0) }
        }
        guard let value else {
            let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw MovieError(String(decoding: bytes, as: UTF8.self))
        }
        return value
    }
}
