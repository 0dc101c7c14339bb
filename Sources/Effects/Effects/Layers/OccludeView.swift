package import DepthMaps
internal import DepthTypes
package import Sequences

/// Inserts a picture into the scene at a distance, hidden by nearer objects: the equivalent of `ColorImage.inserting`
/// for frames.
package final class OccludeView: FrameView {
    /// The placement of the picture.
    package struct Placement: Sendable {
        /// Meters along the optical axis.
        package var distance: Float
        /// The position of its center.
        package var center: NormalizedPoint
        /// Meters; `nil` for a third of the visible width at that distance.
        package var width: Float?

        package init(distance: Float, center: NormalizedPoint, width: Float?) {
            (self.distance, self.center, self.width) = (distance, center, width)
        }
    }

    private let placement: Placement
    private var placed: PlacedLayer
    private var visible = FramePlane<Float>()
    private var lastKnown = LastKnown()
    private var matte = GuidedMatte()
    private let tones = TransferFunctionTable<UInt8>(.sRGB)

    /// The smallest opacity of a pixel that shows the layer's light alone: sums of weights may be slightly less than 1.
    private static let opaque: Float = 0.99999

    /// The layer is not premultiplied.
    package init(_ layer: RGBAImage, _ placement: Placement) {
        self.placement = placement
        placed = PlacedLayer(layer)
    }

    package var parts: FrameParts { .all }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        guard !frame.depth.isEmpty else { throw SequenceError.noDepth }
        guard !frame.color.isEmpty else { throw SequenceError.noColor }
        guard frame.scale.isMetric else { throw SequenceError.noUnit }
        let size = frame.color.size
        placed.place(width: width(in: size, frame.calibration), around: placement.center, in: size)
        findVisible(frame)
        matte.set(visible, guide: frame.color)
        swap(&frame.color, &output.picture)
        let layer = placed
        output.picture.overwrite(width: size.width, height: size.height, fill: .black) { pixels in
            let (light, codes) = (layer.light.span, layer.codes.span)
            var index = 0
            for row in layer.rows {
                let upper = Int(matte.rows.first[row])
                for column in layer.columns {
                    let (over, code) = (light[index], codes[index])
                    index += 1
                    guard over.w > 0 else { continue }
                    let place = row * size.width + column
                    let under = pixels[place]
                    var share: Float = 1
                    switch matte.cell(Int(matte.columns.first[column]), upper) {
                    case .empty: continue
                    case .full: break
                    case .mixed: share = matte.coverage(column, row, luma: GuidedMatte.luma(under))
                    }
                    pixels[place] =
                        share * over.w >= Self.opaque
                        ? code
                        : tones.pixel(
                            ofLight: tones.light(of: under) * (1 - share * over.w) + over * share)
                }
            }
        }
    }

    /// Where the layer is visible: 1 where the scene is farther. Unknown samples keep their state for a moment, while the
    /// picture is unchanged there, and then are farther.
    private func findVisible(_ frame: borrowing SequenceFrame) {
        lastKnown.add(frame)
        let (depth, states, kept) = (frame.depth.samples.span, lastKnown.holds, lastKnown.kept)
        let layer = 1 / placement.distance
        visible.overwrite(width: frame.depth.width, height: frame.depth.height, fill: 1) { visible in
            let holds = states.span
            for index in depth.indices {
                let value = depth[index]
                visible[index] =
                    value > 0
                    ? SceneVisibility.share(ofLayerAt: layer, at: 1 / value)
                    : 1 - (1 - visible[index]) * (holds[index] == 1 ? kept : 0)
            }
        }
    }

    /// The layer's width in pixels.
    private func width(in size: PixelSize, _ calibration: CameraCalibration?) -> Double {
        guard let width = placement.width else { return Double(size.width) / 3 }
        let camera = CameraCandidates(file: calibration).camera(for: size).calibration
        let focalLength = camera.scaled(toWidth: size.width, height: size.height).focalLengthX
        return Double(width) * focalLength / Double(placement.distance)
    }
}
