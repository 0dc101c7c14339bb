internal import DepthMaps

/// The surface through the points of a ``GridCloud``, generated row by row on demand: neighbors in the map are joined, unless
/// one is far behind the other.
///
/// Points without a triangle are omitted.
package struct GridMesh: MeshSource {
    /// The corners of triangles, in reading order.
    package let vertices: GridCloud
    /// The number of triangles.
    package let triangleCount: Int
    private let cells: GridCells
    /// The number of each row's first vertex, and of all vertices.
    private let firstVertices: [Int]
    private let rowsInPiece: Int

    /// The surface through the points of a cloud; without the cells of an outline, see ``OutlinedMesh``. With
    /// a `texture`, vertices have their positions in it.
    package init(_ cloud: GridCloud, without outline: MeshOutline? = nil, texture: TextureArea? = nil) {
        let cells = GridCells(cloud, isOutlined: outline != nil)
        let corners = cells.corners.adding(outline?.samples ?? [])
        self.cells = cells
        vertices = GridCloud(cloud, selecting: corners, texture: texture)
        triangleCount = (0..<cloud.depth.height).reduce(0) { $0 + cells.triangleCount(inRow: $1) }
        firstVertices = corners.rowCounts.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) }
        rowsInPiece = max(1, (1 << 15) / max(1, cloud.depth.width))
    }

    /// Pieces of about 65,536 triangles.
    package var trianglePieceCount: Int { (vertices.depth.height + rowsInPiece - 1) / rowsInPiece }

    /// The triangles of some rows of cells.
    package func triangles(inPiece index: Int) -> [Triangle] {
        let rows = index * rowsInPiece..<min((index + 1) * rowsInPiece, vertices.depth.height)
        var triangles: [Triangle] = []
        triangles.reserveCapacity(rows.reduce(0) { $0 + cells.triangleCount(inRow: $1) })
        for row in rows where row % vertices.stride == 0 && row + vertices.stride < vertices.depth.height {
            cells.append(
                row: row, corners: vertices.selected, first: firstVertices[row],
                firstBelow: firstVertices[row + vertices.stride], to: &triangles)
        }
        return triangles
    }
}
