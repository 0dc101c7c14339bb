/// A mesh that can be generated piece by piece, repeatedly, without holding all of it in memory.
package protocol MeshSource: Sendable {
    /// The source of the vertices.
    associatedtype Vertices: CloudSource

    /// The vertices, each of which is a corner of a triangle.
    var vertices: Vertices { get }

    /// The number of triangles.
    var triangleCount: Int { get }

    /// The number of pieces of triangles.
    var trianglePieceCount: Int { get }

    /// The triangles of a piece, 0 ..< ``trianglePieceCount``.
    func triangles(inPiece index: Int) -> [Triangle]
}

extension MeshSource {
    /// Passes the bytes of a file to `sink`, in order, in blocks.
    ///
    /// Pieces are generated and encoded on all cores, a few at a time. An error of `sink` ends the work.
    package func write<Failure: Error>(
        with encoder: some MeshEncoder, to sink: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        try sink(encoder.opening)
        try vertices.encodePoints(with: encoder, to: sink)
        try makePieces(trianglePieceCount, from: [UInt8]()) { index, bytes in
            bytes.removeAll(keepingCapacity: true)
            encoder.append(triangles(inPiece: index), to: &bytes)
        } take: { (bytes) throws(Failure) in
            if !bytes.isEmpty { try sink(bytes) }
        }
        let closing = encoder.closing
        if !closing.isEmpty { try sink(closing) }
    }

    /// The complete mesh in memory.
    package func collected() -> TriangleMesh {
        var triangles: [Triangle] = []
        triangles.reserveCapacity(triangleCount)
        makePieces(trianglePieceCount, from: [Triangle]()) { index, piece in
            piece = self.triangles(inPiece: index)
        } take: { piece in
            triangles += piece
        }
        return TriangleMesh(vertices: vertices.collected(), triangles: triangles)
    }
}
