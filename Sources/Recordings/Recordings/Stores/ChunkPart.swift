internal import Bytes
internal import Codecs

/// A part within a compressed chunk of a bag; `range` is a range of the decompressed bytes.
struct ChunkPart: FramePart {
    let chunk: BagChunk
    let range: Range<Int>

    func read(
        into bytes: inout [UInt8], _ memory: inout StoreMemory, _ limits: DecodingLimits
    ) throws(ContainerError) {
        let unpacked = try memory.bytes(of: chunk, limits)
        try MemorySource(unpacked).check(range)
        bytes.removeAll(keepingCapacity: true)
        bytes += unpacked[range]
    }

    func source(_ limits: DecodingLimits) -> (any ByteSource)? { copy(limits) }
}

/// A compressed chunk of a bag.
final class BagChunk: Sendable {
    private let source: any ByteSource
    /// The range of the compressed bytes in the file.
    let range: Range<Int>
    private let packing: Packing
    private let byteCount: Int
    /// The CRC-32 of the decompressed bytes; `nil` if the file has no checksum.
    private let checksum: UInt32?

    /// A chunk of `byteCount` decompressed bytes.
    init(
        _ source: any ByteSource, _ range: Range<Int>, _ packing: Packing, byteCount: Int,
        checksum: UInt32? = nil
    ) {
        (self.source, self.range, self.packing) = (source, range, packing)
        (self.byteCount, self.checksum) = (byteCount, checksum)
    }

    /// Decompresses the chunk. Throws if it is damaged, or exceeds `limits`.
    func read(into bytes: inout [UInt8], _ limits: DecodingLimits) throws(ContainerError) {
        try limits.check(.codedBytes, range.count, at: range.lowerBound)
        let packed = try source.read(range)
        try packing.unpack(packed, count: byteCount, into: &bytes, at: range.lowerBound, limits)
        guard let checksum, checksum != Codecs.checksum(bytes) else { return }
        throw Self.wrongChecksum(at: range.lowerBound)
    }

    /// The error for a chunk whose bytes are damaged.
    static func wrongChecksum(at place: Int) -> ContainerError {
        ContainerError(.damaged(detail: "a chunk does not match its checksum"), at: place)
    }
}
