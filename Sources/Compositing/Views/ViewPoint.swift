/// A place beside or before the camera that took a photo, seen from which the photo's plane of focus stays where it is.
///
/// With q the disparity of a pixel less nothing, (u, v) its place from the middle of the picture, and q_p that of the pivot, a pixel goes to
///
///     u' = (u − shift.x · q) · (1 − advance · q_p) / (1 − advance · q) + shift.x · q_p
///
/// and v' likewise. Shifts are in pixels for each unit of disparity, so that no unit of length is needed; what has the pivot's disparity
/// keeps its place and size.
package struct ViewPoint: Hashable, Sendable {
    /// To the right and down.
    package var shift: SIMD2<Float>
    /// Toward the scene, in the reciprocal of the unit of disparity; `advance · q` is less than 1 for all that is seen.
    package var advance: Float

    /// The place of the camera.
    package static let camera = ViewPoint(shift: .zero, advance: 0)

    /// A place by its shift and advance.
    package init(shift: SIMD2<Float>, advance: Float = 0) {
        self.shift = shift
        self.advance = advance
    }
}
