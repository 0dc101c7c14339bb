/// A viewpoint near the camera that took a photo, chosen so that the photo's pivot plane stays in place.
///
/// With q the disparity of a pixel, (u, v) its position from the middle of the picture, and q_p the pivot's disparity, a
/// pixel moves to
///
///     u' = (u − shift.x · q) · (1 − advance · q_p) / (1 − advance · q) + shift.x · q_p
///
/// and v' likewise. Shifts are in pixels per unit of disparity, so that no unit of length is needed; pixels at the pivot's
/// disparity keep their position and size.
package struct ViewPoint: Hashable, Sendable {
    /// To the right and down.
    package var shift: SIMD2<Float>
    /// Toward the scene, in the reciprocal of the unit of disparity; `advance · q` is less than 1 for everything visible.
    package var advance: Float

    /// The viewpoint of the camera.
    package static let camera = ViewPoint(shift: .zero, advance: 0)

    /// A viewpoint by its shift and advance.
    package init(shift: SIMD2<Float>, advance: Float = 0) {
        self.shift = shift
        self.advance = advance
    }
}
