internal import DepthMaps
import DepthTypes
import Geometry
import Scenes
import TestFrames
import Testing

@testable import Reconstruction

@Suite("Meshes of fused surfaces")
struct FusedMeshTests {
    private static let (side, focal) = (160, 150.0)

    /// The views of balls from the directions of a cube's faces and corners, 1.5 m from the origin.
    private static func views(of balls: [(center: SIMD3<Double>, radius: Double)]) -> [TestFrame] {
        let steps = [-1.0, 0, 1]
        let directions = steps.flatMap { x in steps.flatMap { y in steps.map { z in SIMD3(x, y, z) } } }
        return directions.filter { [1, 3].contains(($0 * $0).sum()) }.map { direction in
            func cross(_ u: SIMD3<Double>, _ v: SIMD3<Double>) -> SIMD3<Double> {
                SIMD3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
            }
            func unit(_ vector: SIMD3<Double>) -> SIMD3<Double> {
                vector / (vector * vector).sum().squareRoot()
            }
            let forward = unit(direction)
            // Right × down is forward.
            let right = unit(cross(abs(direction.x) > 0 ? SIMD3(0, 0.6, 0.8) : SIMD3(1, 0, 0), forward))
            let down = cross(forward, right)
            let pose = CameraPose(right: right, down: down, forward: forward, position: forward * -1.5)
            var meters: [Float] = []
            for row in 0..<side {
                for column in 0..<side {
                    let middle = Double(side - 1) / 2
                    let seen = SIMD3((Double(column) - middle) / focal, (Double(row) - middle) / focal, 1)
                    let ray = pose.world(seen) - pose.position
                    let distances = balls.compactMap { ball -> Double? in
                        let offset = pose.position - ball.center
                        let (a, b) = ((ray * ray).sum(), (ray * offset).sum())
                        let root = b * b - a * ((offset * offset).sum() - ball.radius * ball.radius)
                        return root > 0 ? (-b - root.squareRoot()) / a : nil
                    }
                    meters.append(distances.min().map { Float($0) } ?? .nan)
                }
            }
            var frame = TestFrame()
            frame.depth = FramePlane(width: side, height: side, samples: meters)
            (frame.scale, frame.pose) = (.absolute, pose)
            frame.calibration = CameraCalibration(
                focalLengthX: focal, focalLengthY: focal, principalPointX: Double(side - 1) / 2,
                principalPointY: Double(side - 1) / 2, width: side, height: side)
            return frame
        }
    }

    private static func mesh(
        of balls: [(center: SIMD3<Double>, radius: Double)], error: Float? = nil, most: Int? = nil
    ) throws -> FusedMesh {
        var options = FusionOptions(voxelSize: 0.03)
        options.hasNormals = true
        var fusion = SurfaceFusion(options, hasConfidence: false)
        for frame in views(of: balls) { try fusion.add(frame.scene) }
        return try fusion.cloud(tool: "test", comments: ["a comment"])
            .mesh(maximumError: error, maximumTriangles: most)
    }

    /// How many triangles have each edge, in the direction that they go through it.
    private static func edges(_ mesh: TriangleMesh) -> [SIMD2<UInt32>: Int] {
        var counts: [SIMD2<UInt32>: Int] = [:]
        for triangle in mesh.triangles {
            let corners = [triangle.first, triangle.second, triangle.third]
            for index in 0..<3 { counts[SIMD2(corners[index], corners[(index + 1) % 3]), default: 0] += 1 }
        }
        return counts
    }

    /// The fraction of edges without a triangle on the other side.
    private static func openShare(_ edges: [SIMD2<UInt32>: Int]) -> Double {
        Double(edges.keys.count { edges[SIMD2($0.y, $0.x)] == nil }) / Double(edges.count)
    }

    /// On a closed surface, each edge is in one triangle in each direction. Its volume is positive if triangles are counter-clockwise
    /// from outside.
    @Test(
        "A ball seen from all sides is closed, at its radius, and faces outwards",
        arguments: [nil, 0.002, 0.004])
    func ball(error: Float?) throws {
        let radius = 0.5
        let found = try Self.mesh(of: [(.zero, radius)], error: error)
        let mesh = found.collected()
        let edges = Self.edges(mesh)
        #expect(edges.values.allSatisfy { $0 == 1 })
        #expect(Self.openShare(edges) == 0)
        var volume = 0.0
        for triangle in mesh.triangles {
            let a = SIMD3<Double>(mesh.vertices.positions[Int(triangle.first)])
            let b = SIMD3<Double>(mesh.vertices.positions[Int(triangle.second)])
            let c = SIMD3<Double>(mesh.vertices.positions[Int(triangle.third)])
            volume +=
                (a * SIMD3(b.y * c.z - b.z * c.y, b.z * c.x - b.x * c.z, b.x * c.y - b.y * c.x)).sum() / 6
        }
        #expect(abs(volume / (4 / 3 * .pi * radius * radius * radius) - 1) < 0.03)
        let distances = mesh.vertices.positions.map { point -> Double in
            abs((SIMD3<Double>(point) * SIMD3<Double>(point)).sum().squareRoot() - radius)
        }
        // A twelfth of a voxel on average, half of one at the angles where no camera looks straight on; and the tolerance.
        #expect(distances.reduce(0, +) / Double(distances.count) < 0.0025 + Double(error ?? 0))
        #expect(distances.max() ?? 1 < 0.015 + Double(error ?? 0))
        let outwards = zip(mesh.vertices.positions, mesh.vertices.normals).count {
            ($0 * $1).sum() > 0.9 * Float(radius)
        }
        #expect(outwards * 100 > mesh.vertices.positions.count * 98)
        #expect(found.vertices.header.comments == ["a comment"])
        guard let error else { return }
        #expect(found.error.inner <= error)
        let complete = try Self.mesh(of: [(.zero, radius)])
        #expect(mesh.triangles.count * 5 < 4 * complete.triangleCount)
    }

    @Test("A small number of triangles is kept to, and the error reported")
    func maximum() throws {
        let found = try Self.mesh(of: [(.zero, 0.5)], most: 300)
        #expect((150...300).contains(found.triangleCount))
        #expect((0.001...0.1).contains(found.error.inner))
        #expect(found.collected().vertices.positions.count > 100)
    }

    @Test("Specks are removed and counted")
    func specks() throws {
        let found = try Self.mesh(of: [(.zero, 0.4), (SIMD3(0.55, 0.55, 0.1), 0.015)])
        #expect(found.speckCount >= 1)
        #expect(found.vertices.header.maximum.x < 0.42)
    }
}
