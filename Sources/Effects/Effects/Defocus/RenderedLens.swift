/// The lens of a blur that a camera rendered into a photo.
///
/// Cameras keep a range of disparities sharp, and blur linearly beyond it:
///
///     r = radiusPerDisparity · longer side · max(sharp.lowerBound − d, d − sharp.upperBound, 0)
///
/// The tables of radii that Pixel phones store (`FocalTable`) have this form.
package struct RenderedLens: Hashable, Sendable {
    /// The sharp disparities, in the unit of the map.
    package let sharp: ClosedRange<Float>
    /// The radius of blur per unit of disparity beyond ``sharp``, as a fraction of the picture's longer side. Greater than 0.
    package let radiusPerDisparity: Float

    /// A lens that keeps a range of disparities sharp. `nil` if a number is not finite, or the radius is not positive.
    package init?(sharp: ClosedRange<Float>, radiusPerDisparity: Float) {
        guard sharp.lowerBound.isFinite, sharp.upperBound.isFinite else { return nil }
        guard radiusPerDisparity > 0, radiusPerDisparity.isFinite else { return nil }
        (self.sharp, self.radiusPerDisparity) = (sharp, radiusPerDisparity)
    }

    /// The lens of Lens Blur: `GFocus:FocalDistance` as a disparity, and `GFocus:BlurAtInfinity`.
    ///
    /// The latter is the radius of a point at infinity as a fraction of the photo's longer side: the renderings of three
    /// photos, compared with their originals, have 0.95 to 0.99 of that. `nil` without blur.
    package init?(focus: Float, blurAtInfinity: Float) {
        guard focus > 0, focus.isFinite else { return nil }
        self.init(sharp: focus...focus, radiusPerDisparity: blurAtInfinity / focus)
    }

    /// The middle of the sharp range.
    package var focus: Float { sharp.lowerBound + (sharp.upperBound - sharp.lowerBound) / 2 }
}
