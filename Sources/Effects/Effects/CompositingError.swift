package import DepthTypes

/// Why pictures, mattes and maps cannot be combined.
package enum CompositingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A picture, a matte or a map has no pixels at all.
    case empty
    /// A matte or map does not show the photo's field of view.
    case differentAspect(photo: PixelSize, plane: PixelSize)
    /// Two pictures that must have the same size do not.
    case differentSize(photo: PixelSize, other: PixelSize)
    /// No sample of the depth map is known.
    case noKnownDepth
    /// Meters were requested of a map whose values have no unit.
    case noScale
    /// The near bound is beyond the far one; both in meters, or in fractions of the map's samples.
    case emptyRange(near: Double, far: Double)

    /// What is wrong, in a phrase.
    package var description: String {
        switch self {
        case .empty: "a picture, matte or map has no pixels"
        case .differentAspect(let photo, let plane):
            "a matte or map of \(plane) does not have the aspect of the photo, which is \(photo)"
        case .differentSize(let photo, let other): "a picture of \(other) where the photo is \(photo)"
        case .noKnownDepth: "no sample of the depth map is known"
        case .noScale: "the depth map has no scale, so that its values are not meters"
        case .emptyRange(let near, let far): "nothing lies between near \(near) and far \(far)"
        }
    }
}
