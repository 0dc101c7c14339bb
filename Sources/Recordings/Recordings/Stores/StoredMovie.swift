internal import Bytes
internal import Movies
internal import Scenes
internal import Synchronization

/// A movie with parts of a recording's frames: of all of them, or color beside depth.
final class StoredMovie: Sendable {
    /// The movie's path.
    let path: String
    /// Stored units per meter of its depth, where the file states none.
    let unitsPerMeter: Double?
    /// Whether it may have sound.
    let hasSound: Bool
    /// The time of the first frame on the movie's own clock, in seconds.
    let start: Double
    private let listed: Mutex<MovieTimes?>

    /// The file of this name in a folder; `nil` if missing.
    convenience init?(_ name: String, in folder: RecordingFolder) {
        guard folder.holds(name) else { return nil }
        self.init(folder.path(of: name))
    }

    /// A movie whose frames were listed, or will be when the first of them is read.
    init(_ path: String, unitsPerMeter: Double? = nil, times: MovieTimes? = nil, hasSound: Bool = true) {
        (self.path, self.unitsPerMeter, self.hasSound) = (path, unitsPerMeter, hasSound)
        start = times?.start ?? 0
        listed = Mutex(times)
    }

    /// Opens it, before its first frame.
    func open(_ limits: DecodingLimits) throws -> MovieSource {
        try MovieSource(contentsOf: path, unitsPerMeter: unitsPerMeter, limits: limits)
    }

    /// The times of its frames. Reads it to its end the first time.
    func times(_ limits: DecodingLimits) throws -> MovieTimes {
        try listed.withLock { listed in
            let times = try listed ?? open(limits).list(limits)
            listed = times
            return times
        }
    }
}

/// The parts of a frame that are in the recording's movie.
struct MoviePart: Sendable {
    /// When they are shown, in seconds since the movie's first frame. The nearest frame of the movie is used.
    var time: Double
    var planes: Set<PlaneID>
}

/// Decodes the frames of a movie in order, and opens it again to go back.
struct MovieDecoder: Sendable {
    private let movie: StoredMovie
    private let limits: DecodingLimits
    private(set) var source: MovieSource
    /// The frame that the source is at, and the one that it delivered before.
    private var (current, former) = (-1, -1)
    private var isAtEnd = false

    init(_ movie: StoredMovie, _ limits: DecodingLimits) throws {
        (self.movie, self.limits) = (movie, limits)
        source = try movie.open(limits)
    }

    /// Advances to the frame that is nearest to a time, within ``MovieSource/tolerance``.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: ``MovieError/lostFrame(_:)`` if it cannot be decoded, and errors of the movie.
    mutating func advance(to time: Double) throws -> Bool {
        let times = try movie.times(limits)
        guard let index = times.nearest(to: time), abs(times.seconds[index] - time) <= MovieSource.tolerance
        else { return false }
        if index > former, index < current || isAtEnd && index > current { throw MovieError.lostFrame(index) }
        if index < current { self = try MovieDecoder(movie, limits) }
        while current < index {
            guard let seconds = try source.advance() else {
                isAtEnd = true
                throw MovieError.lostFrame(index)
            }
            guard let found = times.index(of: source.start + seconds, after: current) else { continue }
            (former, current) = (current, found)
        }
        guard current == index else { throw MovieError.lostFrame(index) }
        return true
    }

    /// Reads what follows the last frame, which tells whether the movie is damaged.
    mutating func end() throws {
        while try !isAtEnd && source.advance() != nil {}
        isAtEnd = true
    }
}
