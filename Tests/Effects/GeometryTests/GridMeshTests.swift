import DepthMaps
import DepthTypes
import Geometry
import Testing

@Suite("Meshes of maps")
struct GridMeshTests {
    private func mesh(
        _ meters: [Float], width: Int, axes: CloudAxes = .opengl, options: CloudOptions = CloudOptions(),
        hasTextureCoordinates: Bool = false
    ) throws -> TriangleMesh {
        let map = DepthMap.of(meters, width: width)
        let camera = CameraCalibration(focalLength: 100, width: map.width, height: map.height)
        let unprojection = try Unprojection(camera, width: map.width, height: map.height, axes: axes)
        let grid = GridMesh(
            GridCloud(map, unprojection, options: options),
            texture: hasTextureCoordinates ? TextureArea() : nil)
        let mesh = grid.collected()
        #expect(mesh.triangleCount == grid.triangleCount)
        #expect(mesh.vertices.positions.count == grid.vertices.header.pointCount)
        return mesh
    }

    private func corners(_ triangle: Triangle, _ mesh: TriangleMesh) -> [SIMD3<Float>] {
        [triangle.first, triangle.second, triangle.third].map { mesh.vertices.positions[Int($0)] }
    }

    /// Twice the area vector of a triangle.
    private func normal(_ triangle: Triangle, _ mesh: TriangleMesh) -> SIMD3<Float> {
        let corners = corners(triangle, mesh)
        let (a, b) = (corners[1] - corners[0], corners[2] - corners[0])
        return SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }

    @Test("A plane becomes two triangles per cell, facing the camera", arguments: CloudAxes.allCases)
    func plane(axes: CloudAxes) throws {
        let mesh = try mesh([Float](repeating: 2, count: 7 * 5), width: 7, axes: axes)
        #expect(mesh.triangleCount == 2 * 6 * 4)
        #expect(mesh.vertices.positions.count == 35)
        let towardsCamera: Float = axes == .opengl ? 1 : -1
        // Samples are 2 m / 100 apart, so that twice a triangle's area is 0.0004 m².
        for triangle in mesh.triangles {
            let normal = normal(triangle, mesh)
            #expect(abs(normal.z * towardsCamera - 0.0004) < 1e-7)
        }
    }

    @Test("Pieces of surface with fewer samples than the share are specks", arguments: [1, 2])
    func specks(stride: Int) throws {
        // Blocks of 9 and 25 samples float before a wall, and a single one touches nothing.
        let meters = (0..<100 * 100).map { index -> Float in
            let (x, y) = (index % 100, index / 100)
            if (20..<23).contains(x), (20..<23).contains(y) { return 1 }
            if (60..<69).contains(x), (50..<59).contains(y) { return 1 }
            return (x, y) == (80, 80) ? 1 : 2
        }
        let map = DepthMap.of(meters, width: 100)
        let camera = CameraCalibration(focalLength: 100, width: 100, height: 100)
        var options = CloudOptions()
        options.stride = stride
        let cloud = GridCloud(
            map, try Unprojection(camera, width: 100, height: 100, axes: .opengl), options: options)
        let (rest, count) = cloud.withoutSpecks(share: 0.005)
        #expect(count == 2)
        let mesh = GridMesh(rest)
        let all = GridMesh(cloud)
        // The block of 3 × 3 samples has 8 triangles, or 2 of every second sample.
        #expect(all.triangleCount - mesh.triangleCount == (stride == 1 ? 8 : 2))
        #expect(rest.header.pointCount == all.vertices.header.pointCount - (stride == 1 ? 9 : 4))
    }

    @Test("A mesh covers a slanted plane exactly once")
    func area() throws {
        // A slanted plane: its projection onto the image plane has the area that the rays span.
        let meters = (0..<48).map { index -> Float in
            let (column, row) = (Float(index % 8), Float(index / 8))
            return 2 + 0.01 * column + 0.005 * row
        }
        let mesh = try mesh(meters, width: 8)
        #expect(mesh.triangleCount == 2 * 7 * 5)
        // Seen from the camera, each triangle covers half a cell of (1/100)².
        for triangle in mesh.triangles {
            let rays = corners(triangle, mesh).map { SIMD2($0.x, $0.y) / -$0.z }
            let (a, b) = (rays[1] - rays[0], rays[2] - rays[0])
            let area: Float = a.x * b.y - a.y * b.x
            #expect(abs(area * 1e4 - 1) < 1e-3)
        }
    }

