import DepthMaps
import Testing

@testable import Geometry

@Suite("Simplification of any mesh")
struct QuadricSimplificationTests {
    /// A sheet of `side` × `side` vertices, a centimeter apart, at heights that a formula gives.
    private static func sheet(_ side: Int, _ height: (_ x: Float, _ y: Float) -> Float) -> TriangleMesh {
        var cloud = PointCloud()
        for row in 0..<side {
            for column in 0..<side {
                let (x, y) = (Float(column) / 100, Float(row) / 100)
                cloud.positions.append(SIMD3(x, y, height(x, y)))
                cloud.colors.append(RGB(red: UInt8(column * 255 / (side - 1)), green: 0, blue: 0))
            }
        }
        var triangles: [Triangle] = []
        for row in 0..<side - 1 {
            for column in 0..<side - 1 {
                let first = UInt32(row * side + column)
                let below = first + UInt32(side)
                triangles += [Triangle(first, first + 1, below + 1), Triangle(first, below + 1, below)]
            }
        }
        return TriangleMesh(vertices: cloud, triangles: triangles)
    }

    /// The area above the plane z = 0, positive for triangles that are counter-clockwise from above.
    private static func area(_ mesh: TriangleMesh) -> Float {
        mesh.triangles.reduce(0) { sum, triangle in
            let (a, b, c) = (
                mesh.vertices.positions[Int(triangle.first)], mesh.vertices.positions[Int(triangle.second)],
                mesh.vertices.positions[Int(triangle.third)]
            )
            return sum + ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2
        }
    }

    @Test("A flat square becomes few triangles with the same rim and colors")
    func flat() {
        let mesh = Self.sheet(31) { _, _ in 0 }
        let (result, error) = QuadricSimplification.simplified(
            mesh, within: 0.0001, maximumCount: nil, unit: 0.01)
        #expect(result.triangles.count < 150 && error.inner <= 0.0001 && error.rim <= 0.0001)
        #expect(abs(Self.area(result) - 0.09) < 1e-6)
        #expect(result.vertices.positions.allSatisfy { abs($0.z) < 1e-6 })
        // Red grows by 8.5 for each centimeter.
        #expect(
            zip(result.vertices.positions, result.vertices.colors).allSatisfy {
                abs(Float($1.red) - $0.x * 850) < 4
            })
    }

    @Test("Vertices stay within the tolerance of a curved surface", arguments: [0.0005, 0.002] as [Float])
    func curved(tolerance: Float) {
        let mesh = Self.sheet(41) { x, y in x * x + y * x / 2 }
        let (result, error) = QuadricSimplification.simplified(
            mesh, within: tolerance, maximumCount: nil, unit: 0.01)
        #expect(error.inner <= tolerance && error.rim <= 2 * tolerance)
        #expect(result.triangles.count * 4 < mesh.triangles.count)
        #expect(
            result.vertices.positions.allSatisfy {
                abs($0.x * $0.x + $0.y * $0.x / 2 - $0.z) <= 1.5 * tolerance
            })
        #expect(abs(Self.area(result) - 0.16) < 0.001)
    }

    @Test("The maximum number takes precedence over the tolerance")
    func maximum() {
        let mesh = Self.sheet(41) { x, y in x * x + y * y }
        let (result, error) = QuadricSimplification.simplified(
            mesh, within: 0.00001, maximumCount: 100, unit: 0.01)
        #expect(result.triangles.count <= 100 && error.inner > 0.00001)
        let (same, none) = QuadricSimplification.simplified(
            mesh, within: nil, maximumCount: 3200, unit: 0.01)
        #expect(same.triangles == mesh.triangles && none == MeshError())
    }

    /// A pyramid of height 0.1 over a sheet: with few triangles its tip is cut. The distance of the tip from all triangles
    /// follows from its coordinates.
    @Test("The reported error is the measured distance of removed vertices")
    func measured() {
        let mesh = Self.sheet(21) { x, y in max(0, 0.1 - 2 * max(abs(x - 0.1), abs(y - 0.1))) }
        for count in [12, 40, 200] {
            let (result, error) = QuadricSimplification.simplified(
                mesh, within: nil, maximumCount: count, unit: 0.01)
            let worst =
                mesh.vertices.positions.map { point in
                    Self.distance(SIMD3<Double>(point), result)
                }.max() ?? 0
            // Only triangles near the vertex that replaces another one are looked at.
            #expect(Double(max(error.inner, error.rim)) >= worst - 1e-6)
            #expect(Double(max(error.inner, error.rim)) <= worst * 1.5 + 1e-6, "\(count) triangles")
        }
    }

    /// The distance of a point from all triangles.
    private static func distance(_ point: SIMD3<Double>, _ mesh: TriangleMesh) -> Double {
        mesh.triangles.map { triangle in
            let corners = [triangle.first, triangle.second, triangle.third]
                .map { SIMD3<Double>(mesh.vertices.positions[Int($0)]) }
            return SurfaceDistance.square(point, corners[0], corners[1], corners[2]).squareRoot()
        }.min() ?? .infinity
    }

    /// Distances that follow from the coordinates: above the triangle, beside an edge, beyond a corner.
    @Test(
        "The distance from a triangle is that from its inside, an edge or a corner",
        arguments: [
            (SIMD3(0.2, 0.2, 0.5), 0.25), (SIMD3(0.5, -3, 0), 9), (SIMD3(-1, 0.5, 0), 1),
            (SIMD3(1, 1, 0), 0.5), (SIMD3(-1, -1, 1), 3), (SIMD3(3, 0, 0), 4), (SIMD3(0, 4, 0), 9),
        ])
    func triangle(point: SIMD3<Double>, square: Double) {
        let found = SurfaceDistance.square(point, .zero, SIMD3(1, 0, 0), SIMD3(0, 1, 0))
        #expect(abs(found - square) < 1e-12)
    }

    @Test("Separate pieces remain, however few triangles are wanted")
    func remaining() {
        var mesh = Self.sheet(5) { _, _ in 0 }
        let other = Self.sheet(5) { x, _ in 1 + x }
        let count = UInt32(mesh.vertices.positions.count)
        mesh.vertices.positions += other.vertices.positions
        mesh.vertices.colors += other.vertices.colors
        mesh.triangles += other.triangles.map {
            Triangle($0.first + count, $0.second + count, $0.third + count)
        }
        let (result, error) = QuadricSimplification.simplified(
            mesh, within: nil, maximumCount: 1, unit: 0.01)
        #expect(result.vertices.positions.contains { $0.z < 0.5 })
        #expect(result.vertices.positions.contains { $0.z > 0.5 })
        #expect(max(error.inner, error.rim) < 0.05)
    }

    @Test("Pieces with few triangles are removed, and vertices without any")
    func pieces() {
        var mesh = Self.sheet(4) { _, _ in 0 }
        let count = UInt32(mesh.vertices.positions.count)
        for x in 0..<4 { mesh.vertices.positions.append(SIMD3(Float(x), 5, 5)) }
        mesh.vertices.colors += repeatElement(.black, count: 4)
        mesh.triangles.append(Triangle(count, count + 1, count + 2))
        let pieces = MeshPieces(mesh)
        #expect(pieces.smallCount(below: 2) == 1 && pieces.smallCount(below: 19) == 2)
        let result = pieces.mesh(without: 2)
        #expect(result.triangles.count == 18 && result.vertices.positions.count == 16)
        #expect(result.vertices.colors.count == 16)
    }
}
