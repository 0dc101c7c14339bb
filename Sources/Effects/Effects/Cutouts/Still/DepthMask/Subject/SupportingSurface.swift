internal import DepthMaps
internal import DepthTypes

/// The floor, table or lawn on which a subject stands: disparities that grow evenly toward the bottom of the picture.
///
/// On a plane, disparity is an affine function of the position in the picture: a point z · (u, v, 1) of the plane n · p = d has
/// 1/z = n · (u, v, 1) / d.
struct SupportingSurface: Sendable {
    /// The disparity at the top left corner, and its changes to the right and the bottom border.
    private let plane: SIMD3<Float>
    /// How far a sample of the surface may be from the plane.
    private let tolerance: Float

    /// The plane on which most samples of a map lie, among 300 through three samples each; `nil` if the map shows no such
    /// surface: 6 % of its samples in pieces of at least 1 %, across 60 % of its width and a fifth of its range.
    init?(_ map: DisparityMap, _ disparities: ClosedRange<Float>) {
        let span = disparities.upperBound - disparities.lowerBound
        let tolerance = 0.02 * span
        let stride = max(Int((Float(map.samples.count) / 4000).squareRoot()), 1)
        let points = Swift.stride(from: 0, to: map.height, by: stride).flatMap { y in
            Swift.stride(from: 0, to: map.width, by: stride).map { x in
                SIMD3(
                    Float(x) / Float(map.width), Float(y) / Float(map.height), map.samples[y * map.width + x])
            }
        }
        var best: (count: Int, plane: SIMD3<Float>)?
        var state: UInt64 = 1
        func next() -> SIMD3<Float> {
            // Knuth's linear congruential generator ("The Art of Computer Programming", 3.3.4).
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return points[Int((state >> 33) % UInt64(points.count))]
        }
        for _ in 0..<300 {
            guard let plane = Self.plane(through: next(), next(), next()), plane.z > 0.3 * span,
                abs(plane.y) < 0.7 * plane.z
            else { continue }
            let count = points.count {
                abs(plane.x + plane.y * $0.x + plane.z * $0.y - $0.z) < tolerance
            }
            if count > best?.count ?? 0 { best = (count, plane) }
        }
        guard let best else { return nil }
        (plane, self.tolerance) = (best.plane, tolerance)
        let all = region(of: map)
        let large = all.of(
            all.pieces(at: map.samples.indices).filter { $0.members.count * 100 >= map.samples.count })
        let members = map.samples.indices.filter { large.isInside[$0] }
        let columns = Set(members.map { $0 % map.width })
        let depths = members.map { map.samples[$0] }
        guard members.count * 50 >= map.samples.count * 3, columns.count * 5 >= map.width * 3,
            let nearest = depths.max(), let farthest = depths.min(), nearest - farthest >= 0.2 * span
        else { return nil }
    }

    /// The samples of a map on the surface.
    func region(of map: DisparityMap) -> SampleRegion {
        let isInside = map.samples.indices.map { index in
            let x = Float(index % map.width) / Float(map.width)
            let y = Float(index / map.width) / Float(map.height)
            return abs(plane.x + plane.y * x + plane.z * y - map.samples[index]) < tolerance
        }
        return SampleRegion(width: map.width, height: map.height, isInside: isInside)
    }

    /// The plane through three points, by Cramer's rule; `nil` if they are nearly on a line.
    private static func plane(
        through a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>
    ) -> SIMD3<Float>? {
        let (u, v) = (b - a, c - a)
        let area = u.x * v.y - u.y * v.x
        guard abs(area) > 0.01 else { return nil }
        let (across, down) = ((u.z * v.y - u.y * v.z) / area, (u.x * v.z - u.z * v.x) / area)
        return SIMD3(a.z - across * a.x - down * a.y, across, down)
    }
}
