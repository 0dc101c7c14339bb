package import DepthMaps
internal import DepthTypes

extension DepthMap {
    /// The map with every sample beside a depth edge on one side of it, for surfaces that end at outlines.
    ///
    /// Cameras and smoothing turn edges into slopes. Samples on a slope get the distance of one of its ends: of the subject or
    /// of what is behind it by the matte, else of the side whose color they have, or whose disparity is closer if both sides
    /// have the same color.
    package func takingSides(_ guide: OutlineGuide, _ unprojection: Unprojection) -> DepthMap {
        let sides = EdgeSides(self, guide, unprojection)
        return replacing(
            meters: parallelMapRows(width: width, height: height) { rows, output in
                for row in rows {
                    for column in 0..<width {
                        output[(row - rows.lowerBound) * width + column] = sides.meters(column, row)
                    }
                }
            })
    }
}

/// The sides of the depth edges of a map.
private struct EdgeSides: Sendable {
    private let map: DepthMap
    private let guide: OutlineGuide
    /// Samples that do not fly, 1 or 0.
    private let steady: [UInt8]
    /// 1 plus the largest relative change of distance from sample to sample on one surface.
    private let ratio: Float
    /// The least relative change of distance from sample to sample on an edge's slope.
    private let steepness: Float
    /// How wide a slope may be to either side of a sample, in samples.
    private let reach: Int

    /// How far up or down a slope its ends reach, as a fraction of its height.
    private static let endShare: Float = 0.2

    init(_ map: DepthMap, _ guide: OutlineGuide, _ unprojection: Unprojection) {
        (self.map, self.guide) = (map, guide)
        steady = SelectedSamples(map, unprojection, CloudOptions()).mask
        ratio = FlyingPixels(focalLength: unprojection.focalLength).ratio
        // The mean of several samples has less noise than one, for which flying pixels leave 3 %.
        let angle = Math.tangent(FlyingPixels.steepest * .pi / 180)
        steepness = Float(max(angle / unprojection.focalLength, 0.01))
        reach = min(max(max(map.width, map.height) / 48, 4), 16)
    }

    func meters(_ column: Int, _ row: Int) -> Float {
        let place = SIMD2(column, row)
        let own = map.meters[index(place)]
        return isKnown(own) ? slopeSide(of: place, own) ?? own : own
    }

    private func index(_ place: SIMD2<Int>) -> Int { place.y * map.width + place.x }

    private func isKnown(_ meters: Float) -> Bool { meters > 0 && meters <= CloudOptions.farthest }

    /// The known distance at a position.
    private func distance(at place: SIMD2<Int>) -> Float? {
        guard 0..<map.width ~= place.x, 0..<map.height ~= place.y else { return nil }
        let meters = map.meters[index(place)]
        return isKnown(meters) ? meters : nil
    }

    /// The distance at one of the ends of the slope that a sample is on; `nil` if it is not on a slope.
    private func slopeSide(of place: SIMD2<Int>, _ own: Float) -> Float? {
        let slopes = [SIMD2(1, 0), SIMD2(0, 1)].compactMap { slope(through: place, own, along: $0) }
        guard let slope = slopes.max(by: { $0.change < $1.change }),
            let near = distance(at: slope.near), let far = distance(at: slope.far)
        else { return nil }
        let (nearEnd, farEnd) = (index(slope.near), index(slope.far))
        if guide.coverage(of: nearEnd) >= 0.5, guide.coverage(of: farEnd) < 0.5 {
            return guide.coverage(of: index(place)) >= 0.5 ? near : far
        }
        let byDepth = min(max((1 / own - 1 / far) / (1 / near - 1 / far), 0), 1)
        // Close to an end, a sample is on the surface there, such as the limb of a ball.
        if steady[index(place)] == 1, min(byDepth, 1 - byDepth) <= Self.endShare { return nil }
        let (byColor, trust) = guide.share(of: index(place), near: nearEnd, far: farEnd)
        return byDepth + (byColor - byDepth) * trust >= 0.5 ? near : far
    }

    /// The slope of an edge through a sample: its ends, where it flattens to a quarter, and the quotient of their distances.
    private func slope(
        through place: SIMD2<Int>, _ own: Float, along line: SIMD2<Int>
    ) -> (near: SIMD2<Int>, far: SIMD2<Int>, change: Float)? {
        guard let next = distance(at: place &+ line), let previous = distance(at: place &- line),
            abs(1 / next - 1 / previous) * own > steepness
        else { return nil }
        let uphill = next < previous ? line : .zero &- line
        var peak = max(abs(1 / next - 1 / own), abs(1 / own - 1 / previous))
        // A sample that flies is not an end.
        let least = steady[index(place)] == 1 ? 0 : 1
        guard let up = end(from: place, along: uphill, sign: 1, least, &peak),
            let down = end(from: place, along: .zero &- uphill, sign: -1, least, &peak)
        else { return nil }
        let change = down.distance / up.distance
        let count = Float(up.count + down.count)
        guard change - 1 > 2 * (ratio - 1), change - 1 > count * steepness else { return nil }
        return (place &+ uphill &* up.count, place &- uphill &* down.count, change)
    }

    /// How far a slope goes from a sample, and the distance there; `nil` if it is wider than the reach.
    private func end(
        from place: SIMD2<Int>, along direction: SIMD2<Int>, sign: Float, _ least: Int, _ peak: inout Float
    ) -> (count: Int, distance: Float)? {
        guard var last = distance(at: place) else { return nil }
        for count in 0...reach {
            guard let next = distance(at: place &+ direction &* (count + 1)) else {
                return count >= least ? (count, last) : nil
            }
            let rise = (1 / next - 1 / last) * sign
            if count >= least, rise < peak / 4 { return (count, last) }
            peak = max(peak, rise)
            last = next
        }
        return nil
    }
}
