package import Geometry

/// The surface of a recording as a mesh, in memory, in the coordinates of the recording's poses.
package struct FusedMesh: MeshSource {
    /// The triangles, counter-clockwise seen from the cameras.
    package private(set) var mesh: TriangleMesh
    /// The corners of triangles.
    package private(set) var vertices: FusedVertices
    /// The texture, a JPEG file; empty if vertices have colors.
    package private(set) var texture: [UInt8] = []
    /// Separate pieces that are too small to be a surface, and are removed.
    package let speckCount: Int
    /// How far vertices of the complete surface are from this one, in meters.
    package let error: MeshError
    /// The edge of a voxel, in meters.
    let voxelSize: Float

    /// Smaller pieces are specks: about 5 × 5 voxels.
    private static let leastTriangles = 50

    /// The memory that a mesh needs while it is made, for each point of the cloud: of vertices and triangles twice, and of
    /// quadrics and distances if it is simplified. Measured for a simplified mesh of 1.7 million points: 305 bytes.
    static func bytesPerPoint(isSimplified: Bool) -> Int { isSimplified ? 450 : 250 }

    /// Triangles within `maximumError` meters of the complete surface, at most `maximumTriangles` of them; as they are found if both are
    /// `nil`. The maximum number takes precedence.
    init(
        _ volume: FusedVolume, _ header: CloudHeader, maximumError: Float?, maximumTriangles: Int?
    ) {
        voxelSize = volume.voxelSize
        let net = SurfaceNet(
            volume, hasColors: header.hasColors, hasNormals: header.hasNormals,
            hasConfidences: header.hasConfidences)
        let pieces = MeshPieces(net.mesh())
        speckCount = pieces.smallCount(below: Self.leastTriangles)
        let complete = pieces.mesh(without: Self.leastTriangles)
        let simplified = QuadricSimplification.simplified(
            complete, within: maximumError, maximumCount: maximumTriangles, unit: volume.voxelSize)
        (mesh, error) = (simplified.mesh, simplified.error)
        vertices = FusedVertices(mesh.vertices, comments: header.comments, tool: header.tool)
    }

    /// The same surface with a texture, a JPEG file.
    func showing(_ mesh: TriangleMesh, texture: [UInt8]) -> FusedMesh {
        var textured = self
        (textured.mesh, textured.texture) = (mesh, texture)
        textured.vertices = FusedVertices(
            mesh.vertices, comments: vertices.header.comments, tool: vertices.header.tool)
        return textured
    }

    package var triangleCount: Int { mesh.triangleCount }

    package var trianglePieceCount: Int { mesh.trianglePieceCount }

    package func triangles(inPiece index: Int) -> [Triangle] { mesh.triangles(inPiece: index) }
}

/// The corners of a mesh, with the comments of the recording's cloud.
package struct FusedVertices: CloudSource {
    private let points: PointCloud
    package let header: CloudHeader

    init(_ points: PointCloud, comments: [String], tool: String) {
        self.points = points
        var header = points.header
        (header.comments, header.tool) = (comments, tool)
        self.header = header
    }

    package var pieceCount: Int { points.pieceCount }

    package func append(piece index: Int, to cloud: inout PointCloud) {
        points.append(piece: index, to: &cloud)
    }
}
