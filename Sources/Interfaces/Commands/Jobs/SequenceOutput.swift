internal import Isobath
internal import Movies
internal import Scenes

/// The sample format of a stream, by ffmpeg's names.
enum StreamFormat: String, CaseIterable, Sendable {
    case y4m, rgb24, yuv420p, nv12, gray16le, grayf32le

    /// Whether it holds distances.
    var isDepth: Bool { self == .gray16le || self == .grayf32le }

    var format: PipeSink.Format {
        if let color = RawColorFormat(rawValue: rawValue) { return .color(color) }
        if let depth = RawDepthFormat(rawValue: rawValue) { return .depth(depth) }
        return .y4m
    }
}

/// The format of numbered frames: pictures, or depth.
enum FrameFormat: String, CaseIterable, Sendable {
    case png, jpeg, tiff, exr, pfm, npy

    /// The format that a file name's extension names.
    init?(fileName: String) {
        if let picture = PictureFormat(fileName: fileName) {
            self.init(rawValue: picture.rawValue)
        } else {
            guard let raster = RasterFormat(fileName: fileName) else { return nil }
            self.init(rawValue: raster.rawValue)
        }
    }

    var picture: PictureFormat? { PictureFormat(rawValue: rawValue) }
    var raster: RasterFormat? { RasterFormat(rawValue: rawValue) }
}

/// Where the frames of a sequence go, as plain data.
struct SequenceOutput: Sendable {
    enum Kind: Equatable, Sendable {
        case movie(MovieFormat)
        case stream(StreamFormat)
        case frames(FrameFormat)
    }

    var path: String
    var kind: Kind
    var codec: MovieCodec?
    var quality: Int
    var existing: ExistingFiles
    /// The quantity of values.
    var quantity = DepthQuantity.depth
    /// The encoding of integer samples in numbered depth frames.
    var values = PlaneExport.PNGStyle.millimeters

    /// The output of the frames of an input, named after it and `name` unless the destination is a file. `kind` is `nil` if
    /// nothing specifies it: a folder that is given then gets numbered images, and so does the current one if `numbered`
    /// names their format; otherwise the frames become a movie. Throws if the destination is a file of one picture.
    init(
        _ destination: OutputDestination, _ kind: Kind?, numbered: FrameFormat? = nil, named name: String,
        of file: Input, codec: MovieCodec?, quality: Int, existing: ExistingFiles
    ) throws {
        if kind == nil, let path = destination.file, path != "-" {
            throw Failure(
                "this is a recording, and '\(path.forTerminal)' is one picture; --frame N takes one of its frames; use .mp4, .mkv, .webp, .apng, .y4m or 'f-%04d.png' for all"
            )
        }
        let usual = numbered ?? (destination.isGivenFolder ? .png : nil)
        self.kind =
            kind ?? (destination.file != nil ? .stream(.y4m) : usual.map { .frames($0) } ?? .movie(.mp4))
        let (suffix, fileExtension) = self.kind.suffix(name)
        var file = file
        // A file name pattern has one number only.
        if case .frames = self.kind, file.stem.contains("%") {
            file.renaming = OutputRenaming(stem: file.stem.replacing("%", with: "_"), owner: "")
        }
        path = destination.named(suffix: suffix, fileExtension: fileExtension).path(for: file)
        (self.codec, self.quality, self.existing) = (codec, quality, existing)
    }

    /// Any output of frames.
    init(_ path: String, _ kind: Kind, codec: MovieCodec? = nil, quality: Int, existing: ExistingFiles) {
        (self.path, self.kind, self.codec, self.quality, self.existing) = (
            path, kind, codec, quality, existing
        )
    }

    /// Whether depth frames are normalized to 16 bits over the range of all frames.
    var isNormalized: Bool { kind == .frames(.png) && values == .normalized }

    /// Whether depth is written as integers of millimeters, whose range is short.
    var holdsMillimeters: Bool {
        switch kind {
        case .movie: true
        case .stream(let format): format != .grayf32le
        case .frames(let format): format == .png && values == .millimeters
        }
    }

    /// The folders where files are created.
    var folders: [String] { OutputFile.folders(of: path) }

