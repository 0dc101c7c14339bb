internal import DepthMaps
internal import Geometry

/// A part of a mesh that faces one direction, and is laid flat as seen from there.
struct SurfaceChart: Sendable {
    /// Its triangles, by their indices in the mesh.
    var triangles: [Int32] = []
    /// The axes of the plane on which it is laid, of length 1.
    let right: SIMD3<Float>
    let down: SIMD3<Float>
    /// The corners of the smallest rectangle around it, in meters along these axes.
    var low = SIMD2<Float>(repeating: .infinity)
    var high = SIMD2<Float>(repeating: -.infinity)

    /// A chart without triangles that is seen against `normal`.
    init(facing normal: SIMD3<Float>) {
        let across: SIMD3<Float> = abs(normal.y) < 0.9 ? SIMD3(0, 1, 0) : SIMD3(1, 0, 0)
        right = across.cross(normal).unit
        down = normal.cross(right)
    }

    /// Where a point of the mesh is on the plane, in meters.
    func flat(_ point: SIMD3<Float>) -> SIMD2<Float> {
        SIMD2((point * right).sum(), (point * down).sum())
    }
}

/// Cuts a mesh into charts: from a triangle on, neighbors join that face a similar direction and hide nothing of the chart.
struct SurfaceCharts {
    /// The charts. Each triangle with an area is in one.
    private(set) var charts: [SurfaceChart] = []

    private let mesh: TriangleMesh
    /// The triangle across each edge of each triangle; -1 at rims.
    private let neighbors: [Int32]
    /// The direction of each triangle, of length 1; zero without area.
    private let normals: [SIMD3<Float>]
    /// The same as means over a neighborhood.
    private let directions: [SIMD3<Float>]

    /// The cosine between the direction of a triangle's neighborhood and that of its chart, and between both of the triangle alone.
    private static let leastCosine: Float = 0.6
    private static let leastOwnCosine: Float = 0.15
    /// The longest side of a chart, in voxels, so that charts can be packed and be worked on in parallel.
    private static let longestSide: Float = 96

    /// The charts of a mesh that was made in voxels of this edge, in meters.
    init(_ mesh: TriangleMesh, voxelSize: Float) {
        self.mesh = mesh
        let neighbors = Self.neighbors(mesh.triangles)
        self.neighbors = neighbors
        let positions = mesh.vertices.positions
        let areas = mesh.triangles.map { triangle in
            let first = positions[Int(triangle.first)]
            return (positions[Int(triangle.second)] - first).cross(positions[Int(triangle.third)] - first)
        }
        normals = areas.map(\.unit)
        var sums = areas
        for _ in 0..<3 {
            let before = sums
            for index in sums.indices {
                for edge in 3 * index..<3 * index + 3 where neighbors[edge] >= 0 {
                    sums[index] += before[Int(neighbors[edge])]
                }
            }
        }
        directions = sums.map(\.unit)
        var isTaken = normals.map { $0 == .zero }
        for seed in normals.indices where !isTaken[seed] {
            charts.append(grown(from: seed, voxelSize: voxelSize, &isTaken))
        }
    }

    private static func neighbors(_ triangles: [Triangle]) -> [Int32] {
        var edges: [(key: UInt64, place: Int32)] = []
        edges.reserveCapacity(3 * triangles.count)
        for (index, triangle) in triangles.enumerated() {
            let corners = [triangle.first, triangle.second, triangle.third]
            for edge in 0..<3 {
                let (one, other) = (corners[edge], corners[(edge + 1) % 3])
                edges.append(
                    (UInt64(min(one, other)) << 32 | UInt64(max(one, other)), Int32(3 * index + edge)))
            }
        }
        edges.sort { ($0.key, $0.place) < ($1.key, $1.place) }
        var neighbors = [Int32](repeating: -1, count: edges.count)
        for (one, other) in zip(edges, edges.dropFirst()) where one.key == other.key {
            neighbors[Int(one.place)] = other.place / 3
            neighbors[Int(other.place)] = one.place / 3
        }
        return neighbors
    }

    /// A chart of the free triangles around one of them, which are then taken.
    private func grown(from seed: Int, voxelSize: Float, _ isTaken: inout [Bool]) -> SurfaceChart {
        let facing = (directions[seed] * normals[seed]).sum() > Self.leastOwnCosine
        let axis = facing ? directions[seed] : normals[seed]
        var chart = SurfaceChart(facing: axis)
        // The height of the chart in squares of a voxel.
        var heights: [SIMD2<Int32>: Float] = [:]
        // Nearest first, so that charts are round.
        var (waiting, first) = ([Int32(seed)], 0)
        isTaken[seed] = true
        while first < waiting.count {
            let next = waiting[first]
            first += 1
            let corners = corners(of: Int(next)).map(chart.flat)
            let low = pointwiseMin(pointwiseMin(corners[0], corners[1]), corners[2])
            let high = pointwiseMax(pointwiseMax(corners[0], corners[1]), corners[2])
            let size = pointwiseMax(high, chart.high) - pointwiseMin(low, chart.low)
            let middle = (corners[0] + corners[1] + corners[2]) / (3 * voxelSize)
            let square = SIMD2<Int32>(middle.rounded(.down))
            let height = (self.corners(of: Int(next))[0] * axis).sum()
            let hides = heights[square].map { abs($0 - height) > 4 * voxelSize } ?? false
            guard chart.triangles.isEmpty || !hides && size.max() <= Self.longestSide * voxelSize else {
                isTaken[Int(next)] = false
                continue
            }
            heights[square] = height
            chart.triangles.append(next)
            chart.low = pointwiseMin(chart.low, low)
            chart.high = pointwiseMax(chart.high, high)
            for edge in 3 * Int(next)..<3 * Int(next) + 3 where neighbors[edge] >= 0 {
                let other = Int(neighbors[edge])
                guard !isTaken[other], (directions[other] * axis).sum() > Self.leastCosine,
                    (normals[other] * axis).sum() > Self.leastOwnCosine
                else { continue }
                isTaken[other] = true
                waiting.append(neighbors[edge])
            }
        }
        return chart
    }

    private func corners(of index: Int) -> [SIMD3<Float>] {
        let (triangle, positions) = (mesh.triangles[index], mesh.vertices.positions)
        return [
            positions[Int(triangle.first)], positions[Int(triangle.second)], positions[Int(triangle.third)],
        ]
    }
}

extension SIMD3<Float> {
    /// The direction, of length 1; zero for zero.
    var unit: SIMD3<Float> {
        let length = (self * self).sum().squareRoot()
        return length > 0 ? self / length : .zero
    }
}
