internal import CMovieShims
internal import DepthMaps
internal import DepthTypes
internal import Scenes

/// A matte in the movie of a Live Photo: a track of its own with fewer frames than the picture, whose samples are coverage.
///
/// Each frame holds until the next one, and 0.5 s at most, so that a track that ends early does not mask the rest.
struct MovieMatte {
    let kind: PlaneKind
    private let number: Int32
    private let width: Int
    private let height: Int
    /// Clockwise quarter turns of the picture, which the matte is stored like.
    private let turns: Int
    private var time: Double?
    private var isCurrent = false
    private var stored = FramePlane<UInt8>()

    private static let longest = 0.5
    /// Times are rounded to the ticks of each track.
    private static let tolerance = 0.001

    /// The mattes of a movie whose picture is turned by `turns` quarters.
    static func all(in info: isobath_movie_info, turns: Int) -> [MovieMatte] {
        let tracks = [info.tracks.3, info.tracks.4, info.tracks.5]
        return zip(PlaneKind.mattesOfFrames, tracks).enumerated().compactMap { index, matte in
            guard matte.1.is_present != 0 else { return nil }
            return MovieMatte(
                kind: matte.0, number: Int32(ISOBATH_TRACK_MATTE) + Int32(index), width: Int(matte.1.width),
                height: Int(matte.1.height), turns: turns)
        }
    }

    private init(kind: PlaneKind, number: Int32, width: Int, height: Int, turns: Int) {
        (self.kind, self.number) = (kind, number)
        (self.width, self.height, self.turns) = (width, height, turns)
    }

    /// Advances to the latest frame at or before a time.
    mutating func find(at seconds: Double, in movie: OpaquePointer) {
        var next = 0.0
        while unsafe isobath_movie_peek(movie, number, &next) == 1, next <= seconds + Self.tolerance {
            _ = unsafe isobath_movie_advance(movie, number, &next)
            time = next
        }
        isCurrent = time.map { seconds - $0 <= Self.longest + Self.tolerance } ?? false
    }

    /// Decodes the found frame, upright. Leaves the plane unchanged without one, and where its size or form changes.
    mutating func read(from movie: OpaquePointer, into plane: inout FramePlane<UInt8>) {
        guard isCurrent else { return }
        var status: Int32 = 0
        stored.overwrite(width: width, height: height, fill: 0) { samples in
            // SAFETY: the plane has the size that the track was opened with, which the decoder checks for each frame.
            unsafe samples.withUnsafeMutableBufferPointer {
                status = unsafe isobath_movie_matte(movie, number, $0.baseAddress)
            }
        }
        if status == 0 { stored.turned(quarters: turns, into: &plane) }
    }
}
