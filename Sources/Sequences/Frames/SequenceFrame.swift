package import DepthCore
package import DepthModel

/// One frame of a recording, movie or pipe: a scene at a time. Upright.
///
/// A frame is a set of buffers that a ``FrameSource`` fills again and again, so it is passed on and handed back, not copied.
package struct SequenceFrame: Sendable {
    /// Which frame of the source it is, from 0; frames that were left out are counted.
    package var index = 0
    /// Seconds since the first frame.
    package var time = 0.0
    /// The picture, sRGB, 8 bits a sample; empty where there is none.
    package var color = FramePlane<RGB<UInt8>>()
    /// Distances along the optical axis in the unit of ``scale``, `nan` where unknown; empty where there are none. Registered to
    /// the picture: both show the same view, at their own sizes.
    package var depth = FramePlane<Float>()
    /// What values of ``depth`` mean.
    package var scale = DepthScale.unitless
    /// How far each sample of ``depth`` can be trusted, on its grid: 0 low, 1 medium, 2 high; empty where nothing says so.
    package var confidence = FramePlane<UInt8>()
    /// Which share of each pixel is the subject's, 0…255, at its own size; empty where the source has no mattes.
    package var matte = FramePlane<UInt8>()
    /// Where the camera stood; `nil` where that is unknown, and where tracking was lost.
    package var pose: CameraPose?
    /// The camera that saw ``depth``, and ``color`` where both have one camera; scale it to a plane's size, since its reference
    /// frame may have another. `nil` where it is unknown.
    package var calibration: CameraCalibration?

    /// A frame without anything in it.
    package init() {}

    /// Empties the frame, and keeps its memory.
    package mutating func clear() {
        color.clear()
        depth.clear()
        confidence.clear()
        matte.clear()
        (index, time, scale, pose, calibration) = (0, 0, .unitless, nil, nil)
    }

    /// Takes parts of another frame, without the memory that it keeps for the next one.
    package mutating func take(_ parts: FrameParts, of other: SequenceFrame) {
        if parts.contains(.color) { color = other.color.alone }
        if parts.contains(.depth) { depth = other.depth.alone }
        if parts.contains(.confidence) { confidence = other.confidence.alone }
        if parts.contains(.matte) { matte = other.matte.alone }
    }
}

/// Which parts of a frame are decoded.
package struct FrameParts: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The picture.
    package static let color = FrameParts(rawValue: 1)
    /// The depth.
    package static let depth = FrameParts(rawValue: 2)
    /// The confidence of the depth.
    package static let confidence = FrameParts(rawValue: 4)
    /// The matte.
    package static let matte = FrameParts(rawValue: 8)
    /// Everything that sensors see.
    package static let all: FrameParts = [.color, .depth, .confidence]
}
