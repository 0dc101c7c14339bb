internal import Foundation
package import Movies
package import Scenes
package import TestSupport
package import Testing

extension Trait where Self == ConditionTrait {
    /// FFmpeg's libraries.
    package static var needsFFmpeg: Self {
        .enabled(if: MovieLibrary.version != nil, "FFmpeg's libraries are not installed")
    }
}

extension TemporaryFolder {
    /// Writes a movie of these frames, in the format of its name. Returns its path.
    @discardableResult
    package func writeMovie(
        _ frames: [RenderedFrame], to name: String, codec: MovieCodec? = nil, rate: Double = 30
    ) throws -> String {
        guard let format = MovieFormat(fileName: name) else { throw CocoaError(.featureUnsupported) }
        let path = try write([], to: name)
        let file = try FileHandle(forUpdating: URL(filePath: path))
        let sink = MovieSink(descriptor: file.fileDescriptor, format: format, codec: codec, rate: rate)
        for var frame in frames { try sink.write(&frame) }
        try sink.finish()
        try file.close()
        return path
    }
}
