internal import DepthMaps
package import DepthTypes
internal import Glibc

/// The largest flat surface under the cameras.
package struct Floor: Sendable {
    /// The upward direction, perpendicular to the floor, of length 1.
    package let up: SIMD3<Double>
    /// The floor's height along ``up``, in meters.
    package let height: Double
    /// Its fraction of all surfaces, 0…1.
    package let share: Double
    /// The RMS distance of its points from the plane, in meters.
    package let flatness: Double
}

/// Why a floor is not found.
package enum FloorError: Error, Equatable {
    /// No flat surface is large enough.
    case missing
    /// Two large surfaces with this angle between them, in degrees, may be the floor.
    case ambiguous(Double)
}

extension SurfaceSurvey {
    /// How far the floor's direction may be from the expected one, as a cosine: 40°.
    private static let leastCosine = cos(40 * Double.pi / 180)
    /// Normals of one plane: within 15°.
    private static let sameCosine = cos(15 * Double.pi / 180)
    /// Another floor has another direction: more than 20° off.
    private static let otherCosine = cos(20 * Double.pi / 180)
    /// A floor has at least this number of cells, and this fraction of all.
    private static let leastCells = 150
    private static let leastShare = 0.04
    /// A second surface of this size relative to the floor makes it doubtful.
    private static let mostOther = 0.6
    /// The RMS distance from the plane, in cells, at most. Evenly spread points within one cell have 0.58.
    private static let mostRoughness = 0.4
    /// A lower parallel surface of this size relative to the largest is the floor, and the largest one a table.
    private static let leastLower = 0.3
    private static let mostTrials = 300

    /// The floor: the largest plane whose normal is near a direction. Planes through up to 300 patches are tried, and the best
    /// one is fitted to its patches by least squares.
    package func floor(near expected: SIMD3<Double>) throws(FloorError) -> Floor {
        let patches = patches
        let candidates = patches.filter { ($0.normal * expected).sum() > Self.leastCosine }
        guard candidates.count >= Self.leastCells else { throw .missing }
        let step = max(1, candidates.count / Self.mostTrials)
        let trials = stride(from: 0, to: candidates.count, by: step).map { index in
            (plane: candidates[index], count: on(candidates[index], of: candidates, within: 1.5).count)
        }
        guard let best = trials.max(by: { $0.count < $1.count }) else { throw .missing }
        let plane = fitted(best.plane, to: candidates)
        let found = on(plane, of: candidates, within: 1)
        let square = found.reduce(0) { sum, patch in
            let distance = ((patch.point - plane.point) * plane.normal).sum()
            return sum + distance * distance
        }
        let flatness = (square / Double(max(1, found.count))).squareRoot()
        guard found.count >= Self.leastCells, share(found.count) >= Self.leastShare,
            flatness < Self.mostRoughness * edge
        else { throw .missing }
        let others = trials.filter { ($0.plane.normal * plane.normal).sum() < Self.otherCosine }
        if let other = others.max(by: { $0.count < $1.count }),
            Double(other.count) > Self.mostOther * Double(best.count)
        {
            throw .ambiguous(acos((other.plane.normal * plane.normal).sum()) * 180 / .pi)
        }
        return Floor(
            up: plane.normal, height: lowest(plane, candidates, count: found.count),
            share: share(found.count), flatness: flatness)
    }

    /// The patches on a plane, within a number of cells.
    private func on(
        _ plane: SurfacePatch, of patches: [SurfacePatch], within reach: Double
    ) -> [SurfacePatch] {
        patches.filter {
            abs((($0.point - plane.point) * plane.normal).sum()) < reach * edge
                && ($0.normal * plane.normal).sum() > Self.sameCosine
        }
    }

    /// A plane fitted to the patches on it, in steps with ever nearer patches.
    private func fitted(_ plane: SurfacePatch, to patches: [SurfacePatch]) -> SurfacePatch {
        var plane = plane
        for reach in [4, 3, 2, 1, 1.0] {
            let points = on(plane, of: patches, within: reach).map(\.point)
            guard points.count > 3 else { break }
            let middle = points.reduce(.zero, +) / Double(points.count)
            let normal = plane.normal.mostPerpendicular(to: points.map { $0 - middle }, ridge: 1e-9)
            plane = SurfacePatch(point: middle, normal: normal)
        }
        return plane
    }

    /// The height of the lowest large surface parallel to a plane: the largest one may be a table.
    private func lowest(_ plane: SurfacePatch, _ patches: [SurfacePatch], count: Int) -> Double {
        let heights = patches.filter { ($0.normal * plane.normal).sum() > Self.sameCosine }
            .map { ($0.point * plane.normal).sum() }.sorted()
        let own = (plane.point * plane.normal).sum()
        var (first, end) = (0, 0)
        for (index, height) in heights.enumerated() where height < own - 2 * edge {
            // The patches less than a cell above and below this height.
            while heights[first] < height - edge { first += 1 }
            while end < heights.count, heights[end] < height + edge { end += 1 }
            guard Double(end - first) > Self.leastLower * Double(count) else { continue }
            // This is the rim of the level: its middle has the most patches.
            let level = heights[index...].prefix { $0 < height + 2 * edge }
            return level.reduce(0, +) / Double(level.count)
        }
        return own
    }
}

extension CameraPose {
    /// The upward direction that cameras at these poses suggest; `nil` if they disagree.
    ///
    /// Cameras are rarely held askew, so up is perpendicular to their x axes. How far it is from their mean −y then follows
    /// from cameras that look in different directions.
    package static func meanUp(of poses: [CameraPose]) -> SIMD3<Double>? {
        let sum = poses.reduce(SIMD3.zero) { $0 - $1.down }
        guard sum.length > 0.3 * Double(poses.count), !poses.isEmpty else { return nil }
        // Cameras that all look the same way leave the angle open: a slight weight keeps it.
        return (sum / sum.length).mostPerpendicular(to: poses.map(\.right), ridge: 0.02)
    }
}

extension SIMD3<Double> {
    /// The direction near this one (n₀) that vectors v are most perpendicular to: the minimum of the mean of (v·n)² over
    /// n = n₀ + a·e₁ + b·e₂, plus ridge · (a² + b²), normalized. This direction must have length 1, as the result has.
    fileprivate func mostPerpendicular(to vectors: [SIMD3<Double>], ridge: Double) -> SIMD3<Double> {
        let helper = abs(x) < 0.6 ? SIMD3(1, 0, 0) : SIMD3(0, 1, 0)
        let first = cross(helper) / cross(helper).length
        let second = cross(first)
        var (aa, ab, bb, a, b) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for vector in vectors {
            let (u, v, w) = ((vector * first).sum(), (vector * second).sum(), (vector * self).sum())
            (aa, ab, bb) = (aa + u * u, ab + u * v, bb + v * v)
            (a, b) = (a - u * w, b - v * w)
        }
        let weight = ridge * Double(vectors.count)
        (aa, bb) = (aa + weight, bb + weight)
        let determinant = aa * bb - ab * ab
        guard determinant > 0 else { return self }
        let sum =
            self + first * ((a * bb - b * ab) / determinant) + second * ((aa * b - ab * a) / determinant)
        return sum / sum.length
    }
}
