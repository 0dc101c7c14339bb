package import DepthMaps
package import DepthTypes

/// One frame of a recording, movie or pipe: a scene at a time. Upright.
///
/// A frame is a set of buffers that a ``FrameSource`` fills repeatedly, so it is passed along and handed back, not copied.
package struct SequenceFrame: Sendable {
    /// The index of the frame in its source, from 0; skipped frames are included.
    package var index = 0
    /// Seconds since the first frame.
    package var time = 0.0
    /// The picture, sRGB, 8 bits a sample; empty if missing.
    package var color = FramePlane<RGB<UInt8>>()
    /// The picture of the right eye, of the same size, where ``color`` is that of the left one; empty if the source has one eye.
    package var right = FramePlane<RGB<UInt8>>()
    /// Distances along the optical axis in the unit of ``scale``, `nan` where unknown; empty if missing. Registered to
    /// the picture: both show the same view, possibly at different sizes.
    package var depth = FramePlane<Float>()
    package var scale = DepthScale.unitless
    /// How far each sample of ``depth`` can be trusted, on its grid: 0 low, 1 medium, 2 high; empty if unknown.
    package var confidence = FramePlane<UInt8>()
    /// The subject's fraction of each pixel, 0…255, possibly at another size than the picture; empty if missing.
    package var matte = FramePlane<UInt8>()
    /// The fraction of skin, like ``matte``.
    package var skin = FramePlane<UInt8>()
    /// The fraction of sky, like ``matte``.
    package var sky = FramePlane<UInt8>()
    /// The camera's pose; `nil` if unknown, and if tracking was lost.
    package var pose: CameraPose?
    /// The camera of ``depth``, and of ``color`` if both have the same. Scale it to a plane's size, since its reference frame
    /// may have another. `nil` if unknown.
    package var calibration: CameraCalibration?
    /// The lens, as a movie in Cinematic mode states it for the frame; `nil` for other sources.
    package var lens: RecordedLens?

    package init() {}

    /// Empties the frame, and keeps its memory.
    package mutating func clear() {
        color.clear()
        right.clear()
        depth.clear()
        confidence.clear()
        matte.clear()
        skin.clear()
        sky.clear()
        (index, time, scale, pose, calibration, lens) = (0, 0, .unitless, nil, nil, nil)
    }

    /// The parts that it has.
    package var parts: FrameParts {
        var parts: FrameParts = []
        if !color.isEmpty { parts.insert(.color) }
        if !right.isEmpty { parts.insert(.right) }
        if !depth.isEmpty { parts.insert(.depth) }
        if !confidence.isEmpty { parts.insert(.confidence) }
        if !matte.isEmpty { parts.insert(.matte) }
        return parts
    }

    /// Copies parts of another frame, without the memory that it keeps for the next one.
    package mutating func take(_ parts: FrameParts, of other: SequenceFrame) {
        if parts.contains(.color) { color = other.color.alone }
        if parts.contains(.right) { right = other.right.alone }
        if parts.contains(.depth) { depth = other.depth.alone }
        if parts.contains(.confidence) { confidence = other.confidence.alone }
        if parts.contains(.matte) { matte = other.matte.alone }
        if parts.contains(.skin) { skin = other.skin.alone }
        if parts.contains(.sky) { sky = other.sky.alone }
    }

    /// The property with the matte of a kind; `nil` for kinds that frames never have.
    package static func matte(_ kind: PlaneKind) -> WritableKeyPath<SequenceFrame, FramePlane<UInt8>>? {
        switch kind {
        case .matte: \.matte
        case .skin: \.skin
        case .sky: \.sky
        default: nil
        }
    }
}

/// The parts of a frame to decode.
package struct FrameParts: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The picture.
    package static let color = FrameParts(rawValue: 1)
    package static let depth = FrameParts(rawValue: 2)
    /// The confidence of the depth.
    package static let confidence = FrameParts(rawValue: 4)
    /// The matte of the subject.
    package static let matte = FrameParts(rawValue: 8)
    /// The picture of the right eye.
    package static let right = FrameParts(rawValue: 16)
    /// The matte of skin.
    package static let skin = FrameParts(rawValue: 32)
    /// The matte of the sky.
    package static let sky = FrameParts(rawValue: 64)
    /// Everything that a frame can have.
    package static let everything: FrameParts = [.all, .right, .matte, .skin, .sky]

    /// The matte of a kind; empty for kinds that frames never have.
    package static func matte(_ kind: PlaneKind) -> FrameParts {
        switch kind {
        case .matte: .matte
        case .skin: .skin
        case .sky: .sky
        default: []
        }
    }
    /// Everything that sensors measure.
    package static let all: FrameParts = [.color, .depth, .confidence]
}
