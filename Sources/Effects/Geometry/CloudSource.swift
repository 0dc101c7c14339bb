/// A cloud that can be generated piece by piece, repeatedly, without holding all of it in memory.
package protocol CloudSource: Sendable {
    /// The facts about the cloud that are known before the first point.
    var header: CloudHeader { get }

    /// The number of pieces.
    var pieceCount: Int { get }

    /// Appends the points of a piece, 0 ..< ``pieceCount``, in order. A piece may be empty.
    func append(piece index: Int, to cloud: inout PointCloud)
}

extension CloudSource {
    /// Passes the bytes of a file to `sink`, in order, in blocks.
    ///
    /// Pieces are generated and encoded on all cores, a few at a time. An error of `sink` ends the work.
    package func write<Failure: Error>(
        with encoder: some CloudEncoder, to sink: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        try sink(encoder.opening)
        try encodePoints(with: encoder, to: sink)
        let closing = encoder.closing
        if !closing.isEmpty { try sink(closing) }
    }

    /// The complete cloud in memory.
    package func collected() -> PointCloud {
        var cloud = PointCloud()
        let header = header
        cloud.splatSpacing = header.splatSpacing
        cloud.positions.reserveCapacity(header.pointCount)
        if header.hasColors { cloud.colors.reserveCapacity(header.pointCount) }
        if header.hasNormals { cloud.normals.reserveCapacity(header.pointCount) }
        if header.hasConfidences { cloud.confidences.reserveCapacity(header.pointCount) }
        if header.hasTextureCoordinates { cloud.textureCoordinates.reserveCapacity(header.pointCount) }
        makePieces(pieceCount, from: PointCloud()) { index, points in
            points.removeAll()
            append(piece: index, to: &points)
        } take: { points in
            cloud.append(points)
        }
        return cloud
    }

    /// Passes the records of all points to `sink`.
    func encodePoints<Failure: Error>(
        with encoder: some CloudEncoder, to sink: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        try makePieces(pieceCount, from: EncodedPoints()) { index, piece in
            piece.points.removeAll()
            append(piece: index, to: &piece.points)
            piece.bytes.removeAll(keepingCapacity: true)
            encoder.append(piece.points, to: &piece.bytes)
        } take: { (piece) throws(Failure) in
            if !piece.bytes.isEmpty { try sink(piece.bytes) }
        }
    }
}

private struct EncodedPoints {
    var points = PointCloud()
    var bytes: [UInt8] = []
}

extension PointCloud: CloudSource {
    /// Points in a piece of a cloud in memory.
    private static let pieceSize = 1 << 15

    /// The number of points, their bounds and their attributes.
    package var header: CloudHeader {
        let bounds = CloudBounds(of: positions)
        return CloudHeader(
            pointCount: positions.count, minimum: bounds.minimum, maximum: bounds.maximum,
            hasColors: !colors.isEmpty, hasNormals: !normals.isEmpty, hasConfidences: !confidences.isEmpty,
            hasTextureCoordinates: !textureCoordinates.isEmpty,
            splatSpacing: splatSpacing, tool: provenance?.tool.percentEscaped ?? "",
            comments: provenance?.comments ?? [])
    }

    /// Pieces of 32,768 points.
    public var pieceCount: Int { (positions.count + Self.pieceSize - 1) / Self.pieceSize }

    /// Appends a run of points.
    public func append(piece index: Int, to cloud: inout PointCloud) {
        let start = index * Self.pieceSize
        let range = start..<min(start + Self.pieceSize, positions.count)
        cloud.positions += positions[range]
        if !colors.isEmpty { cloud.colors += colors[range] }
        if !normals.isEmpty { cloud.normals += normals[range] }
        if !confidences.isEmpty { cloud.confidences += confidences[range] }
        if !textureCoordinates.isEmpty { cloud.textureCoordinates += textureCoordinates[range] }
    }

    /// Appends points with the same attributes.
    public mutating func append(_ other: PointCloud) {
        positions += other.positions
        colors += other.colors
        normals += other.normals
        confidences += other.confidences
        textureCoordinates += other.textureCoordinates
    }

    /// Removes all points, and keeps their memory for reuse.
    mutating func removeAll() {
        positions.removeAll(keepingCapacity: true)
        colors.removeAll(keepingCapacity: true)
        normals.removeAll(keepingCapacity: true)
        confidences.removeAll(keepingCapacity: true)
        textureCoordinates.removeAll(keepingCapacity: true)
    }
}
