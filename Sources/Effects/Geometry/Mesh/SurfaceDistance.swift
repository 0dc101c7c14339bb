/// Distances of points from a mesh near a known vertex.
struct SurfaceDistance {
    private let points: [SIMD3<Double>]
    private let corners: [SIMD3<Int32>]
    private let fans: TriangleFans

    /// Steps from vertex to vertex at most: a vertex is rarely far from the one that replaces it.
    private static let mostSteps = 64
    /// Comparisons of points with triangles at most: about half a second.
    private static let mostTests = 30_000_000

    init(points: [SIMD3<Double>], corners: [SIMD3<Int32>]) {
        (self.points, self.corners) = (points, corners)
        fans = TriangleFans(
            corners, vertexCount: points.count, isRemoved: [Bool](repeating: false, count: corners.count))
    }

    /// The distance of a point from the triangles around a vertex, or around the corners of the nearest of them as long as that is
    /// nearer. Never less than the distance from the complete mesh.
    func distance(of point: SIMD3<Double>, startingAt vertex: Int32) -> Double {
        var best = Double.infinity
        var nearest: Int32?
        func look(around vertex: Int32) {
            for index in fans[vertex] {
                let triangle = corners[Int(index)]
                let square = Self.square(
                    point, points[Int(triangle.x)], points[Int(triangle.y)], points[Int(triangle.z)])
                if square < best { (best, nearest) = (square, index) }
            }
        }
        look(around: vertex)
        for _ in 0..<Self.mostSteps {
            guard let start = nearest else { break }
            for corner in 0..<3 { look(around: corners[Int(start)][corner]) }
            if nearest == start { break }
        }
        return best.squareRoot()
    }

    /// The largest distance of points from the complete mesh, given a bound for each from ``distance(of:startingAt:)``.
    ///
    /// Points are compared with all triangles, those with the largest bounds first, until one is at least as far as all other
    /// bounds. If that takes too long, the result is the next bound.
    func largest(_ candidates: [(point: SIMD3<Double>, bound: Double)]) -> Float {
        var (worst, tests) = (0.0, 0)
        for (point, bound) in candidates.sorted(by: { $0.bound > $1.bound }) {
            guard bound > worst else { break }
            tests += corners.count
            guard tests < Self.mostTests else { return Float(bound) }
            let square = corners.reduce(bound * bound) { square, triangle in
                min(
                    square,
                    Self.square(
                        point, points[Int(triangle.x)], points[Int(triangle.y)], points[Int(triangle.z)]))
            }
            worst = max(worst, square.squareRoot())
        }
        return Float(worst)
    }

    private static func square(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
        let side = a - b
        return (side * side).sum()
    }

    /// The squared distance of a point from a triangle (C. Ericson: Real-time collision detection, 2005, section 5.1.5).
    static func square(
        _ point: SIMD3<Double>, _ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>
    ) -> Double {
        let (ab, ac) = (b - a, c - a)
        func products(_ corner: SIMD3<Double>) -> (Double, Double) {
            ((ab * (point - corner)).sum(), (ac * (point - corner)).sum())
        }
        let (a1, a2) = products(a)
        if a1 <= 0, a2 <= 0 { return square(point, a) }
        let (b1, b2) = products(b)
        if b1 >= 0, b2 <= b1 { return square(point, b) }
        let (c1, c2) = products(c)
        if c2 >= 0, c1 <= c2 { return square(point, c) }
        let alongAB = a1 * b2 - b1 * a2
        if alongAB <= 0, a1 >= 0, b1 <= 0 { return square(point, a + ab * (a1 / (a1 - b1))) }
        let alongAC = c1 * a2 - a1 * c2
        if alongAC <= 0, a2 >= 0, c2 <= 0 { return square(point, a + ac * (a2 / (a2 - c2))) }
        let alongBC = b1 * c2 - c1 * b2
        let (toC, toB) = (b2 - b1, c1 - c2)
        if alongBC <= 0, toC >= 0, toB >= 0 { return square(point, b + (c - b) * (toC / (toC + toB))) }
        let sum = alongAB + alongAC + alongBC
        return square(point, a + ab * (alongAC / sum) + ac * (alongAB / sum))
    }
}
