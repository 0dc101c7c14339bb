/// A cloud that can be had piece by piece, as often as wanted, without ever being in memory as a whole.
public protocol CloudSource: Sendable {
    /// What is known before the first point.
    var header: CloudHeader { get }

    /// The number of pieces.
    var pieceCount: Int { get }

    /// The points of a piece, 0 ..< ``pieceCount``; points keep their order, and a piece may have none.
    func piece(_ index: Int) -> PointCloud
}

extension CloudSource {
    /// Hands the bytes of a file to `sink`, in order, part by part.
    ///
    /// Pieces are made and encoded on all cores, a few at a time. What `sink` throws ends the work.
    public func write<Failure: Error>(
        with encoder: some CloudEncoder, to sink: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        try sink(encoder.opening)
        try encodePieces(pieceCount, to: sink) { encoder.append(piece($0), to: &$1) }
        let closing = encoder.closing
        if !closing.isEmpty { try sink(closing) }
    }

    /// The whole cloud in memory.
    public func collected() -> PointCloud {
        var cloud = PointCloud()
        let header = header
        cloud.positions.reserveCapacity(header.pointCount)
        if header.hasColors { cloud.colors.reserveCapacity(header.pointCount) }
        if header.hasNormals { cloud.normals.reserveCapacity(header.pointCount) }
        if header.hasConfidences { cloud.confidences.reserveCapacity(header.pointCount) }
        if header.hasTextureCoordinates { cloud.textureCoordinates.reserveCapacity(header.pointCount) }
        makePieces(pieceCount, { piece($0) }) { cloud.append($0) }
        return cloud
    }
}

extension PointCloud: CloudSource {
    /// Points in a piece of a cloud in memory.
    private static let pieceSize = 1 << 16

    /// Count, bounds and what is known of each point.
    public var header: CloudHeader {
        let bounds = CloudBounds(of: positions)
        return CloudHeader(
            pointCount: positions.count, minimum: bounds.minimum, maximum: bounds.maximum,
            hasColors: !colors.isEmpty, hasNormals: !normals.isEmpty, hasConfidences: !confidences.isEmpty,
            hasTextureCoordinates: !textureCoordinates.isEmpty, tool: provenance?.tool.percentEscaped ?? "",
            comments: provenance?.comments ?? [])
    }

    /// Pieces of 65,536 points.
    public var pieceCount: Int { (positions.count + Self.pieceSize - 1) / Self.pieceSize }

    /// A run of points.
    public func piece(_ index: Int) -> PointCloud {
        let start = index * Self.pieceSize
        let range = start..<min(start + Self.pieceSize, positions.count)
        return PointCloud(
            positions: Array(positions[range]), colors: colors.isEmpty ? [] : Array(colors[range]),
            normals: normals.isEmpty ? [] : Array(normals[range]),
            confidences: confidences.isEmpty ? [] : Array(confidences[range]),
            textureCoordinates: textureCoordinates.isEmpty ? [] : Array(textureCoordinates[range]))
    }

    /// Appends points of which the same is known.
    public mutating func append(_ other: PointCloud) {
        positions += other.positions
        colors += other.colors
        normals += other.normals
        confidences += other.confidences
        textureCoordinates += other.textureCoordinates
    }
}
