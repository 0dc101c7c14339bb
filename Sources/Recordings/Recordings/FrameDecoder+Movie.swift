internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Movies
internal import PhotoFormats
internal import Scenes

extension FrameDecoder {
    /// Opens the recording's movie, if it has one and it is not open.
    mutating func openMovie() throws {
        guard memory.movie == nil, let movie = recording.movie else { return }
        memory.movie = try MovieDecoder(movie, recording.limits)
    }

    /// The size of pictures in the movie; `nil` before it is open.
    var movieSize: PixelSize? { memory.movie?.source.description.colorSize }

    /// What reading the movie showed, besides the recording's own diagnostics.
    var movieDiagnostics: [Diagnostic] {
        (memory.movie?.source.diagnostics ?? []).filter {
            !recording.diagnostics.contains($0) && $0.code != .cutOff
                && $0.code != MovieSource.differentViewCode
        }
    }

    /// Whether the movie delivers a frame. Throws if it cannot be opened.
    mutating func reachesFrame(at index: Int) throws -> Bool {
        guard let time = recording.frames[index].movie?.time else { return true }
        try openMovie()
        do {
            return try memory.movie?.advance(to: time) ?? true
        } catch MovieError.lostFrame {
            return false
        }
    }

    /// Reads what follows the last frame of the movie, if it is open.
    mutating func endMovie() throws { try memory.movie?.end() }

    /// Decodes planes of a frame that are in the recording's movie.
    mutating func readMovie(
        _ planes: Set<PlaneID>, of part: MoviePart, into frame: inout FramePlanes
    ) throws {
        let wanted = planes.intersection(part.planes)
        guard !wanted.isEmpty, try reachMovie(part), let movie = memory.movie?.source else { return }
        if let hue = recording.coding.hue {
            try movie.begin([.picture], into: &scratch)
            hue.split(scratch.color, wanted, into: &frame, scratch: &measured)
        } else if let pair = recording.coding.eyes, wanted.contains(.depth) {
            try movie.begin(wanted.union([.picture, .eye(.right)]), into: &frame)
            try Self.match(pair, in: &frame)
        } else if wanted.contains(.depth), let registration = try prepareRegistration() {
            try movie.begin(wanted.subtracting([.depth]), into: &frame)
            scratch.depth.clear()
            try movie.begin([.depth], into: &scratch)
            guard !scratch.depth.isEmpty else { return }
            try registration.check(scratch.depth)
            registration.register(scratch.depth, into: &frame.depth)
            frame.counts = scratch.counts
        } else {
            try movie.begin(wanted, into: &frame)
        }
    }

    /// The lens that the recording's movie states for a frame: only movies in Cinematic mode do.
    mutating func lens(of part: MoviePart) throws -> RecordedLens? {
        guard recording.layout == .cinematicMovie, try reachMovie(part) else { return nil }
        return memory.movie?.source.describe().lens
    }

    /// Goes to a frame of the movie, which is opened, and opened again to go back. Returns whether there is one.
    private mutating func reachMovie(_ part: MoviePart) throws -> Bool {
        try openMovie()
        return try memory.movie?.advance(to: part.time) ?? false
    }

    /// Computes depth from the pictures of both eyes.
    private static func match(_ pair: StereoPair, in frame: inout FramePlanes) throws {
        guard !frame.right.isEmpty, frame.right.size == frame.color.size else { return }
        let match = try StereoDepth(left: frame.color.image, right: frame.right.image, pair)
        frame.depth = FramePlane(try DepthMap(match.disparityMap()))
    }
}
