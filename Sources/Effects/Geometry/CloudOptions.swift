/// Which samples of a map become points, and which attributes they get.
public struct CloudOptions: Hashable, Sendable {
    /// The smallest distance along the axis, in the map's unit, inclusive.
    public var near: Float = 0
    /// The largest distance.
    public var far: Float = CloudOptions.farthest
    /// Whether samples between two surfaces are kept. Such flying pixels belong to neither the near nor the far surface.
    public var keepsEdges = false
    /// Uses every n-th sample of every n-th row, starting with the first; 1 uses all.
    public var stride = 1
    /// The maximum number of points; `nil` for no limit. If there are more, exactly this many are kept, spread evenly in
    /// reading order.
    public var maximumCount: Int?
    /// Whether points have normals.
    public var hasNormals = false
    /// Whether points are splats: flat discs on the surface that close the gaps between points. They have normals. Viewers
    /// expect ``CloudAxes/opencv`` in PLY and ``CloudAxes/opengl`` in GLB.
    public var hasSplats = false
    /// Whether meshes join neighbors however far one is behind the other.
    package var joinsSteps = false

    /// Larger distances are considered invalid: a million units.
    public static let farthest: Float = 1_000_000

    /// All samples with a distance except those between surfaces, without normals.
    public init() {}
}
