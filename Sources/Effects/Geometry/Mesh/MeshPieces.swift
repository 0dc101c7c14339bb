/// The connected pieces of a mesh.
package struct MeshPieces {
    private let mesh: TriangleMesh
    /// The number of the piece of each vertex: that of one of its vertices.
    private let owners: [Int32]
    /// The number of triangles of each piece, at the index of its number.
    private let counts: [Int]

    /// Finds the pieces by union of the corners of triangles.
    package init(_ mesh: TriangleMesh) {
        self.mesh = mesh
        var sets = DisjointSets(count: mesh.vertices.positions.count)
        for triangle in mesh.triangles {
            sets.join(Int(triangle.first), Int(triangle.second))
            sets.join(Int(triangle.first), Int(triangle.third))
        }
        owners = sets.roots
        var counts = [Int](repeating: 0, count: owners.count)
        for triangle in mesh.triangles { counts[Int(owners[Int(triangle.first)])] += 1 }
        self.counts = counts
    }

    /// How many pieces have fewer triangles; vertices without any are not pieces.
    package func smallCount(below least: Int) -> Int { counts.count { $0 > 0 && $0 < least } }

    /// The mesh without pieces of fewer triangles, and without vertices that no triangle has.
    package func mesh(without least: Int) -> TriangleMesh {
        let triangles = mesh.triangles.filter { counts[Int(owners[Int($0.first)])] >= least }
        return TriangleMesh(vertices: mesh.vertices, triangles: triangles).withoutLooseVertices()
    }
}

extension TriangleMesh {
    /// The mesh without vertices that no triangle has.
    func withoutLooseVertices() -> TriangleMesh {
        var isUsed = [Bool](repeating: false, count: vertices.positions.count)
        for triangle in triangles {
            for corner in [triangle.first, triangle.second, triangle.third] { isUsed[Int(corner)] = true }
        }
        var numbers = [UInt32](repeating: 0, count: isUsed.count)
        var cloud = PointCloud()
        cloud.provenance = vertices.provenance
        for index in isUsed.indices where isUsed[index] {
            numbers[index] = UInt32(truncatingIfNeeded: cloud.positions.count)
            cloud.positions.append(vertices.positions[index])
            if !vertices.colors.isEmpty { cloud.colors.append(vertices.colors[index]) }
            if !vertices.normals.isEmpty { cloud.normals.append(vertices.normals[index]) }
            if !vertices.confidences.isEmpty { cloud.confidences.append(vertices.confidences[index]) }
            if !vertices.textureCoordinates.isEmpty {
                cloud.textureCoordinates.append(vertices.textureCoordinates[index])
            }
        }
        return TriangleMesh(
            vertices: cloud,
            triangles: triangles.map {
                Triangle(numbers[Int($0.first)], numbers[Int($0.second)], numbers[Int($0.third)])
            })
    }
}
