public import DepthModel

/// Why a scene, a plane or a cloud cannot be made into what was asked for, although its file is fine.
public enum SceneError: Error, Hashable, Sendable {
    /// A picture is needed, and the scene is a raster without one.
    case noPicture
    /// A minimum of confidence is given, and there is no confidence plane.
    case noConfidencePlane
    /// Dequantizing is wanted, and the samples are not codes with a step.
    case noQuantizationStep
    /// Millimeters are wanted, and the depth has no unit.
    case noUnit
    /// The picture and the depth have different shapes, so they cannot show the same view.
    case differentView(picture: PixelSize, depth: PixelSize)
    /// One bound of a depth mask is in meters, the other in percent.
    case mixedBounds
    /// The inserted picture would be smaller or larger than numbers can say.
    case layerSize(distance: Float)
    /// The camera's focal length, in pixels, is not positive and finite.
    case focalLength(Double)
}

extension SceneError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .noPicture: "a raster has no photo"
        case .noConfidencePlane: "there is no confidence plane"
        case .noQuantizationStep: "the samples are not codes with a step, so there is no staircase to remove"
        case .noUnit: "the plane has no unit, so it cannot be written in millimeters"
        case .differentView(let picture, let depth):
            "the photo is \(picture) and the plane \(depth): they do not show the same view"
        case .mixedBounds: "near and far must both be meters or both be shares"
        case .layerSize(let distance): "at \(distance) m the default width is out of range"
        case .focalLength(let pixels): "invalid focal length: \(pixels) px"
        }
    }
}
