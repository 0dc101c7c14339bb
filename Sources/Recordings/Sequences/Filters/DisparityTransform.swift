internal import DepthTypes

/// Converts between distances and disparity in 1/32 of a pixel, as stereo cameras measure it: d = 32·b·f / z.
///
/// The focal length f is the frame's, in pixels of its depth; the baseline b is a RealSense D435's, 50 mm, since
/// recordings do not store one. An unknown camera is assumed as by ``CameraCandidates``.
final class DisparityTransform: DepthFilter {
    static let baseline = 0.05
    private let toDisparity: Bool

    init(toDisparity: Bool) { self.toDisparity = toDisparity }

    func apply(to frame: inout SequenceFrame) {
        let size = frame.depth.size
        let camera = CameraCandidates(file: frame.calibration).camera(for: size).calibration
        let focal = camera.scaled(toWidth: size.width, height: size.height).focalLengthX
        let factor = Float(32 * Self.baseline * focal)
        // The inverse is the same formula.
        var samples = frame.depth.samples.mutableSpan
        for index in samples.indices { samples[index] = factor / samples[index] }
    }
}
