import DepthMaps
import Geometry
import Testing

@Suite("Joined meshes")
struct JoinedMeshTests {
    private func triangle(at z: Float) -> TriangleMesh {
        TriangleMesh(
            vertices: PointCloud(positions: [SIMD3(0, 0, z), SIMD3(1, 0, z), SIMD3(0, 1, z)]),
            triangles: [Triangle(0, 1, 2)])
    }

    @Test("Two meshes as one have the triangles, vertices and bounds of both")
    func joined() {
        let joined = JoinedMesh(triangle(at: 1), triangle(at: 3))
        #expect(joined.triangleCount == 2)
        let mesh = joined.collected()
        #expect(mesh.triangles == [Triangle(0, 1, 2), Triangle(3, 4, 5)])
        #expect(mesh.vertices.positions.map(\.z) == [1, 1, 1, 3, 3, 3])
        let header = joined.vertices.header
        #expect(header.pointCount == 6)
        #expect(header.minimum == SIMD3(0, 0, 1) && header.maximum == SIMD3(1, 1, 3))
    }
}
