package import DepthTypes
internal import Scenes

/// A frame of a recording, before anything is decoded.
///
/// A frame needs about 600 bytes, so a million frames fit into memory.
package struct RecordedFrame: Sendable {
    /// Its number in the recording; numbers may have gaps.
    package var number: Int
    /// Seconds. The stored time while the recording is being read, afterwards the time since its first frame.
    package var time: Double?
    /// The depth; `nil` if missing.
    var depth: (any FramePart)?
    /// The color picture; `nil` if missing, or if it is in a movie.
    var color: (any FramePart)?
    /// The parts in the recording's movie; `nil` if none are.
    var movie: MoviePart?
    /// How far each depth sample can be trusted.
    var confidence: (any FramePart)?
    /// The pixels of the subject.
    var matte: (any FramePart)?
    /// The camera's pose; `nil` if unknown, as after tracking was lost.
    package var pose: CameraPose?
    /// The camera, in pixels of the recording's ``Recording/cameraFrame``; `nil` if all frames have the same.
    package var intrinsics: Intrinsics?

    /// Whether parts of the frame are in a movie.
    package var isInMovie: Bool { movie != nil }

    /// Whether the frame has a color picture, in a separate file or in a movie.
    package var hasColor: Bool { color != nil || movie?.planes.contains(.picture) ?? false }

    /// Whether the frame has depth, in a separate file or in a movie.
    package var hasDepth: Bool { depth != nil || movie?.planes.contains(.depth) ?? false }

    /// The planes that it has.
    var planes: Set<PlaneID> {
        var planes = movie?.planes ?? []
        if color != nil { planes.insert(.picture) }
        if depth != nil { planes.insert(.depth) }
        if confidence != nil { planes.insert(.confidence) }
        if matte != nil { planes.insert(.matte) }
        return planes
    }

    init(number: Int, time: Double? = nil) {
        self.number = number
        self.time = time
    }
}
