package import DepthCore
internal import DepthModel
package import Sequences

/// A picture that stands in the scene at a distance, hidden by what is nearer.
package final class OccludeView: FrameView {
    /// Where the picture stands.
    package struct Placement: Sendable {
        /// Meters along the optical axis.
        package var distance: Float
        /// Where its middle is seen, in shares of the frame.
        package var center: (x: Double, y: Double)
        /// Meters; `nil` for a third of what is seen there.
        package var width: Float?

        package init(distance: Float, center: (x: Double, y: Double), width: Float?) {
            (self.distance, self.center, self.width) = (distance, center, width)
        }
    }

    private let layer: RGBAImage
    private let placement: Placement
    private var scaled: FramePlane<RGBA<UInt8>> = FramePlane()
    private var visible = FramePlane<Float>()
    private var lastKnown = LastKnown()
    private var matte = GuidedMatte()
    private let mixing = LightMixing()

    /// The layer has straight alpha.
    package init(_ layer: RGBAImage, _ placement: Placement) {
        (self.layer, self.placement) = (layer, placement)
    }

    package var parts: FrameParts { .all }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        guard !frame.depth.isEmpty else { throw SequenceError.noDepth }
        guard !frame.color.isEmpty else { throw SequenceError.noColor }
        guard frame.scale.isMetric else { throw SequenceError.noUnit }
        let size = frame.color.size
        let across = scaleLayer(size, frame.calibration)
        findVisible(frame)
        matte.set(visible, guide: frame.color)
        swap(&frame.color, &output.picture)
        let left = Int((placement.center.x * Double(size.width) - Double(across) / 2).rounded())
        let top = Int((placement.center.y * Double(size.height) - Double(scaled.height) / 2).rounded())
        let rows = max(0, top)..<max(0, top, min(size.height, top + scaled.height))
        let columns = max(0, left)..<max(0, left, min(size.width, left + across))
        let layerPixels = scaled.samples
        output.picture.overwrite(width: size.width, height: size.height, fill: .black) { pixels in
            let layer = layerPixels.span
            for row in rows {
                let upper = Int(matte.rows.first[row])
                for column in columns {
                    let pixel = layer[(row - top) * across + column - left]
                    guard pixel.alpha > 0 else { continue }
                    let under = pixels[row * size.width + column]
                    let share: Float
                    switch matte.cell(Int(matte.columns.first[column]), upper) {
                    case .empty: continue
                    case .full: share = 1
                    case .mixed: share = matte.coverage(column, row, luma: GuidedMatte.luma(under))
                    }
                    pixels[row * size.width + column] = mixing.mix(
                        RGB(red: pixel.red, green: pixel.green, blue: pixel.blue), under,
                        share: share * Float(pixel.alpha) * (1 / 255))
                }
            }
        }
    }

    /// Where the layer can be seen: 1 where the scene is farther. What is unknown is as it was for a moment, as long as the picture
    /// shows the same there, and else farther.
    private func findVisible(_ frame: borrowing SequenceFrame) {
        lastKnown.add(frame)
        let (depth, states, kept) = (frame.depth.samples.span, lastKnown.holds, lastKnown.kept)
        let distance = placement.distance
        let scale = 1 / (0.04 * distance)
        visible.overwrite(width: frame.depth.width, height: frame.depth.height, fill: 1) { visible in
            let holds = states.span
            for index in depth.indices {
                let value = depth[index]
                visible[index] =
                    value > 0
                    ? SubjectMatte.step((value - distance) * scale + 0.5)
                    : 1 - (1 - visible[index]) * (holds[index] == 1 ? kept : 0)
            }
        }
    }

    /// Brings the layer to its size in pixels. Returns its width.
    private func scaleLayer(_ size: PixelSize, _ calibration: CameraCalibration?) -> Int {
        let camera = CameraCandidates(file: calibration).camera(for: size).calibration
        let focal = camera.scaled(toWidth: size.width, height: size.height).focalLengthX
        let share = placement.width.map { Double($0) * focal / Double(placement.distance) }
        let wanted = min(max(share ?? Double(size.width) / 3, 1), Double(4 * size.width))
        // A camera that breathes by less than half a percent leaves the layer as it is.
        if !scaled.isEmpty, abs(wanted - Double(scaled.width)) < max(1, wanted * 0.005) {
            return scaled.width
        }
        let width = max(1, Int(wanted.rounded()))
        let height = min(
            max(1, Int((wanted * Double(layer.height) / Double(layer.width)).rounded())), 4 * size.height)
        scaled = FramePlane(width: width, height: height, samples: Self.resized(layer, width, height))
        return width
    }

    private static func resized(_ image: RGBAImage, _ width: Int, _ height: Int) -> [RGBA<UInt8>] {
        switch image.pixels {
        case .uint8(let pixels): averaged(pixels, of: image, width, height)
        case .uint16(let pixels): averaged(pixels, of: image, width, height)
        }
    }

    /// Means of light over the areas of new pixels, weighted by opacity.
    private static func averaged<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>(
        _ pixels: [RGBA<Sample>], of image: RGBAImage, _ width: Int, _ height: Int
    ) -> [RGBA<UInt8>] {
        let (table, codes) = (TransferFunctionTable<Sample>(.sRGB), TransferFunctionTable<UInt8>(.sRGB))
        let (light, starts) = (table.light, codes.starts)
        func code(_ light: Float) -> UInt8 { starts[Int(min(light, 1) * Float(starts.count - 1) + 0.5)] }
        var output: [RGBA<UInt8>] = []
        output.reserveCapacity(width * height)
        for row in 0..<height {
            let top = row * image.height / height
            let rows = top..<max(top + 1, (row + 1) * image.height / height)
            for column in 0..<width {
                let left = column * image.width / width
                let columns = left..<max(left + 1, (column + 1) * image.width / width)
                var sum = SIMD4<Float>.zero
                for y in rows {
                    for x in columns {
                        let pixel = pixels[y * image.width + x]
                        let opacity = Float(pixel.alpha) / Float(Sample.max)
                        sum +=
                            SIMD4(
                                light[Int(pixel.red)], light[Int(pixel.green)], light[Int(pixel.blue)], 1)
                            * opacity
                    }
                }
                let color = sum.w > 0 ? sum / sum.w : .zero
                output.append(
                    RGBA(
                        red: code(color.x), green: code(color.y), blue: code(color.z),
                        alpha: UInt8(min(sum.w / Float(rows.count * columns.count), 1) * 255 + 0.5)))
            }
        }
        return output
    }
}
