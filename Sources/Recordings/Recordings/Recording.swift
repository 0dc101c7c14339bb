public import Bytes
public import DepthTypes
package import Embedded
public import Scenes
package import Sequences

/// A recording of color, depth and poses, or a movie with depth: scenes in temporal order.
///
/// Each frame is a ``DepthScene``, upright, which every effect takes:
///
/// ```swift
/// let recording = try Recording(contentsOf: "capture.r3d")
/// try recording.scene(at: 12).blurred().write(to: "soft.jpg")
/// for frame in recording.frames(from: 0, to: 5) {
///     print(frame.description.time ?? 0, try frame.depth().meters.filter(\.isFinite).min() ?? .nan)
/// }
/// ```
///
/// ``SceneDescription/index``, ``SceneDescription/time`` and ``SceneDescription/pose`` identify a frame and its viewpoint.
public struct Recording: Sendable {
    /// The two kinds of recordings.
    package enum Content: Sendable {
        /// Each frame is listed, and may be read in any order.
        case listed(ListedRecording)
        /// Frames come in order.
        case movie(MovieRecording)
    }

    package let content: Content
    private let reader: FrameReader

    /// Opens a recording, recognized by its contents: a folder, a file, a movie, or a pattern of numbered depth images such
    /// as `depth-%04d.png`. A folder may also hold exactly one recording, at most two levels below. Reads lists and headers,
    /// but no pixels.
    ///
    /// - Parameters:
    ///   - reading: Information that the recording does not declare. ``RasterInterpretation/scale``, the focal length,
    ///     the principal point and the path of color pictures are used.
    ///   - topics: The topics of a ROS bag to read, by their names: of depth, pictures or poses. Others are chosen by type
    ///     and name.
    /// - Throws: ``ContainerError``, with the path, if this is not a readable recording, or a bag without such a topic,
    ///   ``RecordingError/severalRecordings(_:)``, ``RecordingError/noTopics``, and an error of FFmpeg's libraries for a
    ///   movie that they do not open.
    public init(
        contentsOf path: String, reading: RasterInterpretation = RasterInterpretation(),
        topics: [String] = [], limits: DecodingLimits = DecodingLimits()
    ) throws {
        var reading = RecordingReading(reading)
        reading.topics = topics
        let content = try opening(path) { try Content(contentsOf: path, reading: reading, limits: limits) }
        guard topics.isEmpty || content.isBag else { throw RecordingError.noTopics }
        self.init(content)
    }

    /// A recording that is open.
    package init(_ content: Content) {
        self.content = content
        reader = FrameReader { try content.frames(isUpright: true) }
    }

    /// How many frames there are.
    public var frameCount: Int {
        switch content {
        case .listed(let recording): recording.frames.count
        case .movie(let movie): movie.description.frameCount ?? 0
        }
    }

    /// Seconds from the first frame to the last; `nil` if the recording has no times.
    public var seconds: Double? {
        switch content {
        case .listed(let recording): recording.seconds
        case .movie(let movie): movie.description.seconds
        }
    }

    /// The time of each frame, in seconds since the first. Decodes nothing, but reads a movie to its end.
    ///
    /// - Throws: ``ContainerError`` for a movie of more frames than the limit, and an error of FFmpeg's libraries.
    public func times() throws -> [Double] {
        switch content {
        case .listed(let recording): recording.frames.map { $0.time ?? 0 }
        case .movie(let movie): try movie.times()
        }
    }

    /// The pose of each frame, turned upright like the frame; `nil` if unknown, as after tracking was lost and in movies.
    public var poses: [CameraPose?] {
        switch content {
        case .listed(let recording):
            let quarters = (recording.orientation ?? .up).quarterTurns
            return recording.frames.map { $0.pose?.turned(quarters: quarters) }
        case .movie: return [CameraPose?](repeating: nil, count: frameCount)
        }
    }

    /// Defects and assumptions.
    public var diagnostics: [Diagnostic] {
        switch content {
        case .listed(let recording): recording.diagnostics
        case .movie(let movie): movie.diagnostics
        }
    }

    /// A frame as a scene. Decodes nothing, unless the size of its depth is known only after decoding.
    ///
    /// A scene stays valid as long as it is referenced. Going back in a movie decodes it from its start.
    ///
    /// - Throws: ``RecordingError/noFrame(_:count:)`` if `index` is not in `0..<frameCount`.
    public func scene(at index: Int) throws -> DepthScene {
        guard (0..<frameCount).contains(index) else {
            throw RecordingError.noFrame(index, count: frameCount)
        }
        return scene(at: index, from: reader)
    }

