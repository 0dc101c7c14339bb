package import ByteParsing

/// What delivers frames in order: a recording, a movie, a pipe.
///
/// Reading a frame takes two steps, so that frames that are not wanted cost next to nothing:
///
/// ```swift
/// while let time = try source.advance() {
///     guard time >= start else { continue }
///     try source.read([.color, .depth], into: &frame)
/// }
/// ```
///
/// A source is used by one thread at a time.
package protocol FrameSource: AnyObject, Sendable {
    /// What is known before any frame is read.
    var description: SequenceDescription { get }

    /// Opens what these parts of frames need besides the source itself. Throws where that cannot be opened: then no frame has them.
    func prepare(_ parts: FrameParts) throws

    /// Goes to the next frame, and returns its time: seconds since the first frame. `nil` after the last one.
    ///
    /// Frames whose files are missing are skipped, and frames of a source that is cut off end it: ``diagnostics`` say both. Throws
    /// where nothing more can be read.
    func advance() throws -> Double?

    /// Goes to any frame, so that the next ``read(_:into:)``, and further ones, decode parts of it. Returns `false`, and does nothing,
    /// where frames come in order only.
    func seek(to index: Int) throws -> Bool

    /// Decodes parts of the frame that ``advance()`` went to, once. Index, time, pose and calibration are always filled in; planes
    /// that are not asked for, or that the frame does not have, are left empty.
    ///
    /// Buffers of `frame` are used again: after the first frames nothing is allocated. Throws where the frame cannot be decoded;
    /// the next one may still be.
    func read(_ parts: FrameParts, into frame: inout SequenceFrame) throws

    /// What is wrong with the source or was assumed of it, so far.
    var diagnostics: [Diagnostic] { get }

    /// The sound that goes with it; `nil` where there is none. Known once the first frame is read.
    var sound: SequenceSound? { get }
}

extension FrameSource {
    package var sound: SequenceSound? { nil }

    package func seek(to index: Int) throws -> Bool { false }

    package func prepare(_ parts: FrameParts) throws {}
}
