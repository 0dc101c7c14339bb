package import DepthCore

/// What is made of a frame: a picture, or depth. Its memory is used again.
package struct RenderedFrame: Sendable {
    /// Which frame of the source it is made from.
    package var index = 0
    /// Seconds since the source's first frame.
    package var time = 0.0
    /// A picture, sRGB; empty where depth is made.
    package var picture = FramePlane<RGB<UInt8>>()
    /// Distances in the unit of the source, `nan` where unknown; empty where a picture is made.
    package var depth = FramePlane<Float>()

    /// What integers count of ``depth``: 1000 for each meter, or the stored codes where there is no unit.
    package var codesPerUnit: Float = 1000

    /// A frame without anything in it.
    package init() {}
}

extension Float {
    /// A distance times `factor`, rounded, as 16-bit depth has it; 0 for what is unknown or does not fit.
    package func depthCode(_ factor: Float) -> UInt16 {
        let value = self * factor + 0.5
        return value >= 1 && value < 65536 ? UInt16(value) : 0
    }

    /// Whether a distance is near enough to have a code.
    package func hasDepthCode(_ factor: Float) -> Bool { self * factor + 0.5 < 65536 }
}

/// What makes something of each frame, in their order. It may keep what it needs of former frames.
package protocol FrameView: AnyObject {
    /// The parts of frames that it uses.
    var parts: FrameParts { get }

    /// Renders a frame, whose planes it may change.
    func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws
}

/// What takes rendered frames: a movie, a pipe, numbered files.
package protocol FrameSink: AnyObject {
    /// Writes a frame. All have the same size.
    func write(_ frame: inout RenderedFrame) throws
}

/// A sink for views that report by themselves.
package final class NoSink: FrameSink {
    package init() {}

    package func write(_ frame: inout RenderedFrame) throws {}
}
