internal import DepthCore
internal import Synchronization

/// A cloud that can be had piece by piece, as often as wanted, without ever being in memory as a whole.
public protocol CloudSource: Sendable {
    /// What is known before the first point.
    var header: CloudHeader { get }

    /// The number of pieces.
    var pieceCount: Int { get }

    /// Appends the points of a piece, 0 ..< ``pieceCount``; points keep their order, and a piece may have none.
    func append(piece index: Int, to cloud: inout PointCloud)
}

extension CloudSource {
    /// Hands the bytes of a file to `sink`, in order, part by part.
    ///
    /// Pieces are made and encoded on all cores, a few at a time. What `sink` throws ends the work.
    public func write<Failure: Error>(
        with encoder: some CloudEncoder, to sink: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        try sink(encoder.opening)
        let parts = (0..<min(16, pieceCount)).map { _ in EncodedPart() }
        for first in stride(from: 0, to: pieceCount, by: 16) {
            let count = min(16, pieceCount - first)
            forEachBand(of: count, minimum: 1) { band in
                for index in band { parts[index].encode(first + index, of: self, with: encoder) }
            }
            for part in parts.prefix(count) { try part.write(to: sink) }
        }
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
        let parts = (0..<min(16, pieceCount)).map { _ in EncodedPart() }
        for first in stride(from: 0, to: pieceCount, by: 16) {
            let count = min(16, pieceCount - first)
            forEachBand(of: count, minimum: 1) { band in
                for index in band { parts[index].load(first + index, of: self) }
            }
            for part in parts.prefix(count) { part.append(to: &cloud) }
        }
        return cloud
    }
}

/// A place for a piece and its bytes, used again for later pieces: memory that is new to the process takes longer to get
/// than to fill.
private final class EncodedPart: Sendable {
    private let contents = Mutex<(points: PointCloud, bytes: [UInt8])>((PointCloud(), []))

    func load(_ piece: Int, of source: some CloudSource) {
        contents.withLock { contents in
            contents.points.removeAll()
            source.append(piece: piece, to: &contents.points)
        }
    }

    func encode(_ piece: Int, of source: some CloudSource, with encoder: some CloudEncoder) {
        load(piece, of: source)
        contents.withLock { contents in
            contents.bytes.removeAll(keepingCapacity: true)
            encoder.append(contents.points, to: &contents.bytes)
        }
    }

    func write<Failure: Error>(to sink: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        try contents.withLock { (contents) throws(Failure) in
            if !contents.bytes.isEmpty { try sink(contents.bytes) }
        }
    }

    func append(to cloud: inout PointCloud) {
        contents.withLock { cloud.append($0.points) }
    }
}

extension PointCloud: CloudSource {
    /// Points in a piece of a cloud in memory.
    private static let pieceSize = 1 << 15

    /// Count, bounds and what is known of each point.
    public var header: CloudHeader {
        let bounds = CloudBounds(of: positions)
        return CloudHeader(
            pointCount: positions.count, minimum: bounds.minimum, maximum: bounds.maximum,
            hasColors: !colors.isEmpty, hasNormals: !normals.isEmpty, hasConfidences: !confidences.isEmpty,
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
    }

    /// Appends points of which the same is known.
    public mutating func append(_ other: PointCloud) {
        positions += other.positions
        colors += other.colors
        normals += other.normals
        confidences += other.confidences
    }

    /// Takes all points away, and keeps their memory for others.
    mutating func removeAll() {
        positions.removeAll(keepingCapacity: true)
        colors.removeAll(keepingCapacity: true)
        normals.removeAll(keepingCapacity: true)
        confidences.removeAll(keepingCapacity: true)
    }
}
