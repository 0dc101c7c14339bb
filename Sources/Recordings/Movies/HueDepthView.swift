internal import Compositing
internal import DepthCore
internal import DepthModel
package import Sequences

/// Frames in the form of Record3D's movies: depth as a hue on the left, the picture on the right, both of the same size.
///
/// Hues encode distances in steps of 1/1530 of the range. Unknown distances, and those less than 2 % of the range from either
/// end, are red.
package final class HueDepthView: FrameView {
    private let coding: HueDepth
    private let isEnlarged: Bool
    private let half: PixelSize
    private var shrinker = PictureShrinker()
    private var small = FramePlane<RGB<UInt8>>()
    /// The number of known distances, and how many of them are outside the range that hues can represent.
    package private(set) var counts = (known: 0, outside: 0)

    /// Distances of `range`, in meters. Halves have the size of the depth, or of the picture if `isEnlarged`; then each
    /// sample of the depth fills several pixels.
    package init(_ range: ClosedRange<Float>, of description: SequenceDescription, isEnlarged: Bool) {
        let size = (isEnlarged ? description.colorSize : nil) ?? description.depth?.size
        half = size ?? PixelSize(width: 0, height: 0)
        let camera = description.calibration?.scaled(toWidth: half.width, height: half.height)
        coding = HueDepth(
            range,
            camera.flatMap {
                Intrinsics(
                    fx: $0.focalLengthX, fy: $0.focalLengthY, cx: $0.principalPointX, cy: $0.principalPointY,
                    from: .center)
            })
        self.isEnlarged = isEnlarged
    }

    package var parts: FrameParts { [.color, .depth] }

    /// The comment to store in the movie, without which its depth cannot be read back.
    package var comment: String { coding.description }

    /// The distances that hues can express, in meters.
    package var codable: ClosedRange<Float> { coding.codable }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        guard !frame.depth.isEmpty else { throw SequenceError.noDepth }
        guard !frame.color.isEmpty else { throw SequenceError.noColor }
        guard frame.scale.isMetric else { throw SequenceError.noUnit }
        let size = half
        if frame.color.size == size {
            swap(&frame.color, &small)
        } else {
            shrinker.shrink(frame.color, to: size, into: &small)
        }
        let depthSamples = frame.depth.samples
        let (columns, rows) = (frame.depth.width, frame.depth.height)
        let pictureSamples = small.samples
        var outside = 0
        let codable = coding.codable
        for value in frame.depth.samples where value > 0 {
            counts.known += 1
            if !codable.contains(value) { outside += 1 }
        }
        counts.outside += outside
        let coding = coding
        output.picture.overwrite(width: size.width * 2, height: size.height, fill: .black) { pixels in
            let (depth, picture) = (depthSamples.span, pictureSamples.span)
            for row in 0..<size.height {
                let line = row * size.width * 2
                let source = row * rows / size.height * columns
                for column in 0..<size.width {
                    pixels[line + column] = coding.color(depth[source + column * columns / size.width])
                }
                pixels.copy(picture, row * size.width..<(row + 1) * size.width, to: line + size.width)
            }
        }
    }
}
