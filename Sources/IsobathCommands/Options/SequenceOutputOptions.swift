internal import ArgumentParser
internal import Isobath
internal import Movies

/// Where frames go, and in which form.
struct SequenceOutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A movie (.mp4, .mkv, .webp, .png), a stream (.y4m), numbered frames such as 'frames/f-%04d.png', or - for standard output.",
            valueName: "file"))
    var output: String

    @Option(
        help: ArgumentHelp(
            "What standard output gets: y4m, rgb24, yuv420p, nv12, gray16le or grayf32le.",
            valueName: "format"))
    var outputFormat: StreamFormat?

    @Option(help: ArgumentHelp("How a movie is coded: h264, hevc or ffv1.", valueName: "codec"))
    var codec: MovieCodec?

    @Option(help: ArgumentHelp("The quality of JPEG frames, 1 to 100.", valueName: "q"))
    var quality = Raster.defaultJPEGQuality

    @OptionGroup var existing: ExistingFileOptions

    func validate() throws {
        guard (1...100).contains(quality) else { throw ValidationError("'--quality' is 1 to 100.") }
        if outputFormat != nil, output != "-" {
            throw ValidationError("'--output-format' is for '-o -'; file names have an extension.")
        }
        if FramePattern.hasSeveralPlaces(output) {
            throw ValidationError("'\(output.forTerminal)' has places for two numbers; frames have one.")
        }
        if kind == nil {
            throw ValidationError(
                "'\(output.forTerminal)' names no known format; use .mp4, .mkv, .webp, .png, .y4m, or numbered frames such as 'f-%04d.png'."
            )
        }
        if let codec, case .movie(let format)? = kind, format != .mp4 && format != .mkv {
            throw ValidationError("'--codec \(codec.rawValue)' is for .mp4 and .mkv.")
        }
        if codec == .ffv1, kind != .movie(.mkv) { throw ValidationError("'--codec ffv1' is for .mkv.") }
    }

    /// What the output is; `nil` where its name says nothing known.
    var kind: SequenceOutput.Kind? {
        if output == "-" { return .stream(outputFormat ?? .y4m) }
        return SequenceOutput.Kind(fileName: output)
    }
}

extension SequenceOutput.Kind {
    /// What a file's name asks for; `nil` where it says nothing known.
    init?(fileName: String) {
        if FramePattern(fileName) != nil {
            guard let format = PictureFormat(fileName: fileName) else { return nil }
            self = .frames(format)
        } else if fileName.pathExtension == "y4m" {
            self = .stream(.y4m)
        } else {
            guard let format = MovieFormat(fileName: fileName) else { return nil }
            self = .movie(format)
        }
    }
}

extension MovieCodec: ExpressibleByArgument {}
extension StreamFormat: ExpressibleByArgument {}
