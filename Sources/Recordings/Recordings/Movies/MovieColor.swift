package import DepthMaps
internal import DepthTypes
internal import Movies
package import Sequences

/// The color pictures of a recording that stores them in a movie, found by time in ascending order.
package struct MovieColor {
    private let movie: MovieSource
    /// The movie's current picture, which can be decoded once; `nil` before the first and after the last.
    private var time: Double?
    private var isAtEnd = false
    /// The picture that was decoded last, and its time: the next one may be farther from the wanted time.
    private var held = SequenceFrame()
    private var heldTime: Double?
    /// The last picture that could not be decoded.
    private var broken: (time: Double, error: any Error)?

    /// The pictures of a recording; `nil` if they are not in a movie. Throws if the movie cannot be opened.
    package init?(_ recording: ListedRecording) throws {
        guard let stored = recording.movie, recording.hasColor else { return nil }
        movie = try MovieSource(contentsOf: stored.path, limits: recording.limits)
    }

    /// The size of the pictures.
    var size: PixelSize? { movie.description.colorSize }

    /// Reads the picture of a frame: the nearest to its time, within 20 ms. Leaves the plane empty if there is no such
    /// picture.
    ///
    /// Times must be ascending. Throws if the nearest picture cannot be decoded; later ones may still be.
    package mutating func read(_ frame: RecordedFrame, into plane: inout FramePlane<RGB<UInt8>>) throws {
        plane.clear()
        guard let wanted = frame.movieTime else { return }
        // A picture that cannot be decoded matters only if it is the nearest.
        var failure: (distance: Double, error: any Error)?
        while !isAtEnd, time.map({ $0 < wanted }) ?? true {
            // It may be the nearest, or a later one is: only the next picture decides.
            if let time, wanted - time <= MovieSource.tolerance {
                do { try hold(time) } catch { failure = (wanted - time, error) }
            }
            if let heldTime, abs(heldTime - wanted) < Self.exact { break }
            time = try movie.advance()
            isAtEnd = time == nil
        }
        let former = heldTime.map { abs($0 - wanted) } ?? .infinity
        let next = time.map { abs($0 - wanted) } ?? .infinity
        if let failure, failure.distance <= min(former, next) { throw failure.error }
        guard min(former, next) <= MovieSource.tolerance else { return }
        if let time, next < former { try hold(time) }
        plane.overwrite(width: held.color.width, height: held.color.height, fill: .black) {
            convert(held.color.samples.span, to: &$0) { $0 }
        }
    }

    /// Pictures of a movie are more than twice this apart, in seconds.
    private static let exact = 0.0005

    /// Decodes the movie's current picture, unless it was decoded last.
    private mutating func hold(_ time: Double) throws {
        guard heldTime != time else { return }
        if let broken, broken.time == time { throw broken.error }
        heldTime = nil
        do {
            try movie.read(.color, into: &held)
            heldTime = time
        } catch {
            broken = (time, error)
            throw error
        }
    }
}
