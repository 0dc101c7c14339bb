package import Bytes

/// Delivers frames in order: a recording, a movie, a pipe.
///
/// Reading a frame takes two steps, so that unwanted frames cost almost nothing:
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
    /// The description of the sequence, available before any frame is read.
    var description: SequenceDescription { get }

    /// Opens the files that these parts of frames need besides the source itself. Throws if they cannot be opened; then
    /// no frame has these parts.
    func prepare(_ parts: FrameParts) throws

    /// Advances to the next frame, and returns its time: seconds since the first frame. `nil` after the last one.
    ///
    /// Frames with missing files are skipped, and a source that is cut off ends early; ``diagnostics`` report both. Throws if
    /// nothing more can be read.
    func advance() throws -> Double?

    /// Decodes parts of the frame that ``advance()`` moved to, once. Index, time, pose and calibration are always set; planes
    /// that are not requested, or that the frame lacks, are left empty.
    ///
    /// Reuses the buffers of `frame`: after the first frames nothing is allocated. Throws if the frame cannot be decoded; the
    /// next one may still be.
    func read(_ parts: FrameParts, into frame: inout SequenceFrame) throws

    /// Defects and assumptions so far.
    var diagnostics: [Diagnostic] { get }

    /// The sound of the source; `nil` if missing. Known once the first frame is read.
    var sound: SequenceSound? { get }
}

extension FrameSource {
    package var sound: SequenceSound? { nil }

    package func prepare(_ parts: FrameParts) throws {}
}
