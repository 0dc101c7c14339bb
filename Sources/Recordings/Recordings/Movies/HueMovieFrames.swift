internal import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Movies
internal import Sequences
internal import Synchronization

/// The frames of a movie of Record3D, split into depth and picture.
final class HueMovieFrames: FrameSource {
    let description: SequenceDescription
    private let movie: MovieSource
    private let hueDepth: HueDepth
    private let buffers = Mutex(Buffers())

    private struct Buffers {
        var both = SequenceFrame()
        var meters = FramePlane<Float>()
    }

    init(_ movie: MovieSource, _ description: SequenceDescription, _ hueDepth: HueDepth) {
        self.movie = movie
        self.description = description
        self.hueDepth = hueDepth
    }

    var diagnostics: [Diagnostic] { movie.diagnostics }

    var sound: SequenceSound? { movie.sound }

    func advance() throws -> Double? { try movie.advance() }

    func read(_ parts: FrameParts, into frame: inout SequenceFrame) throws {
        try buffers.withLock { buffers in
            try movie.read(.color, into: &buffers.both)
            frame.clear()
            (frame.index, frame.time, frame.scale) = (
                buffers.both.index, buffers.both.time, .metric
            )
            frame.calibration = description.calibration
            var depth: FramePlane<Float>? = parts.contains(.depth) ? frame.depth : nil
            var color: FramePlane<RGB<UInt8>>? = parts.contains(.color) ? frame.color : nil
            // Each plane has one owner, so that its memory is reused.
            frame.depth = FramePlane()
            frame.color = FramePlane()
            hueDepth.split(buffers.both.color, depth: &depth, color: &color, scratch: &buffers.meters)
            if let depth { frame.depth = depth }
            if let color { frame.color = color }
        }
    }
}
