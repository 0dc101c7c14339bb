internal import DepthTypes
internal import Movies
internal import Scenes
internal import Sequences
internal import Synchronization

/// Reads any frame of a recording or movie into buffers that are reused. One thread reads at a time.
///
/// The frames of a movie come in order: going back reopens it.
final class FrameReader: Sendable {
    fileprivate struct State {
        /// Opened for the first frame.
        var source: (any FrameSource)?
        var description: SequenceDescription?
        /// How many frames of the movie have been passed, and the time of the last one.
        var passed = 0
        var time = 0.0
        var frame = SequenceFrame()
        /// Whether ``frame`` holds the movie's current frame.
        var isRead = false
    }

    private let open: @Sendable () throws -> any FrameSource
    private let state = Mutex(State())

    /// Reads the frames of the source that `open` returns.
    init(_ open: @escaping @Sendable () throws -> any FrameSource) { self.open = open }

    func description() throws -> SequenceDescription {
        try state.withLock { state in
            _ = try state.opened(by: open)
            return state.description ?? SequenceDescription(layout: "")
        }
    }

    /// Index, time, pose and camera of a frame. Decodes nothing.
    func head(at index: Int) throws -> SequenceFrame {
        try state.withLock { state in
            var head = SequenceFrame()
            let source = try state.opened(by: open)
            if try source.seek(to: index) {
                try source.read([], into: &head)
                return head
            }
            try state.go(to: index, opening: open)
            (head.index, head.time) = (index, state.time)
            head.scale = state.description?.depth?.scale ?? .unitless
            head.calibration = state.description?.calibration
            // Other sources of movies decode the picture even if no part is requested.
            if let movie = state.source as? MovieSource { try movie.read([], into: &head) }
            return head
        }
    }

    /// Decodes parts of a frame; all of its parts if a movie decodes them together.
    func read(_ parts: FrameParts, at index: Int) throws -> DepthScene.FramePlanes {
        try state.withLock { state in
            var taken = SequenceFrame()
            let source = try state.opened(by: open)
            if try source.seek(to: index) {
                try source.read(parts, into: &state.frame)
                taken.take(parts, of: state.frame)
                return (taken, parts)
            }
            try state.go(to: index, opening: open)
            if !state.isRead { try state.source?.read(.everything, into: &state.frame) }
            state.isRead = true
            taken.take(.everything, of: state.frame)
            return (taken, .everything)
        }
    }
}

extension FrameReader.State {
    fileprivate mutating func opened(by open: () throws -> any FrameSource) throws -> any FrameSource {
        if let source { return source }
        let source = try open()
        // The size of pictures in a movie is known once it is open; errors are reported when pictures are read.
        if source.description.colorSize == nil { try? source.prepare(.color) }
        (self.source, description, passed, isRead) = (source, source.description, 0, false)
        return source
    }

    /// Advances to a frame of a movie.
    fileprivate mutating func go(to index: Int, opening open: () throws -> any FrameSource) throws {
        if index < passed - 1 { source = nil }
        let source = try opened(by: open)
        while passed <= index {
            guard let time = try source.advance() else {
                throw RecordingError.noFrame(index, count: passed)
            }
            (self.time, isRead) = (time, false)
            passed += 1
        }
    }
}
