/// Which samples of a map become points, and what is known of these.
public struct CloudOptions: Hashable, Codable, Sendable {
    /// The least distance along the axis, in the map's unit; samples at it stay.
    public var near: Float = 0
    /// The greatest distance.
    public var far: Float = CloudOptions.farthest
    /// Whether samples between two surfaces stay. Flying pixels hang between a near and a far surface and belong to neither.
    public var keepsEdges = false
    /// Takes every n-th sample of every n-th row, from the first; 1 takes all.
    public var stride = 1
    /// The greatest number of points; `nil` for no limit. Where there are more, every so-many-th in reading order is
    /// kept, evenly, so that the number is exact.
    public var maximumCount: Int?
    /// Whether points have normals.
    public var hasNormals = false

    /// What is farther, no camera has measured: a million units.
    public static let farthest: Float = 1_000_000

    /// All samples with a distance but those between surfaces, without normals.
    public init() {}
}
