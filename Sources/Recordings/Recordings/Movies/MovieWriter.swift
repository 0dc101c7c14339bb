internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Movies
public import Scenes

/// Writes pictures as a movie, without sound.
///
/// ```swift
/// try MovieWriter.write(to: "soft.mp4", rate: 30) { movie in
///     for frame in recording.frames() {
///         try movie.append(frame.blurred(), at: frame.description.time)
///     }
/// }
/// ```
public final class MovieWriter {
    private let path: String
    private let rate: Double
    private let sink: any FrameSink
    private var frame = RenderedFrame()
    /// How many pictures are in the movie so far.
    public private(set) var frameCount = 0

    private init(_ path: String, _ rate: Double, _ sink: any FrameSink) {
        (self.path, self.rate, self.sink) = (path, rate, sink)
    }

    /// Calls `body` with a movie to add pictures to. The complete file appears when `body` returns, and not if it throws.
    ///
    /// The path's extension determines the format: `.mp4` (H.264), `.mkv`, `.webp` or `.apng`, which need FFmpeg's libraries;
    /// `.gif`, with a palette from the first picture; or `.y4m`. An odd row or column of pixels is cropped if chroma has half
    /// the size (`.mp4`, `.mkv`, `.webp`).
    ///
    /// - Parameters:
    ///   - rate: The nominal number of frames a second, 0.01...1000.
    ///   - replacingExisting: Whether an existing file is replaced.
    /// - Throws: ``OutputError`` if the extension is unknown, `rate` is out of range, the file exists and is not to be
    ///   replaced, no picture was added, or the file cannot be written; an error of FFmpeg's libraries; and errors of `body`.
    public static func write(
        to path: String, rate: Double, replacingExisting: Bool = false,
        _ body: (MovieWriter) throws -> Void
    ) throws {
        guard (0.01...1000).contains(rate) else {
            throw OutputError(path, .unsuitable("frame rate is \(rate), not 0.01 to 1000 a second"))
        }
        let file = OutputFile(path: path, replacesExisting: replacingExisting)
        try file.checkIsFree()
        func fill(_ sink: some FrameSink) throws {
            let movie = MovieWriter(path, rate, sink)
            try body(movie)
            guard movie.frameCount > 0 else { throw OutputError(path, .unsuitable("no picture was added")) }
        }
        switch path.pathExtension {
        case "gif":
            try file.publish(inOrder: true) { descriptor in
                let sink = GIFSink(descriptor: descriptor, rate: rate)
                try fill(sink)
                try sink.finish()
            }
        case "y4m":
            try file.publish(inOrder: true) { descriptor in
                try fill(PipeSink(descriptor: descriptor, format: .y4m, rate: rate))
            }
        default:
            guard let format = MovieFormat(fileName: path) else {
                throw OutputError(path, .unknownFormat(known: ".mp4, .mkv, .webp, .apng, .gif and .y4m"))
            }
            try file.publish(inOrder: false) { descriptor in
                let sink = MovieSink(descriptor: descriptor, format: format, codec: nil, rate: rate)
                try fill(sink)
                try sink.finish()
            }
        }
    }

    /// Adds a picture, converted to 8-bit sRGB. All pictures of a movie must have the same size.
    ///
    /// - Parameter time: When it is shown, in seconds, later than the one before it. The movie begins with the first picture.
    ///   `nil`, and formats without times (`.gif`, `.y4m`), use the rate.
    /// - Throws: ``OutputError`` if the picture may be transparent, differs in size from the first one, or is not later than
    ///   the one before.
    public func append(_ picture: Picture, at time: Double? = nil) throws {
        func unsuitable(_ text: String) -> OutputError { OutputError(path, .unsuitable(text)) }
        guard picture.isOpaque else { throw unsuitable("a movie holds no transparency") }
        guard frameCount == 0 || picture.size == frame.picture.size else {
            throw unsuitable(
                "picture \(frameCount + 1) has \(picture.size) pixels, and the first one \(frame.picture.size)"
            )
        }
        let time = time ?? Double(frameCount) / rate
        guard time.isFinite, abs(time) <= FrameTimes.longest, frameCount == 0 || time > frame.time else {
            throw unsuitable("picture \(frameCount + 1) is not later than the one before")
        }
        let color = picture.color
        let image = color.colorProfile.isEmpty ? color : try color.converted(toProfile: [])
        (frame.index, frame.time) = (frameCount, time)
        frame.picture = FramePlane(
            width: image.width, height: image.height, samples: image.eightBitPixels)
        try sink.write(&frame)
        frameCount += 1
    }
}
