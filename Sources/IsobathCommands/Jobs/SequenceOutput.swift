internal import Isobath
internal import Movies
internal import Sequences

/// What a stream holds, by ffmpeg's names.
enum StreamFormat: String, CaseIterable, Codable, Sendable {
    case y4m, rgb24, yuv420p, nv12, gray16le, grayf32le

    /// Whether it holds distances.
    var isDepth: Bool { self == .gray16le || self == .grayf32le }

    var format: PipeSink.Format {
        if let color = RawColorFormat(rawValue: rawValue) { return .color(color) }
        if let depth = RawDepthFormat(rawValue: rawValue) { return .depth(depth) }
        return .y4m
    }
}

/// What a movie says of itself, and how well it is coded.
struct MovieTags {
    var comment: String?
    /// In the codec's own scale.
    var quality: Int32?
}

/// Where the frames of a sequence go, as plain data.
struct SequenceOutput: Codable, Sendable {
    enum Kind: Codable, Equatable, Sendable {
        case movie(MovieFormat)
        case stream(StreamFormat)
        case frames(PictureFormat)
    }

    var path: String
    var kind: Kind
    var codec: MovieCodec?
    var quality: Int
    var existing: ExistingFiles

    /// The folders in which files are made.
    var folders: [String] { OutputFile.folders(of: path) }

    /// Throws where the output exists and may not be replaced, or is an input. `false` where it is left as it is.
    func prepare(keeping originals: Set<FileIdentity>) throws -> Bool {
        if case .frames = kind {
            try OutputFile.makeFolder(path.folderPath)
            return true
        }
        return try existing.wants(path, keeping: originals)
    }

    /// Calls `body` with a sink, and publishes what was written to it. Returns whether it was, and not left as it is.
    ///
    /// Movies get the sound of `source`.
    func write(
        _ source: any FrameSource, of input: String, rate: Double, tagging: MovieTags = MovieTags(),
        keeping originals: Set<FileIdentity>, _ reporter: Reporter, _ body: (any FrameSink) throws -> Void
    ) throws -> Bool {
        switch kind {
        case .frames(let format):
            try body(NumberedFrames(self, format, originals, reporter))
            return true
        case .stream(let format):
            return try publish(reporter, inOrder: true) { descriptor in
                try body(PipeSink(descriptor: descriptor, format: format.format, rate: rate))
            }
        case .movie(let format):
            return try publish(reporter, inOrder: false) { descriptor in
                let sink = MovieSink(
                    descriptor: descriptor, format: format, codec: codec, rate: rate,
                    quality: tagging.quality, comment: tagging.comment, sound: { source.sound })
                try body(sink)
                try sink.finish()
                switch sink.missingSound {
                case .codec(let codec):
                    reporter.remark(
                        "\(path) does not take sound in \(codec), which is left out; .mkv takes it", of: input
                    )
                case .unreadable(let reason):
                    reporter.fail(LostData("it has no sound: \(reason)"), ofInput: input)
                case nil: break
                }
            }
        }
    }

    /// Calls `body` with a descriptor, and publishes what it wrote. Returns whether it did, and did not leave a file as it is.
    func publish(
        _ reporter: Reporter, inOrder: Bool, _ body: (Int32) throws -> Void
    ) throws -> Bool {
        try existing.write(path, reporter) { file in try file.publish(inOrder: inOrder, body) }
    }
}

/// Writes each frame to a file of its own, counted from 1.
private final class NumberedFrames: FrameSink {
    private let output: SequenceOutput
    private let pattern: FramePattern?
    private let format: PictureFormat
    private let originals: Set<FileIdentity>
    private let reporter: Reporter
    private var number = 0

    init(
        _ output: SequenceOutput, _ format: PictureFormat, _ originals: Set<FileIdentity>,
        _ reporter: Reporter
    ) {
        (self.output, self.format, self.originals, self.reporter) = (output, format, originals, reporter)
        pattern = FramePattern(output.path)
    }

    func write(_ frame: inout RenderedFrame) throws {
        number += 1
        guard let path = pattern?.path(number: number) else { return }
        guard try output.existing.wants(path, keeping: originals) else { return reporter.countSkipped(path) }
        let raster: Raster
        if frame.picture.isEmpty {
            let factor = frame.codesPerUnit
            raster = Raster(
                width: frame.depth.width, height: frame.depth.height,
                samples: .gray16(frame.depth.samples.map { $0.depthCode(factor) }))
        } else {
            raster = Raster(
                width: frame.picture.width, height: frame.picture.height,
                samples: .color(.uint8(frame.picture.samples)))
        }
        let isWritten = try output.existing.write(path, reporter) { file in
            try file.write { (descriptor) throws(WriteError) in
                try raster.write(as: format, quality: output.quality, to: descriptor)
            }
        }
        if isWritten { reporter.countWritten(path) } else { reporter.countSkipped(path) }
    }
}