    /// Returns `false` if an existing output is kept. Throws if the output exists and may not be replaced, or is an
    /// input.
    func prepare(keeping originals: Set<FileIdentity>) throws -> Bool {
        // A missing library is found before any work.
        if case .movie = kind { try MovieLibrary.load() }
        if case .frames = kind {
            try OutputFile.makeFolder(path.folderPath)
            return true
        }
        return try existing.wants(path, keeping: originals)
    }

    /// Calls `body` with a sink, and publishes the frames written to it. Returns `false` if an existing file was kept.
    ///
    /// Movies get the sound of `source`.
    func write(
        _ source: any SceneSequence, of input: String, rate: Double, range: ClosedRange<Float>? = nil,
        keeping originals: Set<FileIdentity>, _ reporter: Reporter,
        _ body: (any FrameSink) throws -> Void
    ) throws -> Bool {
        switch kind {
        case .frames(let format):
            let frames = NumberedFrames(self, format, originals, reporter)
            (frames.range, frames.description) = (range, source.description)
            try body(frames)
            return true
        case .stream(let format):
            return try publish(reporter, inOrder: true) { descriptor in
                try body(PipeSink(descriptor: descriptor, format: format.format, rate: rate))
            }
        case .movie(let format):
            return try publish(reporter, inOrder: false) { descriptor in
                let sink = MovieSink(
                    descriptor: descriptor, format: format, codec: codec, rate: rate, sound: { source.sound })
                try body(sink)
                try sink.finish()
                switch sink.missingSound {
                case .codec(let codec):
                    reporter.remark(
                        "\(path) cannot hold sound in \(codec), so the sound is omitted; .mkv can", of: input
                    )
                case .unreadable(let reason):
                    reporter.fail(Failure("it has no sound: \(reason)"), ofInput: input)
                case nil: break
                }
            }
        }
    }

    /// Calls `body` with a descriptor, and publishes the bytes written to it. Returns `false` if an existing file was
    /// kept.
    func publish(
        _ reporter: Reporter, inOrder: Bool, _ body: (Int32) throws -> Void
    ) throws -> Bool {
        try existing.write(path, reporter) { file in try file.publish(inOrder: inOrder, body) }
    }
}

/// Writes each frame to a separate file, numbered by its index in the sequence.
private final class NumberedFrames: FrameSink {
    private let output: SequenceOutput
    private let pattern: FramePattern?
    private let format: FrameFormat
    private let originals: Set<FileIdentity>
    private let reporter: Reporter
    /// The range of normalized depth.
    var range: ClosedRange<Float>?
    /// The description of the source: depth has its unit and its camera.
    var description = SceneDescription()

    init(
        _ output: SequenceOutput, _ format: FrameFormat, _ originals: Set<FileIdentity>,
        _ reporter: Reporter
    ) {
        (self.output, self.format, self.originals, self.reporter) = (output, format, originals, reporter)
        pattern = FramePattern(output.path)
    }

    func write(_ frame: inout RenderedFrame) throws {
        guard let path = pattern?.path(number: frame.index) else { return }
        guard try output.existing.wants(path, keeping: originals) else { return reporter.countSkipped(path) }
        let (raster, quality) = (raster(frame), output.quality)
        _ = try output.existing.save(path, reporter) { file in
            try file.write { (descriptor) throws(WriteError) in
                if let picture = format.picture, frame.depth.isEmpty || format.raster == nil {
                    try raster.write(as: picture, quality: quality, to: descriptor)
                } else if let format = format.raster {
                    try raster.write(as: format, to: descriptor)
                }
            }
        }
    }

    private func raster(_ frame: RenderedFrame) -> Raster {
        guard frame.picture.isEmpty else {
            return Raster(
                width: frame.picture.width, height: frame.picture.height,
                samples: .color(.uint8(frame.picture.samples)))
        }
        if output.quantity == .disparity {
            return (map(frame) as DisparityMap).raster(for: format.raster ?? .png, over: range)
        }
        let depth: DepthMap = map(frame)
        return output.holdsMillimeters
            ? depth.integers() : depth.raster(for: format.raster ?? .png, over: range)
    }

    private func map<Map: FloatPlane>(_ frame: RenderedFrame) -> Map {
        Map(
            width: frame.depth.width, height: frame.depth.height, samples: frame.depth.samples,
            scale: description.depth?.scale ?? .unitless, calibration: description.calibrationOfFrame)
    }
}
