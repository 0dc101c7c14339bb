package import DepthMaps

/// A rendered frame: a picture, or depth. Its memory is reused.
package struct RenderedFrame: Sendable {
    /// The index of the source's frame.
    package var index = 0
    /// Seconds since the source's first frame.
    package var time = 0.0
    /// A picture, sRGB; empty if the effect renders depth.
    package var picture = FramePlane<RGB<UInt8>>()
    /// Distances in the unit of the source, or disparity, `nan` where unknown; empty if the effect renders a picture.
    package var depth = FramePlane<Float>()

    /// The integers per unit of ``depth``: 1000 per meter, or stored values without a unit.
    package var codesPerUnit: Float = 1000

    package init() {}
}

extension Float {
    /// A distance times `factor`, rounded, as in 16-bit depth; 0 if unknown or out of range.
    package func depthCode(_ factor: Float) -> UInt16 {
        let value = self * factor + 0.5
        return value >= 1 && value < 65536 ? UInt16(value) : 0
    }

    /// Whether a distance is in the range of 16-bit depth.
    package func hasDepthCode(_ factor: Float) -> Bool { self * factor + 0.5 < 65536 }
}

/// Receives rendered frames: a movie, a pipe, numbered files.
package protocol FrameSink: AnyObject {
    /// Writes a frame. All have the same size.
    func write(_ frame: inout RenderedFrame) throws
}

/// A sink for effects that produce their own output.
package final class NoSink: FrameSink {
    package init() {}

    package func write(_ frame: inout RenderedFrame) throws {}
}
