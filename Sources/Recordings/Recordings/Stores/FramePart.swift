internal import Bytes

/// A picture or map of a frame as it is stored: a reference to its store, and the location of its bytes.
///
/// A conforming type has at most 24 bytes, so that a part is stored inline in the frame.
protocol FramePart: Sendable {
    /// Its name in messages; `nil` if it is inside the recording's file.
    var name: String? { get }

    /// The path of its file; `nil` if it is inside another file.
    var path: String? { get }

    /// Copies its stored bytes into an array, replacing its contents and reusing its memory. `memory` is kept from part to
    /// part.
    ///
    /// Throws if the bytes cannot be read, and if there are more than `limits` allow.
    func read(
        into bytes: inout [UInt8], _ memory: inout StoreMemory, _ limits: DecodingLimits
    ) throws(ContainerError)

    /// Its bytes, for reading a header; `nil` if they cannot be read, and in stores whose recordings state all sizes.
    func source(_ limits: DecodingLimits) -> (any ByteSource)?

    /// Counts the bytes that its `packed` stored bytes are decompressed to. Throws if its file is decompressed to more than
    /// the limit.
    func count(unpacked byteCount: Int, of packed: Int, _ limits: DecodingLimits) throws(ContainerError)
}

extension FramePart {
    var name: String? { nil }
    var path: String? { nil }
    func source(_ limits: DecodingLimits) -> (any ByteSource)? { nil }

    /// Counts for a file that is nothing but this part.
    func count(unpacked byteCount: Int, of packed: Int, _ limits: DecodingLimits) throws(ContainerError) {
        try UnpackedBytes(ofFile: packed, limits).count(byteCount)
    }

    /// A copy of its bytes; `nil` if they cannot be read.
    func copy(_ limits: DecodingLimits) -> (any ByteSource)? {
        var (bytes, memory): ([UInt8], StoreMemory) = ([], StoreMemory())
        guard (try? read(into: &bytes, &memory, limits)) != nil else { return nil }
        return MemorySource(bytes)
    }
}

/// The data of stores that a decoder caches from one part to the next.
struct StoreMemory: Sendable {
    /// The chunks of a bag that were used last, the latest one last: depth and picture may be in two chunks.
    private var chunks: [(chunk: BagChunk, bytes: [UInt8])] = []
    /// Streams, each decompressed up to the record that was read last.
    private var streams: [ObjectIdentifier: DeflatedRecords] = [:]
    /// The decoder of the recording's movie.
    var movie: MovieDecoder?

    init() {}

    /// The decompressed bytes of a chunk. Throws if it cannot be decompressed.
    mutating func bytes(of chunk: BagChunk, _ limits: DecodingLimits) throws(ContainerError) -> [UInt8] {
        if let index = chunks.firstIndex(where: { $0.chunk === chunk }) {
            if index < chunks.count - 1 { chunks.swapAt(index, chunks.count - 1) }
            return chunks[chunks.count - 1].bytes
        }
        // The memory of the one that was not used for longest is reused.
        var bytes = chunks.count > 1 ? chunks.removeFirst().bytes : []
        try chunk.read(into: &bytes, limits)
        chunks.append((chunk, bytes))
        return bytes
    }

    /// The decompressor of a stream's records.
    mutating func records(of stream: RecordStream, size: Int) -> DeflatedRecords {
        let id = ObjectIdentifier(stream)
        let records = streams[id] ?? DeflatedRecords(stream.source, size: size, stream.unpacked)
        streams[id] = records
        return records
    }
}
