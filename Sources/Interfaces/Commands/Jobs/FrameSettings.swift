internal import Isobath
internal import Movies
internal import Scenes

/// How frames are chosen and written.
struct FrameSettings: Sendable {
    /// The form of frames; `nil` if nothing specifies it.
    var kind: SequenceOutput.Kind?
    var codec: MovieCodec?
    var selection = FrameSelection()
    var isRealTime = false
    /// Frames per second; `nil` for the input's rate.
    var rate: Double?

    /// The run that makes a view of frames for a picture's output, whose file has another suffix for frames.
    func run(
        _ view: FrameRun.View, suffix: String, of file: Input, _ output: PictureOutput
    ) throws -> FrameRun {
        let destination = output.destination
        let kind = kind ?? (destination.file == "-" ? .stream(.y4m) : .movie(.mp4))
        if self.kind == nil, let path = destination.file, path != "-" { throw PictureForFrames(output: path) }
        let (suffix, fileExtension) = kind.suffix(suffix)
        return run(
            view,
            to: SequenceOutput(
                path: destination.named(suffix: suffix, fileExtension: fileExtension).path(for: file),
                kind: kind, codec: codec, quality: output.quality, existing: output.existing))
    }

    /// The run that makes a view of frames for an output.
    func run(_ view: FrameRun.View, to output: SequenceOutput) -> FrameRun {
        var run = FrameRun(view: view, output: output)
        (run.selection, run.rate) = (selection, rate)
        run.isRealTime = isRealTime
        return run
    }

    /// Throws the error for one picture whose output is of frames.
    func checkStill(_ output: String?) throws {
        guard kind != nil else { return }
        let output = output ?? ""
        throw FramePattern(output) == nil ? StillForMovie(output: output) : StillForFrames(output: output)
    }
}

/// The error for frames whose output is one picture.
struct PictureForFrames: Error, CustomStringConvertible {
    var output: String

    var description: String {
        "this is a recording, and '\(output.forTerminal)' is one picture; --frame N takes one of its frames; use .mp4, .mkv, .webp, .apng, .y4m or 'f-%04d.png' for all"
    }
}

/// The error for one picture whose output is a movie.
struct StillForMovie: Error, CustomStringConvertible {
    var output: String

    var description: String {
        "this is one picture, and '\(output.forTerminal)' is a movie; animate sets a photo in motion"
    }
}

/// The error for one picture whose output is numbered frames.
struct StillForFrames: Error, CustomStringConvertible {
    var output: String

    var description: String { "this is one picture, and '\(output.forTerminal)' numbers several" }
}
