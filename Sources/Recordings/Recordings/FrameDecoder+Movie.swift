internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Movies
internal import PhotoFormats
internal import Scenes
internal import Sequences

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

    /// Decodes parts of a frame that are in the recording's movie. Other planes become empty.
    mutating func readMovie(_ parts: FrameParts, of part: MoviePart, into frame: inout SequenceFrame) throws {
        let wanted = parts.intersection(part.parts)
        // A movie in Cinematic mode states the lens of each frame.
        guard !wanted.isEmpty || recording.layout == .cinematicMovie else { return }
        try openMovie()
        guard let source = memory.movie?.source, try memory.movie?.advance(to: part.time) ?? false else {
            return
        }
        // Going back opens the movie again.
        let movie = memory.movie?.source ?? source
        if let hue = recording.coding.hue {
            try movie.read(.color, into: &scratch)
            hue.split(scratch.color, wanted, into: &frame, scratch: &measured)
        } else if let pair = recording.coding.eyes, wanted.contains(.depth) {
            try movie.read(wanted.union([.color, .right]), into: &frame)
            try Self.match(pair, in: &frame)
        } else if wanted.contains(.depth), let registration = try prepareRegistration() {
            try movie.read(wanted.subtracting(.depth), into: &frame)
            try movie.read(.depth, into: &scratch)
            guard !scratch.depth.isEmpty else { return }
            try registration.check(scratch.depth)
            registration.register(scratch.depth, into: &frame.depth)
        } else {
            try movie.read(wanted, into: &frame)
        }
    }

    /// Computes depth from the pictures of both eyes.
    private static func match(_ pair: StereoPair, in frame: inout SequenceFrame) throws {
        guard !frame.right.isEmpty, frame.right.size == frame.color.size else { return }
        let match = try StereoDepth(left: frame.color.image, right: frame.right.image, pair)
        let map = try DepthMap(match.disparityMap())
        frame.depth.overwrite(width: map.width, height: map.height, fill: .nan) { samples in
            let meters = map.meters.span
            for index in samples.indices { samples[index] = meters[index] }
        }
    }
}