    @Test("A mesh is cut at a depth step, and unused vertices are dropped")
    func step() throws {
        // Four columns at 1 m, one at 2 m, three at 4 m.
        let row: [Float] = [1, 1, 1, 1, 2, 4, 4, 4]
        var options = CloudOptions()
        options.keepsEdges = true
        let mesh = try mesh((0..<4).flatMap { _ in row }, width: 8, options: options)
        #expect(mesh.triangleCount == 2 * 3 * (3 + 2))
        #expect(mesh.vertices.positions.count == 4 * 7)
        #expect(!mesh.vertices.positions.contains { abs($0.z + 2) < 0.1 })
        for triangle in mesh.triangles { #expect(abs(normal(triangle, mesh).z) < 0.01) }
    }

    @Test("A cell with an unknown corner becomes one triangle", arguments: 0..<4)
    func corner(place: Int) throws {
        var meters = [Float](repeating: 1, count: 4)
        meters[place] = .nan
        let mesh = try mesh(meters, width: 2)
        #expect(mesh.triangleCount == 1)
        #expect(mesh.vertices.positions.count == 3)
        #expect(mesh.triangles.allSatisfy { normal($0, mesh).z > 0 })
    }

    @Test("A cell is split along the flatter diagonal", arguments: [0, 1, 2, 3])
    func diagonal(place: Int) throws {
        // One corner lies far behind the others, and only those three remain.
        var meters = [Float](repeating: 1, count: 4)
        meters[place] = 3
        let mesh = try mesh(meters, width: 2)
        #expect(mesh.triangleCount == 1)
        #expect(mesh.vertices.positions.allSatisfy { abs($0.z + 1) < 1e-6 })
    }

    @Test("A stride joins every n-th sample of every n-th row")
    func stride() throws {
        var options = CloudOptions()
        options.stride = 3
        let mesh = try mesh([Float](repeating: 1, count: 8 * 7), width: 8, options: options)
        // Columns 0, 3, 6 and rows 0, 3, 6.
        #expect(mesh.vertices.positions.count == 9)
        #expect(mesh.triangleCount == 8)
        #expect(Set(mesh.triangles.flatMap { [$0.first, $0.second, $0.third] }) == Set(0..<9))
    }

    @Test("Texture coordinates are the sample centers for any lens")
    func textureCoordinates() throws {
        let plain = try mesh([Float](repeating: 1, count: 4), width: 2)
        #expect(plain.vertices.textureCoordinates.isEmpty)
        let mesh = try mesh([Float](repeating: 1, count: 4), width: 2, hasTextureCoordinates: true)
        #expect(
            mesh.vertices.textureCoordinates == [
                SIMD2(0.25, 0.25), SIMD2(0.75, 0.25), SIMD2(0.25, 0.75), SIMD2(0.75, 0.75),
            ])
    }

    @Test("Unknown samples, a single row and a single sample have no triangles")
    func none() throws {
        for meters: [Float] in [[.nan, .nan, .nan, .nan], [1, 1], [1]] {
            let mesh = try mesh(meters, width: meters.count == 4 ? 2 : meters.count)
            #expect(mesh.triangles.isEmpty)
            #expect(mesh.vertices.positions.isEmpty)
        }
    }

    @Test("Vertices are numbered through all pieces of a map")
    func pieces() throws {
        // 182 × 182 samples are two pieces; every 97th is unknown.
        let meters = (0..<182 * 182).map { index -> Float in index % 97 == 0 ? .nan : 2 }
        let mesh = try mesh(meters, width: 182)
        var isUsed = [Bool](repeating: false, count: mesh.vertices.positions.count)
        for triangle in mesh.triangles {
            isUsed[Int(triangle.first)] = true
            isUsed[Int(triangle.second)] = true
            isUsed[Int(triangle.third)] = true
        }
        #expect(!isUsed.contains(false))
        // The last triangle's corners are neighbors, 2 m / 100 apart.
        let last = try #require(mesh.triangles.last)
        #expect(abs(normal(last, mesh).z - 0.0004) < 1e-6)
    }

    @Test("A PLY mesh has faces of three int indices after the vertices")
    func ply() throws {
        let mesh = try mesh([1, 1, 1, .nan], width: 2)
        let bytes = mesh.bytes(PLYEncoder(mesh.vertices.header, triangleCount: 1))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("element face 1\nproperty list uchar int vertex_indices\nend_header\n"))
        // a c b
        #expect(bytes.suffix(13) == [3, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0])
        let lines = mesh.bytes(PLYEncoder(mesh.vertices.header, isText: true, triangleCount: 1))
        #expect(String(decoding: lines, as: UTF8.self).hasSuffix("\n3 0 2 1\n"))
    }
}
