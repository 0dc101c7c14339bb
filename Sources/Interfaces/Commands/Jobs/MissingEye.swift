internal import DepthTypes
internal import Movies
internal import Scenes

/// The error for frames without an eye that the output shows.
struct MissingEye: Error, CustomStringConvertible {
    var eye: Eye
    var eyes: RecordedEyes?

    var description: String {
        guard let eyes else {
            return "the \(eye.rawValue) eye is asked for, and these frames have one eye"
        }
        return eyes.isLayered
            ? "the \(eye.rawValue) eye of this spatial video needs FFmpeg 7.1 or newer, and this is \(MovieLibrary.version ?? "missing")"
            : "the \(eye.rawValue) eye is asked for, and the file has no second layer or track"
    }
}

extension RecordedEyes {
    /// Throws ``MissingEye`` unless this eye is read.
    func require(_ eye: Eye) throws(MissingEye) {
        guard reads(eye) else { throw MissingEye(eye: eye, eyes: self) }
    }

    /// Throws ``MissingEye`` unless both eyes are read.
    func requireBoth() throws(MissingEye) {
        for eye in Eye.allCases { try require(eye) }
    }
}
