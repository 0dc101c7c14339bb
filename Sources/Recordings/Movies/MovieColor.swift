internal import ByteParsing
package import DepthCore
internal import Movies
package import Sequences

/// The color pictures of a recording that keeps them in a movie, found by time from one to the next.
package struct MovieColor {
    private let movie: MovieSource
    /// The open movie of a recording below another folder, which stays open as long as it is read.
    private let file: FileSource?
    private var time: Double?
    private var scratch = SequenceFrame()

    /// The pictures of a recording; `nil` where they are not in a movie. Throws where the movie cannot be opened.
    package init?(_ recording: Recording) throws {
        guard let path = recording.movie, recording.hasColor else { return nil }
        file = try recording.root.map { (root) throws(ContainerError) in
            try root.file(path, limits: recording.limits)
        }
        movie = try MovieSource(contentsOf: file?.ownPath ?? path, limits: recording.limits)
    }

    /// Reads the picture of a frame: the one that is nearest to its time, within 20 ms. None where there is none.
    ///
    /// Times must not go back from call to call.
    package mutating func read(_ frame: RecordedFrame, into plane: inout FramePlane<RGB<UInt8>>) throws {
        plane.clear()
        guard case .movie(let wanted)? = frame.color else { return }
        // Half a frame at 120 frames a second.
        while time.map({ $0 < wanted - 0.004 }) ?? true {
            guard let next = try movie.advance() else { return }
            time = next
        }
        guard let time, abs(time - wanted) <= MovieSource.tolerance else { return }
        try movie.read(.color, into: &scratch)
        swap(&plane, &scratch.color)
    }
}
