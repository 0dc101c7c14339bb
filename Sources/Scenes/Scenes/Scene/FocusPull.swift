internal import Effects
internal import Glibc

/// The focus of a recording's frames, which moves smoothly from frame to frame, as when a focus puller turns the ring.
///
/// Depth without a unit keeps the scale of the first frame, so that equal differences of disparity are blurred alike in all.
package final class FocusPull {
    private(set) var disparityScale: DisparityScale?
    private var last: (focus: Float, time: Double)?

    /// How long the focus takes for 63 % of a change, in seconds.
    private static let timeConstant = 0.15

    /// No frame yet.
    package init() {}

    /// Keeps the scale of the first frame.
    func keep(_ scale: DisparityScale) { disparityScale = disparityScale ?? scale }

    /// Replaces the focus of a frame by one between that of the frame before and its own.
    func follow(_ aperture: inout SyntheticAperture, at time: Double) {
        if let last {
            let pace = Float(1 - exp(-max(0, time - last.time) / Self.timeConstant))
            aperture.focusDisparity = last.focus + (aperture.focusDisparity - last.focus) * pace
        }
        last = (aperture.focusDisparity, time)
    }
}
