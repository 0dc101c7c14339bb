internal import Bytes
internal import DepthTypes
internal import Movies
internal import Sequences
internal import Synchronization

/// The frames of an Azure Kinect, with depth registered to the pictures.
final class KinectFrames: FrameSource {
    let description: SequenceDescription
    private let movie: MovieSource
    private let registration: DepthRegistration
    private let scratch = Mutex(SequenceFrame())

    /// The frames of a movie with pictures of one size, and depth of another.
    init(_ movie: MovieSource, _ cameras: CameraPair, depth: PixelSize, color: PixelSize) {
        self.movie = movie
        registration = DepthRegistration(cameras, depth: depth, color: color)
        var description = movie.description
        description.depth?.size = registration.grid.size
        description.calibration = registration.grid.camera
        self.description = description
    }

    var diagnostics: [Diagnostic] { Self.diagnostics(of: movie, registration.grid) }

    /// The diagnostics of a movie whose depth is registered to its pictures.
    static func diagnostics(of movie: MovieSource, _ grid: RegisteredGrid) -> [Diagnostic] {
        [grid.note] + movie.diagnostics.filter { $0.code != MovieSource.differentViewCode }
    }

    var sound: SequenceSound? { movie.sound }

    func advance() throws -> Double? { try movie.advance() }

    func read(_ parts: FrameParts, into frame: inout SequenceFrame) throws {
        try scratch.withLock { scratch in
            try movie.read(parts, into: &scratch)
            frame.clear()
            (frame.index, frame.time, frame.scale) = (scratch.index, scratch.time, scratch.scale)
            frame.calibration = registration.grid.camera
            swap(&frame.color, &scratch.color)
            if !scratch.depth.isEmpty { registration.register(scratch.depth, into: &frame.depth) }
        }
    }
}
