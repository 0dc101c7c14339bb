internal import DepthMaps
package import DepthTypes
package import Sequences

/// Detects objects in each frame, and draws them if a movie is made.
package final class DetectionView: FrameView {
    /// The objects found in a frame, most confident first.
    package struct Finding {
        /// The index of the source's frame, and its time in seconds.
        package var index: Int
        package var time: Double
        package var picture: PixelSize
        package var detections: [MeasuredDetection]
        /// The scale of the depth; `nil` without depth.
        package var scale: DepthScale?
    }

    private let network: Network
    private let confidence: Float
    private let draws: Bool
    private let report: (Finding) throws -> Void

    /// `report` gets the findings of each frame, in order.
    package init(
        _ network: Network, atLeast confidence: Float, draws: Bool,
        report: @escaping (Finding) throws -> Void
    ) {
        (self.network, self.confidence, self.draws, self.report) = (network, confidence, draws, report)
    }

    package var parts: FrameParts { [.color, .depth] }

    package func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
        guard !frame.color.isEmpty else { throw SequenceError.noColor }
        let found = try network.detections(in: frame.image, atLeast: confidence)
        try report(
            Finding(
                index: frame.index, time: frame.time, picture: frame.color.size,
                detections: frame.measured(found), scale: frame.depth.isEmpty ? nil : frame.scale))
        guard draws else { return }
        guard !found.isEmpty, case .uint8(let pixels) = frame.image.drawing(found.map(\.box)).pixels else {
            swap(&frame.color, &output.picture)
            return
        }
        output.picture = FramePlane(width: frame.color.width, height: frame.color.height, samples: pixels)
    }
}
