internal import Isobath
internal import Recordings
internal import Sequences

/// What an input of the command line turned out to be.
enum PhotoOrRecording {
    /// A photo or a raster.
    case source(any PlaneSource)
    /// A recording, or a movie.
    case recording(Recording)
}

/// Opens an input that may be a photo, a raster or a recording. What is neither has the error of a photo, and so has a movie that
/// was found in a folder and has no depth.
func openPhotoOrRecording(
    _ input: Input, reading: RasterInterpretation, limits: DecodingLimits
) throws -> PhotoOrRecording {
    do {
        return .source(try openInput(input, reading: reading, limits: limits))
    } catch let error as ContainerError where error.mayBeRecording(input) {
        return .recording(try openRecording(input, reading: reading, limits: limits, else: error))
    }
}

/// Opens a file that is not a photo; if it is not a recording either, throws the `error` that it had as a photo.
private func openRecording(
    _ input: Input, reading: RasterInterpretation, limits: DecodingLimits, else error: ContainerError
) throws -> Recording {
    if !input.isNamed, isMovie(input.path), !MovieRecording.mayHoldDepth(input.path, limits: limits) {
        throw error
    }
    let recording: Recording
    do {
        recording = Recording(
            try Recording.Content(
                contentsOf: input.path, reading: RecordingReading(reading), limits: limits))
    } catch let other as ContainerError where other == ListedRecording.unrecognized || error.isLimit {
        throw error
    }
    if !input.isNamed, case .movie(let movie) = recording.content, movie.description.depth == nil {
        throw error
    }
    return recording
}

/// Opens the frames of a file that is not a photo; otherwise as above.
func openFrames(
    _ input: Input, reading: RasterInterpretation, isUpright: Bool, limits: DecodingLimits,
    else error: ContainerError
) throws -> any FrameSource {
    try openRecording(input, reading: reading, limits: limits, else: error).content
        .frames(isUpright: isUpright)
}

/// Whether a file begins as movies do.
func isMovie(_ path: String) -> Bool { MovieRecording.isMovie(path) }

/// Whether a file begins as ZIP archives do.
private func isArchive(_ path: String) -> Bool {
    guard let start = try? FileSource(path: path).readPrefix(at: 0, count: 4) else { return false }
    return start == [0x50, 0x4B, 3, 4]
}

/// A recording that was given where photos are read.
struct GivenRecording: Error, CustomStringConvertible {
    /// What kind of recording it is, for a person.
    var title: String

    /// Looks at the input; `nil` if it cannot be opened as a recording.
    init?(_ input: Input, limits: DecodingLimits) {
        if isMovie(input.path) {
            title = "a movie"
        } else if let recording = try? ListedRecording(contentsOf: input.path, limits: limits) {
            title = "a recording, \(recording.layout.title)"
        } else {
            return nil
        }
    }

    var description: String { "it is \(title); sequence, cloud, view, follow and detect read it" }
}

extension ContainerError {
    /// Whether a limit was exceeded, which raising it may mend.
    var isLimit: Bool {
        if case .limitExceeded = reason { true } else { false }
    }

    /// Whether a file that is not a photo may be a recording: a folder, a file of an unknown kind, or a pattern of numbered files.
    func mayBeRecording(_ input: Input) -> Bool {
        guard input.source == nil, input.path != "-" else { return false }
        return switch reason {
        case .folder, .unrecognized, .possiblyHeaderless: true
        case .unreadable: ListedRecording.isPattern(input.path)
        // An archive that was cut off, or has more members than there may be arrays, may still be a recording.
        case .malformed, .limitExceeded: isArchive(input.path)
        default: false
        }
    }
}
