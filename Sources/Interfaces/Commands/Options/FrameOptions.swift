internal import ArgumentParser
internal import Isobath
internal import Movies
internal import Scenes

/// Which frames of a recording, a movie or a stream are used.
struct FrameOptions: FlagGroup {
    static let kinds: FlagKinds = ["start": .sequences, "end": .sequences, "every": .sequences]

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Skip frames before this time.", valueName: "seconds"),
        transform: decimal)
    var start: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Stop before the first frame at this time or later.", valueName: "seconds"),
        transform: decimal)
    var end: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("Use every N-th frame.", valueName: "n"))
    var every: Int?

    func validate() throws {
        if let start, let end, start >= end {
            throw ValidationError("--start is \(start) and --end is \(end); --start must be less")
        }
        if let every, every < 1 { throw ValidationError("--every is \(every); it must be 1 or more") }
    }

    /// The flags as the library takes them.
    var selection: FrameSelection {
        var selection = FrameSelection()
        (selection.start, selection.end, selection.step) = (start, end, every ?? 1)
        return selection
    }
}

/// The format and pace of frames.
struct FrameOutputOptions: FlagGroup {
    static let kinds: FlagKinds = ["codec": .sequences, "real-time": .sequences]

    @Option(help: ArgumentHelp("The codec of a movie: h264, hevc or ffv1.", valueName: "codec"))
    var codec: MovieCodec?

    @Flag(help: "Process in real time, and drop late frames.")
    var realTime = false
}

extension FrameOutputOptions {
    /// The frames that are used.
    func selection(_ frames: FrameOptions) -> FrameSelection {
        var selection = frames.selection
        selection.isRealTime = realTime
        return selection
    }

    /// Throws for a codec that does not fit the form of frames; `nil` if nothing specifies the form.
    func check(_ frames: SequenceOutput.Kind?) throws {
        guard let codec, let frames else { return }
        if frames != .movie(.mkv), frames != .movie(.mp4) {
            throw ValidationError("--codec has no effect: it is for .mp4 and .mkv")
        }
        if codec == .ffv1, frames != .movie(.mkv) { throw ValidationError("--codec ffv1 is for .mkv") }
    }
}

extension MovieCodec: ExpressibleByArgument {}
