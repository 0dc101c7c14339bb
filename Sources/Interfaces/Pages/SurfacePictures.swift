internal import DepthMaps
internal import Geometry

/// Which picture shows each triangle of a surface best.
struct SurfacePictures: Sendable {
    /// The triangles that no picture shows.
    let unseen: [Triangle]
    /// The triangles of each picture.
    let seen: [[Triangle]]

    /// Triangles seen at a flatter angle are not shown by a picture: the cosine of the angle to their normal.
    private static let leastCosine: Float = 0.15
    /// How much better a picture must show a triangle than that of one of its neighbors, as a fraction.
    private static let unity: Float = 0.25
    private static let sweeps = 6

    /// Chooses pictures for triangles that are counter-clockwise seen from the cameras. A picture that sees a triangle from
    /// nearby and at a right angle is best, and neighbors share one where that is not much worse. Surfaces are known to
    /// `tolerance` meters.
    init(_ mesh: TriangleMesh, _ views: [PictureView?], tolerance: Float) {
        let count = mesh.triangles.count
        let scores: [Float] = parallelMapRows(width: count, height: views.count, minimum: 1) { band, output in
            for index in band {
                guard let view = views[index] else {
                    for place in 0..<count { output[(index - band.lowerBound) * count + place] = 0 }
                    continue
                }
                let isShown = mesh.vertices.positions.map { view.shows($0, tolerance: tolerance) }
                for (place, triangle) in mesh.triangles.enumerated() {
                    output[(index - band.lowerBound) * count + place] =
                        triangle.corners.allSatisfy { isShown[$0] }
                        ? Self.score(triangle, mesh.vertices.positions, from: view.position) : 0
                }
            }
        }
        let choices = Self.choices(scores, mesh, viewCount: views.count)
        var seen = views.map { _ in [Triangle]() }
        var unseen: [Triangle] = []
        for (triangle, choice) in zip(mesh.triangles, choices) {
            if let choice { seen[choice].append(triangle) } else { unseen.append(triangle) }
        }
        (self.seen, self.unseen) = (seen, unseen)
    }

    /// In proportion to the pixels that show the triangle; 0 at too flat an angle, and from behind.
    private static func score(
        _ triangle: Triangle, _ positions: [SIMD3<Float>], from eye: SIMD3<Float>
    ) -> Float {
        let corners = triangle.corners.map { positions[$0] }
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0])
        let way = eye - (corners[0] + corners[1] + corners[2]) / 3
        let distance = (way * way).sum()
        let cosine = (normal * way).sum() / max((normal * normal).sum() * distance, 1e-30).squareRoot()
        return cosine > leastCosine ? cosine / distance : 0
    }

    /// The index of the best view of each triangle. `scores` has those of all triangles for each view.
    private static func choices(_ scores: [Float], _ mesh: TriangleMesh, viewCount: Int) -> [Int?] {
        let count = mesh.triangles.count
        var best = [Float](repeating: 0, count: count)
        var choices = [Int?](repeating: nil, count: count)
        for view in 0..<viewCount {
            for place in 0..<count where scores[view * count + place] > best[place] {
                (best[place], choices[place]) = (scores[view * count + place], view)
            }
        }
        let neighbors = mesh.neighbors
        for _ in 0..<sweeps {
            for place in 0..<count where best[place] > 0 {
                let around = neighbors[place].compactMap { choices[$0] }
                var (most, chosen) = (-Float.infinity, choices[place])
                for view in [choices[place]].compactMap(\.self) + around {
                    let own = scores[view * count + place] / best[place]
                    let value = own + unity * Float(around.count { $0 == view })
                    if own > 0, value > most { (most, chosen) = (value, view) }
                }
                choices[place] = chosen
            }
        }
        return choices
    }
}

extension Triangle {
    /// The indices of the corners.
    var corners: [Int] { [Int(first), Int(second), Int(third)] }
}

extension TriangleMesh {
    /// The triangles that have a side in common with each.
    fileprivate var neighbors: [[Int]] {
        var owners: [SIMD2<UInt32>: Int] = [:]
        var neighbors = triangles.map { _ in [Int]() }
        for (place, triangle) in triangles.enumerated() {
            let (a, b, c) = (triangle.first, triangle.second, triangle.third)
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let side = SIMD2(min(from, to), max(from, to))
                if let other = owners[side] {
                    neighbors[place].append(other)
                    neighbors[other].append(place)
                } else {
                    owners[side] = place
                }
            }
        }
        return neighbors
    }
}
