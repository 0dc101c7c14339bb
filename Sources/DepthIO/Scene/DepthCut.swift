public import Compositing
internal import DepthModel

/// Where a mask is cut from depth. Without any value, behind the first face that the camera marked, otherwise at the best
/// split of the depth (N. Otsu, 1979).
public struct DepthCut: Codable, Hashable, Sendable {
    /// Keeps what is farther.
    public var near: DistanceBound?
    /// Keeps what is nearer.
    public var far: DistanceBound?
    /// The width of the ramp at either bound, in meters; `nil` for 0.05.
    public var softness: Float?
    /// Keeps what is seen here and all that is nearer.
    public var focus: NormalizedPoint?

    /// The automatic cut.
    public init(
        near: DistanceBound? = nil, far: DistanceBound? = nil, softness: Float? = nil,
        focus: NormalizedPoint? = nil
    ) {
        self.near = near
        self.far = far
        self.softness = softness
        self.focus = focus
    }
}

/// A bound of distance: meters, or the percentage of all samples that is nearer.
public enum DistanceBound: Codable, Hashable, Sendable {
    /// Meters; for depth with a unit.
    case meters(Float)
    /// 0…100.
    case percent(Float)

    package var meters: Float? { if case .meters(let meters) = self { meters } else { nil } }

    package var fraction: Double? {
        if case .percent(let percent) = self { Double(percent) / 100 } else { nil }
    }
}

/// How a cut was found that was not given in numbers.
package enum CutOrigin: Hashable, Sendable {
    /// Behind the given focus.
    case focus
    /// Behind a face that the camera marked.
    case face
    /// At the best split of the depth.
    case bestSplit
}

extension DepthCut {
    private static let usualSoftness: Float = 0.05

    /// What is selected in a scene, and how the cut was found where numbers do not say.
    ///
    /// Throws ``DepthScaleError`` where meters are given for depth without a unit, ``SceneError/mixedBounds`` where one bound is
    /// in meters and the other in percent.
    func selection(in scene: SceneDescription.Depth, faces: [NormalizedPoint]) throws -> (
        DepthSelection, CutOrigin?
    ) {
        if let focus { return (.focus(focus), .focus) }
        switch (near, far) {
        case (nil, nil):
            if let face = faces.first { return (.focus(face), .face) }
            return (.bestSplit, .bestSplit)
        case (.percent?, .meters?), (.meters?, .percent?): throw SceneError.mixedBounds
        case (.percent, _), (_, .percent):
            return (.shares(near: near?.fraction, far: far?.fraction, softness: 0.02), nil)
        default:
            try scene.scale.requireMeters()
            return (
                .meters(near: near?.meters, far: far?.meters, softness: softness ?? Self.usualSoftness), nil
            )
        }
    }
}
