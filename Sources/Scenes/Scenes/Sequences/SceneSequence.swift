package import Bytes

/// Scenes in temporal order: the frames of a recording, a movie, a pipe or numbered pictures, or a single photo.
///
/// Reading a frame takes two steps, so that unwanted frames cost almost nothing:
///
/// ```swift
/// while let time = try sequence.advance() {
///     guard time >= start else { continue }
///     try sequence.begin([.picture, .depth], into: &planes)
///     try sequence.finish([.picture, .depth], of: sequence.describe(), into: &planes)
/// }
/// ```
///
/// One thread at a time goes forward and begins frames; ``SceneLoop`` does it.
package protocol SceneSequence: AnyObject, Sendable {
    /// What the frames have in common, and the camera of the first one. Available before any frame is read.
    var description: SceneDescription { get }

    /// The only scene of a photo, a raster or a pair; `nil` for frames.
    var still: DepthScene? { get }

    /// The kind of the sequence, and its extent in time.
    var extent: SequenceExtent { get }

    /// Opens the files that these planes need besides the sequence itself. Throws if they cannot be opened; then no frame has
    /// these planes.
    func prepare(_ planes: Set<PlaneID>) throws

    /// Advances to the next frame, and returns its time: seconds since the first frame. `nil` after the last one.
    ///
    /// Frames with missing files are skipped, and a sequence that is cut off ends early; ``diagnostics`` report both. Throws if
    /// nothing more can be read.
    func advance() throws -> Double?

    /// The description of the frame that ``advance()`` moved to, with its index, time, pose, camera and lens.
    func describe() -> SceneDescription

    /// Decodes planes of that frame, once: all of them, or those that must be decoded in the order of frames. `frame` is empty
    /// before, and planes that the frame lacks stay so. Its memory is reused: after the first frames nothing is allocated.
    ///
    /// Throws if the frame cannot be decoded; the next one may still be.
    func begin(_ planes: Set<PlaneID>, into frame: inout FramePlanes) throws

    /// Decodes the other planes of a frame that was begun, also if that failed. May be called for several frames at once.
    func finish(
        _ planes: Set<PlaneID>, of description: SceneDescription, into frame: inout FramePlanes) throws

    /// How many frames may be finished at once, within the limit of memory; 1 if there is nothing to finish.
    var framesAtOnce: Int { get }

    /// Defects and assumptions so far.
    var diagnostics: [Diagnostic] { get }

    /// The same frames from the first one; `nil` if they can be read only once.
    func restarted() -> (any SceneSequence)?

    /// The sound of the sequence; `nil` if missing. Known once the first frame is read.
    var sound: SequenceSound? { get }
}

extension SceneSequence {
    package var still: DepthScene? { nil }
    package var sound: SequenceSound? { nil }
    package var framesAtOnce: Int { 1 }

    package func prepare(_ planes: Set<PlaneID>) throws {}

    package func restarted() -> (any SceneSequence)? { nil }

    package func finish(
        _ planes: Set<PlaneID>, of description: SceneDescription, into frame: inout FramePlanes
    ) {}
}

/// The kind of a sequence, and its extent in time.
package struct SequenceExtent: Hashable, Sendable {
    /// The kind of sequence, such as `TUM RGB-D`, `Matroska` or `y4m`.
    package var title: String
    /// The number of frames; `nil` if it is known only after reading.
    package var frameCount: Int?
    /// How many further frames are listed with missing files.
    package var missingCount = 0
    /// Seconds from the first frame to the last; `nil` if it is known only after reading.
    package var seconds: Double?
    /// The nominal rate, in frames per second; `nil` if not stated. The times of frames take precedence.
    package var rate: Double?

    /// Only the kind is known.
    package init(_ title: String) { self.title = title }
}

extension [Diagnostic] {
    /// Diagnostics that concern an existing frame, without diagnostics about missing frames.
    package var ofFrame: [Diagnostic] { filter { $0.code != .missingFiles && $0.code != .cutOff } }
}

extension Diagnostic.Code {
    /// Listed frames have no files.
    package static let missingFiles: Self = "missing-files"
    /// A sequence ends before its end is declared.
    package static let cutOff: Self = "cut-off"
}
