internal import DepthMaps

/// The lens to simulate: its focus, and the size of its aperture.
///
/// A thin lens of aperture A, focused at Z_f, images a point at distance Z as a disc of diameter
///
///     c = A · f · |Z − Z_f| / (Z · (Z_f − f)) ≈ f_px · A · |1/Z − 1/Z_f|
///
/// where focus is much farther away than the focal length f, so that f/(Z_f − f) ≈ f/Z_f; with f in pixels c is in pixels.
/// The aperture belongs to the full-frame camera with the same view: A = f₃₅/N millimeters with f₃₅ = f_px · 43.2666 /
/// hypot(width, height), the diagonal of 36 × 24 mm over the picture's. The size of a disc is linear in disparity.
package struct SyntheticAperture: Hashable, Sendable {
    /// Reciprocal distance of the plane in focus, in 1/meters; 0 is infinity.
    package var focusDisparity: Float
    /// The full-frame equivalent f-number, greater than 0: smaller is more blur.
    package var fNumber: Float
    /// The focal length in pixels of the photo.
    package var focalLength: Float
    /// How far from the focus disparity may be without any blur, in 1/meters: 0 for a lens. The effects of phones keep a range
    /// sharp, and blur as a lens focused at its end would.
    package var sharpReach: Float = 0

    /// The f-number and the focal length must be positive and finite.
    package init(focusDisparity: Float, fNumber: Float, focalLength: Float) {
        precondition(fNumber > 0 && fNumber.isFinite, "an f-number is positive")
        precondition(focalLength > 0 && focalLength.isFinite, "a focal length is positive")
        (self.focusDisparity, self.fNumber, self.focalLength) = (focusDisparity, fNumber, focalLength)
    }

    /// The largest radius of blur in a picture of this size, in pixels: 3 % of its diagonal. Larger discs are limited to it:
    /// larger discs need more hidden background, which the photo does not show.
    package static func maximumRadius(width: Int, height: Int) -> Float {
        Float(Math.hypotenuse(Double(width), Double(height))) * 0.03
    }

    /// The radius of the circle of confusion in pixels, per 1/meter of difference in disparity; finite for any lens: 10¹² is
    /// beyond every limit.
    func radiusPerDisparity(width: Int, height: Int) -> Float {
        let diagonal = Float(Math.hypotenuse(Double(width), Double(height)))
        let equivalent = focalLength * 43.2666 / diagonal
        return min(focalLength * (equivalent / fNumber / 1000) / 2, 1e12)
    }

    /// The difference of disparities, in 1/meters, beyond which an edge of depth is visible in a blurred photo of this size:
    /// that of a disc's radius of 0.05 % of the diagonal, 2.5 pixels at 12 MP, and at least ``DefocusField/edge``.
    package func visibleDifference(width: Int, height: Int) -> Float {
        let radius = Self.maximumRadius(width: width, height: height) / 60
        return max(radius, DefocusField.edge) / radiusPerDisparity(width: width, height: height)
    }

    /// The f-number that blurs by this radius, in pixels, per 1/meter: the inverse of
    /// ``radiusPerDisparity(width:height:)``.
    package static func fNumber(
        ofRadiusPerDisparity radius: Float, focalLength: Float, width: Int, height: Int
    ) -> Float {
        let diagonal = Float(Math.hypotenuse(Double(width), Double(height)))
        return focalLength * (focalLength * 43.2666 / diagonal / 1000) / 2 / radius
    }

    /// The difference of a disparity from the sharp ones, in 1/meters: negative behind them.
    @inline(__always)
    func defocus(ofDisparity disparity: Float) -> Float {
        let difference = disparity - focusDisparity
        return difference - min(max(difference, -sharpReach), sharpReach)
    }

    /// The diameter of a point's disc, in pixels of a photo of this size, before any limit.
    package func circleOfConfusion(ofDisparity disparity: Float, width: Int, height: Int) -> Float {
        2 * radiusPerDisparity(width: width, height: height) * abs(defocus(ofDisparity: disparity))
    }
}
