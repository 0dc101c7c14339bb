internal import ArgumentParser
internal import Isobath
internal import Movies

extension OutputOptions {
    /// The meaning of `--format` and the output's name: the format of a still picture, or the form of frames. Both are
    /// `nil` if neither is given.
    func formats<Still: NamedFormat>(
        _ type: Still.Type = Still.self, for product: String
    ) throws -> (still: Still?, frames: SequenceOutput.Kind?) {
        if let file, FramePattern.hasSeveralPlaces(file) {
            throw ValidationError("'\(file.forTerminal)' has two numbers, such as %04d; frames have one")
        }
        if let file, FramePattern(file) != nil {
            let named = FrameFormat(fileName: file)
            let given = try format.map { try frameFormat($0) }
            if let named, let given, named != given { throw disagreement(file) }
            guard let found = given ?? named else {
                throw ValidationError(
                    "'\(file.forTerminal)' has no extension of pictures; use one such as 'f-%04d.png', or --format"
                )
            }
            return (nil, .frames(found))
        }
        if let file, file != "-", let kind = SequenceOutput.Kind(movieName: file) {
            if let format, SequenceOutput.Kind(formatName: format) != kind { throw disagreement(file) }
            return (nil, kind)
        }
        if let format, Still(argument: format) == nil {
            guard let kind = SequenceOutput.Kind(formatName: format) else {
                let stills = Still.allCases.map(\.argumentName)
                throw ValidationError(
                    "--format is '\(format.forTerminal)'; it must be \(Self.list(stills)) for \(product), or \(Self.list(SequenceOutput.Kind.formatNames)) for frames"
                )
            }
            if let file, file != "-" { throw disagreement(file) }
            if case .movie = kind, file == "-" {
                throw ValidationError(
                    "--format \(format) needs a file: a movie cannot be written to standard output; y4m can")
            }
            if case .stream = kind, file == nil {
                throw ValidationError("--format \(format) is for -o -; a file of frames is .y4m")
            }
            return (nil, kind)
        }
        if let file, file != "-", Still(fileName: file) == nil, format == nil {
            let stills = Still.allCases.map { ".\($0.fileExtension)" }
            let problem =
                PictureFormat(fileName: file) == nil
                ? "has no known extension" : "cannot hold the values of \(product)"
            throw ValidationError(
                "'\(file.forTerminal)' \(problem); use \(Self.list(stills)) for \(product); .mp4, .mkv, .webp, .apng, .y4m or 'f-%04d.png' for frames; or --format\(file.folderHint)"
            )
        }
        return (try format(Still.self, for: product), nil)
    }

    private func disagreement(_ file: String) -> ValidationError {
        ValidationError(
            "--format is \((format ?? "").forTerminal), and the name of the output is '\(file.forTerminal)'; give one of them"
        )
    }

    private func frameFormat(_ name: String) throws -> FrameFormat {
        guard let format = FrameFormat(rawValue: name == "jpg" ? "jpeg" : name == "tif" ? "tiff" : name)
        else {
            throw ValidationError(
                "--format is '\(name.forTerminal)'; numbered frames are \(Self.list(FrameFormat.allCases.map(\.rawValue)))"
            )
        }
        return format
    }
}

extension SequenceOutput.Kind {
    /// The names of movies and streams in `--format`.
    static var formatNames: [String] {
        MovieFormat.allCases.map(\.rawValue) + StreamFormat.allCases.map(\.rawValue)
    }

    /// A movie or a stream by its name in `--format`.
    init?(formatName: String) {
        if let movie = MovieFormat(rawValue: formatName) {
            self = .movie(movie)
        } else {
            guard let stream = StreamFormat(rawValue: formatName) else { return nil }
            self = .stream(stream)
        }
    }

    /// The form of frames that a file name's extension specifies: a movie, or y4m. `.png` is a still picture, `.apng`
    /// an animated one.
    init?(movieName: String) {
        switch movieName.pathExtension {
        case "y4m": self = .stream(.y4m)
        case "png": return nil
        default:
            guard let format = MovieFormat(fileName: movieName) else { return nil }
            self = .movie(format)
        }
    }

    /// The text between stem and extension, and the extension, of files named after their inputs.
    func suffix(_ kind: String) -> (suffix: String, fileExtension: String) {
        switch self {
        case .movie(let format): ("-\(kind)", format.rawValue)
        case .stream: ("-\(kind)", "y4m")
        case .frames(let format): ("-\(kind)-%05d", format == .jpeg ? "jpg" : format.rawValue)
        }
    }
}
