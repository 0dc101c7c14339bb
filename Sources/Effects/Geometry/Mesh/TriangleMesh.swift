/// A surface of triangles, in memory.
public struct TriangleMesh: MeshSource {
    /// The corners of triangles, with their attributes.
    public var vertices: PointCloud
    /// The triangles.
    public var triangles: [Triangle]

    private static let pieceSize = 1 << 16

    /// Triangles must refer to existing vertices.
    public init(vertices: PointCloud = PointCloud(), triangles: [Triangle] = []) {
        let count = vertices.positions.count
        precondition(triangles.allSatisfy { max($0.first, $0.second, $0.third) < count })
        self.vertices = vertices
        self.triangles = triangles
    }

    /// The number of triangles.
    public var triangleCount: Int { triangles.count }

    /// Pieces of 65,536 triangles.
    public var trianglePieceCount: Int { (triangles.count + Self.pieceSize - 1) / Self.pieceSize }

    /// A run of triangles.
    public func triangles(inPiece index: Int) -> [Triangle] {
        let start = index * Self.pieceSize
        return Array(triangles[start..<min(start + Self.pieceSize, triangles.count)])
    }
}