    /// The frames in temporal order, from `start` to `end`, in seconds since the first frame, both included.
    ///
    /// Each is decoded when its planes are read. Their memory is reused for the next frame, unless the scene is retained.
    /// Planes of a damaged frame throw its error.
    public func frames(from start: Double = 0, to end: Double = .infinity) -> some Sequence<DepthScene> {
        let reader = FrameReader { [content] in try content.frames(isUpright: true) }
        return sequence(state: 0) { (index: inout Int) -> DepthScene? in
            while index < frameCount {
                defer { index += 1 }
                let frame = scene(at: index, from: reader)
                let time = frame.description.time ?? start
                if time > end { return nil }
                if time >= start { return frame }
            }
            return nil
        }
    }

    /// A frame of a sequential source, as a scene. All parts of the frame are read. The source is at that frame
    /// afterwards.
    ///
    /// - Throws: ``RecordingError/noFrame(_:count:)`` if the source ends before this frame, and errors of reading.
    package static func scene(at index: Int, of source: any FrameSource) throws -> DepthScene {
        let reader = FrameReader { source }
        let head = try reader.head(at: index)
        let sequence = try reader.description()
        let planes = try reader.read(.everything, at: index)
        let description = SceneDescription(
            head, with: planes.parts.intersection(sequence.parts), of: sequence)
        return DepthScene(frame: description, diagnostics: ofFrame(source.diagnostics)) { _ in planes }
    }

    /// Diagnostics that concern an existing frame, without diagnostics about missing frames.
    private static func ofFrame(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        diagnostics.filter { $0.code != .missingFiles && $0.code != .cutOff }
    }

    private func scene(at index: Int, from reader: FrameReader) -> DepthScene {
        DepthScene(frame: describe(at: index, from: reader), diagnostics: Self.ofFrame(diagnostics)) {
            try reader.read($0, at: index)
        }
    }

    private func describe(at index: Int, from reader: FrameReader) -> SceneDescription {
        guard let sequence = try? reader.description(), let head = try? reader.head(at: index) else {
            // The frame cannot be reached: its planes throw the reason.
            var description = SceneDescription()
            description.index = index
            return description
        }
        let parts = content.parts(at: index, of: sequence)
        var description = SceneDescription(head, with: parts, of: sequence)
        if parts.contains(.depth), description.depth == nil, let read = try? reader.read(.depth, at: index) {
            description.depth = .init(size: read.frame.depth.size, quantity: .depth, scale: head.scale)
        }
        return description
    }
}

extension Recording.Content {
    /// Opens a recording, or a movie. Throws as ``Recording/init(contentsOf:reading:topics:limits:)``, except for
    /// topics that have no effect.
    package init(contentsOf path: String, reading: RecordingReading, limits: DecodingLimits) throws {
        if MovieRecording.isMovie(path) {
            self = .movie(try MovieRecording(contentsOf: path, reading: reading, limits: limits))
            return
        }
        do {
            self = .listed(try ListedRecording(contentsOf: path, reading: reading, limits: limits))
        } catch let error as ContainerError where error == ListedRecording.unrecognized {
            guard let file = MovieRecording.onlyOne(inFolder: path, limits: limits) else { throw error }
            self = .movie(try MovieRecording(contentsOf: file, reading: reading, limits: limits))
        }
    }

    /// The frames from the first on, as stored or turned upright by gravity if the poses allow it.
    package func frames(isUpright: Bool) throws -> any FrameSource {
        switch self {
        case .listed(let recording): RecordingFrames(recording, isUpright: isUpright)
        case .movie(let movie): try movie.frames()
        }
    }

    /// The parts that a frame has.
    fileprivate func parts(at index: Int, of sequence: SequenceDescription) -> FrameParts {
        if case .listed(let recording) = self { recording.frames[index].parts } else { sequence.parts }
    }

    /// Whether it has topics.
    fileprivate var isBag: Bool {
        if case .listed(let recording) = self { recording.topics != nil } else { false }
    }

    /// The recording in the schema `isobath.recording/1`; `describing` formats the lines of `warnings`. Decodes nothing.
    package func record(
        path: String, describing: (Diagnostic) -> String = { $0.description }
    ) -> JSONValue {
        switch self {
        case .listed(let recording): recording.record(path: path, describing: describing)
        case .movie(let movie): movie.record(path: path, describing: describing)
        }
    }
}
