/// The vertical alignment of a right picture to the left one.
///
/// Toed-in, turned or unequal cameras see a point in different rows. For small angles, with x and y from the center in halves
/// of the width, a homography between the two moves points by
///
///     Δy = shift + turn · x + scale · y + yaw · x · y + pitch · y²
///     Δx = scale · x − turn · y + yaw · x² + pitch · x · y
///
/// (R. Hartley and A. Zisserman, "Multiple View Geometry", 2nd ed., §8.4: a turn of the camera moves points by a homography;
/// linear in the angles here.) Only Δy can be measured without knowing distances. A constant part of Δx cannot: it remains in
/// the disparity.
package struct VerticalAlignment: Sendable, Hashable {
    /// All in pixels of the picture.
    package var shift = 0.0
    /// How much lower the right end is than the center, for a rotated right picture.
    package var turn = 0.0
    /// How much lower the lower end is.
    package var scale = 0.0
    /// How much lower the lower right corner is, for a toed-in camera.
    package var yaw = 0.0
    /// How much lower both ends are.
    package var pitch = 0.0
    /// The picture's size.
    var size = SIMD2(1, 1)

    /// The maximum distance between matching rows, in pixels.
    package var largest: Double {
        let aspect = Double(size.y) / Double(max(1, size.x))
        return abs(shift) + abs(turn) + abs(scale) * aspect + abs(yaw) * aspect + abs(pitch) * aspect * aspect
    }

    /// The right picture with its rows aligned to the left picture.
    func applied(to image: GrayImage, reducedBy reduction: Int) -> GrayImage {
        let unit = 1 / Float(reduction)
        let half = Float(image.width) / 2
        let (middle, center) = (Float(image.width - 1) / 2, Float(image.height - 1) / 2)
        let model = (
            Float(shift) * unit, Float(turn) * unit, Float(scale) * unit, Float(yaw) * unit,
            Float(pitch) * unit
        )
        return image.displaced { column, row in
            let (x, y) = ((column - middle) / half, (row - center) / half)
            return SIMD2(
                model.2 * x - model.1 * y + model.3 * x * x + model.4 * x * y,
                model.0 + model.1 * x + model.2 * y + model.3 * x * y + model.4 * y * y)
        }
    }

    /// The alignment by points visible in both pictures; `nil` if too few points agree on one, or if it is below the noise of
    /// their positions.
    init?(of pair: ImagePyramid) {
        let fine = pair.level(atMost: 1024)
        let points = PointMatches(pair, level: pair.level(atMost: 256), fine: fine).points
        size = SIMD2(pair.levels[0].left.width, pair.levels[0].left.height)
        guard let fit = AlignmentFit(points, size: SIMD2<Double>(size), unit: Double(1 << fine)),
            fit.isSignificant
        else { return nil }
        let model = fit.model
        (shift, turn, scale, yaw, pitch) = (model[0], model[1], model[2], model[3], model[4])
    }
}
