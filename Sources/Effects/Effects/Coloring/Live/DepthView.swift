internal import DepthMaps
internal import DepthTypes
package import Sequences

/// Shows the depth of each frame in colors, at the size of the depth or of the picture.
package final class DepthView: FrameView {
    private var coloring: DepthColoring
    private let isEnlarged: Bool
    private var enlarger = LevelEnlarger()
    /// The levels of a row, or of the frame if it is enlarged.
    private var levels: [Float] = []

    /// Colors the depth; `isEnlarged` makes pictures of the color's size.
    package init(_ coloring: DepthColoring, isEnlarged: Bool) {
        self.coloring = coloring
        self.isEnlarged = isEnlarged
    }

    package var parts: FrameParts { isEnlarged ? [.color, .depth] : .depth }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        guard !frame.depth.isEmpty else { throw SequenceError.noDepth }
        coloring.adapt(to: frame.depth, at: frame.time)
        let size = isEnlarged && !frame.color.isEmpty ? frame.color.size : frame.depth.size
        output.picture.overwrite(width: size.width, height: size.height, fill: .black) { pixels in
            draw(frame.depth, size, at: 0, stride: size.width, into: &pixels)
        }
    }

    /// Draws the depth at a size into a picture, starting at a pixel.
    func draw(
        _ depth: FramePlane<Float>, _ size: PixelSize, at first: Int, stride: Int,
        into pixels: inout MutableSpan<RGB<UInt8>>
    ) {
        let isResized = size != depth.size
        let count = isResized ? depth.samples.count : depth.width
        if levels.count != count { levels = [Float](repeating: 0, count: count) }
        if isResized {
            coloring.findLevels(of: depth.samples.span, into: &levels)
            enlarger.begin(
                width: size.width, height: size.height, fromWidth: depth.width, fromHeight: depth.height)
        }
        for row in 0..<size.height {
            let start = first + row * stride
            if isResized {
                enlarger.enlarge(levels.span, width: depth.width, row: row)
                coloring.color(enlarger.line.span, into: &pixels, from: start)
            } else {
                let samples = depth.samples.span.extracting(row * depth.width..<(row + 1) * depth.width)
                coloring.findLevels(of: samples, into: &levels)
                coloring.color(levels.span, into: &pixels, from: start)
            }
        }
    }

    /// Updates the colors by a frame's depth before it is drawn.
    func adapt(to frame: SequenceFrame) { coloring.adapt(to: frame.depth, at: frame.time) }
}

/// Shows the picture of each frame unchanged.
package final class ColorView: FrameView {
    package init() {}

    package var parts: FrameParts { .color }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        guard !frame.color.isEmpty else { throw SequenceError.noColor }
        swap(&frame.color, &output.picture)
    }
}

/// Passes on the depth of each frame unchanged, for outputs that store distances.
package final class DepthSamplesView: FrameView {
    private let isIn16Bits: Bool
    /// How many samples of all frames are too far for a 16-bit integer; 0 if distances are stored as floating point.
    package private(set) var beyondCount = 0
    /// The largest distance of a 16-bit integer, in the unit of the depth.
    package private(set) var reach: Float = 65.535

    /// Passes on distances, to be written as 16-bit integers if `isIn16Bits`.
    package init(isIn16Bits: Bool = false) { self.isIn16Bits = isIn16Bits }

    package var parts: FrameParts { [.depth, .confidence] }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        guard !frame.depth.isEmpty else { throw SequenceError.noDepth }
        swap(&frame.depth, &output.depth)
        output.codesPerUnit = frame.scale.isMetric ? 1000 : 1
        reach = 65535 / output.codesPerUnit
        if isIn16Bits {
            beyondCount += output.depth.samples.count { $0 > 0 && !$0.hasDepthCode(output.codesPerUnit) }
        }
    }
}

/// Shows the picture of each frame, with its depth in colors on its right at the same height.
package final class SideBySideView: FrameView {
    private let depth: DepthView

    package init(_ coloring: DepthColoring) { depth = DepthView(coloring, isEnlarged: true) }

    package var parts: FrameParts { [.color, .depth] }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        guard !frame.depth.isEmpty else { throw SequenceError.noDepth }
        guard !frame.color.isEmpty else { throw SequenceError.noColor }
        depth.adapt(to: frame)
        let size = frame.color.size
        output.picture.overwrite(width: size.width * 2, height: size.height, fill: .black) { pixels in
            let source = frame.color.samples.span
            for row in 0..<size.height {
                pixels.copy(source, row * size.width..<(row + 1) * size.width, to: row * size.width * 2)
            }
            depth.draw(frame.depth, size, at: size.width, stride: size.width * 2, into: &pixels)
        }
    }
}
