/// Two meshes with the same attributes as one.
package struct JoinedMesh<First: MeshSource>: MeshSource {
    package let vertices: JoinedCloud
    private let first: First
    private let second: TriangleMesh

    /// The triangles of both.
    package init(_ first: First, _ second: TriangleMesh) {
        vertices = JoinedCloud(first.vertices, second.vertices)
        (self.first, self.second) = (first, second)
    }

    package var triangleCount: Int { first.triangleCount + second.triangleCount }

    package var trianglePieceCount: Int { first.trianglePieceCount + second.trianglePieceCount }

    package func triangles(inPiece index: Int) -> [Triangle] {
        guard index >= first.trianglePieceCount else { return first.triangles(inPiece: index) }
        let start = UInt32(first.vertices.header.pointCount)
        return second.triangles(inPiece: index - first.trianglePieceCount).map {
            Triangle($0.first + start, $0.second + start, $0.third + start)
        }
    }
}
