public import Compositing
internal import DepthModel

/// Where to cut a mask from depth.
public enum DepthCut: Codable, Hashable, Sendable {
    /// Behind the first face that the camera marked; otherwise at the best split of the depth (N. Otsu, 1979).
    case automatic
    /// The object at this point and everything nearer.
    case focus(NormalizedPoint)
    /// Between two distances in meters, for depth with a unit; `nil` is unbounded. `softness` is the width of the ramp at
    /// either distance, in meters; `nil` is 0.05.
    case meters(near: Float? = nil, far: Float? = nil, softness: Float? = nil)
    /// Between two percentiles of all samples, in order of distance: 0…100; `nil` is unbounded.
    case percent(near: Float? = nil, far: Float? = nil)
}

/// How a cut was found that is not given in numbers.
package enum CutOrigin: Hashable, Sendable {
    /// Behind the given focus.
    case focus
    /// Behind a face that the camera marked.
    case face
    /// At the best split of the depth.
    case bestSplit
}

extension DepthCut {
    /// The selection in a scene, and how the cut was found, if it is not given in numbers.
    ///
    /// Throws ``DepthScaleError`` if meters are given for depth without a unit.
    func selection(in scene: SceneDescription.Depth, faces: [NormalizedPoint]) throws(DepthScaleError) -> (
        DepthSelection, CutOrigin?
    ) {
        switch self {
        case .automatic:
            if let face = faces.first { return (.focus(face), .face) }
            return (.bestSplit, .bestSplit)
        case .focus(let point): return (.focus(point), .focus)
        case .meters(let near, let far, let softness):
            try scene.scale.requireMeters()
            return (.meters(near: near, far: far, softness: softness ?? DepthSelection.usualSoftness), nil)
        case .percent(let near, let far):
            return (
                .shares(near: Self.share(near), far: Self.share(far), softness: 0.02), nil
            )
        }
    }

    private static func share(_ percent: Float?) -> Double? { percent.map { Double($0) / 100 } }
}
