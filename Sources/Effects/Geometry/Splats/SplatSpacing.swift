/// How far a cloud's points are from their neighbors on the surface. This determines the size of their splats.
package enum SplatSpacing: Hashable, Sendable {
    /// The angle between the rays of neighbors, in radians. Points are seen by a camera at the origin, along the z axis.
    case angle(Float)
    /// The distance of neighbors in a voxel grid, in the unit of positions.
    case length(Float)

    /// The spacing once only `share` of the points remain, 0…1, spread evenly over the surface.
    func thinned(to share: Double) -> SplatSpacing {
        let factor = Float(1 / max(share, .leastNormalMagnitude).squareRoot())
        return switch self {
        case .angle(let angle): .angle(angle * factor)
        case .length(let length): .length(length * factor)
        }
    }
}
